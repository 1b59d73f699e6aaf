/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of a call of a locked method: the call itself and, nested in it and one after the other, the acquisition
 * with its wait, the time under the lock, and the release.
 *
 * @since 0.1
 */
public enum LockObservation implements ObservationDocumentation {

    /** The whole call. */
    CALL {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultLockObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return LowKey.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return HighKey.values();
        }
    },

    /** From the call until the lock is acquired or the acquisition has failed. */
    ACQUIRE {
        @Override
        public String getName() {
            return "dynamolock.lock.acquire";
        }

        @Override
        public String getContextualName() {
            return "acquire";
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return PHASE_KEYS.clone();
        }
    },

    /** While the method runs. */
    HOLD {
        @Override
        public String getName() {
            return "dynamolock.lock.hold";
        }

        @Override
        public String getContextualName() {
            return "hold";
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return PHASE_KEYS.clone();
        }
    },

    /** From the end of the method until the lock is released. */
    RELEASE {
        @Override
        public String getName() {
            return "dynamolock.lock.release";
        }

        @Override
        public String getContextualName() {
            return "release";
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return PHASE_KEYS.clone();
        }
    };

    private static final KeyName[] PHASE_KEYS = {LowKey.TEMPLATE, LowKey.MANAGER};

    /** Keys with few values, which meters have as tags, too. */
    public enum LowKey implements KeyName {

        /** Name template of the method. */
        TEMPLATE {
            @Override
            public String asString() {
                return "template";
            }
        },

        /** Bean name of the lock manager. */
        MANAGER {
            @Override
            public String asString() {
                return "manager";
            }
        },

        /** {@code acquired}, {@code busy} or {@code failed}; {@code unknown} before the end of the acquisition. */
        OUTCOME {
            @Override
            public String asString() {
                return "outcome";
            }
        }
    }

    /** Keys that may have a different value for each call, which only traces have. */
    public enum HighKey implements KeyName {

        /** Lock name. */
        LOCK {
            @Override
            public String asString() {
                return "lock";
            }
        },

        /** Fencing token; {@code none} if the lock was not acquired. */
        FENCING_TOKEN {
            @Override
            public String asString() {
                return "fencing.token";
            }
        }
    }
}
