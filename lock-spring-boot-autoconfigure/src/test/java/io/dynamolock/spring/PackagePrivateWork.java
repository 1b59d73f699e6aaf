/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** A class for subclasses in other packages. */
public class PackagePrivateWork {

    @DistributedLock("job")
    void work() {}

    /** Overrides the method by one that subclasses in other packages inherit. */
    public static class MadePublic extends PackagePrivateWork {

        @Override
        public void work() {}
    }

    /** Overrides the method by one that subclasses in other packages do not see either. */
    public static class StillHidden extends PackagePrivateWork {

        @Override
        void work() {}
    }

    /** Without an annotation of its own. */
    public static class Unannotated {

        void work() {}
    }

    /** With init and destroy methods that subclasses in other packages do not override. */
    public static class Initialized {

        @PostConstruct
        void open() {}

        @PostConstruct
        @SuppressWarnings("UnusedMethod") // called by Spring
        private void fill() {}

        @PreDestroy
        void clear() {}
    }

    /** Its init method overrides one that subclasses in other packages do not see. */
    public static class InitializedInPublic extends Initialized {

        @Override
        public void open() {}
    }

    /** With the annotation for leaders. */
    public static class OfLeader {

        @OnlyOnLeader
        void run() {}
    }

    public static class WithField {

        private final String prefix = String.valueOf("spare for ");

        String far(String id) {
            return prefix + id;
        }
    }
}
