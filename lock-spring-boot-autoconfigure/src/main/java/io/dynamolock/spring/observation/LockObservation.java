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
 * Documents the observation of calls of locked methods.
 *
 * @since 0.1
 */
public enum LockObservation implements ObservationDocumentation {

    /** One call, from before the acquisition until after the release. The method runs inside of it. */
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

        @Override
        public Observation.Event[] getEvents() {
            return Event.values();
        }
    };

    /** Events within a call. */
    public enum Event implements Observation.Event {

        /** The lock was acquired, after any wait; the method runs now. */
        ACQUIRED {
            @Override
            public String getName() {
                return "acquired";
            }
        },

        /** The lock could not be acquired within the wait time. */
        BUSY {
            @Override
            public String getName() {
                return "busy";
            }
        },

        /** The lease was lost during the call. Signalled when the call ends, with the time of the loss. */
        LOST {
            @Override
            public String getName() {
                return "lost";
            }
        },

        /** The lease was released. Not signalled if it is held until the caller's transaction has completed. */
        RELEASED {
            @Override
            public String getName() {
                return "released";
            }
        }
    }

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

        /**
         * {@code acquired}, {@code busy}, {@code skipped} or {@code failed}; {@code unknown} before the end of the
         * acquisition.
         */
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
