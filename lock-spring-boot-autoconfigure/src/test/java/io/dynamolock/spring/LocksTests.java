/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Access of a locked method to its lock. */
class LocksTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Inner.class).withBean(Jobs.class);

    @Test
    void passLockedMethodItsLease() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            jobs.outer();

            assertThat(jobs.seen()).extracting(Lease::name).containsExactly("outer", "inner", "outer");
            assertThat(jobs.seen())
                    .extracting(Lease::fencingToken)
                    .allSatisfy(token -> assertThat(token).isPositive());
            assertThat(Locks.current()).isEmpty();
        });
    }

    @Test
    void areForgottenWhenTheMethodFails() {
        contexts.run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(context.getBean(Jobs.class)::fails)
                    .withMessage("on purpose");

            assertThat(Locks.current()).isEmpty();
        });
    }

    @Test
    void fillALeaseParameterThatIsLeftNull() {
        contexts.run(context -> {
            Lease lease = context.getBean(Jobs.class).parameter("42", null);

            assertThat(lease).isNotNull();
            assertThat(lease.name()).isEqualTo("order-42");
        });
    }

    @Test
    void leaveALeaseParameterThatIsGiven() {
        contexts.run(context -> {
            Lease given = context.getBean(LockManager.class).tryAcquire("given").orElseThrow();

            assertThat(context.getBean(Jobs.class).parameter("42", given)).isSameAs(given);
        });
    }

    @Test
    void noticeACallOnThis() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            jobs.asserts();

            assertThatIllegalStateException()
                    .isThrownBy(jobs::callsItself)
                    .withMessageContaining("@DistributedLock")
                    .withMessageContaining("this");
        });
    }

    static class Inner {

        @DistributedLock("inner")
        public Lease lease() {
            return Locks.current().orElseThrow();
        }
    }

    static class Jobs {

        private final Inner inner;
        private final List<Lease> seen = new ArrayList<>();

        Jobs(Inner inner) {
            this.inner = inner;
        }

        public List<Lease> seen() {
            return seen;
        }

        @DistributedLock("outer")
        public void outer() {
            seen.add(Locks.current().orElseThrow());
            seen.add(inner.lease());
            seen.add(Locks.current().orElseThrow());
        }

        @DistributedLock("fails")
        public void fails() {
            throw new IllegalStateException("on purpose");
        }

        @DistributedLock("order-#{#id}")
        public Lease parameter(String id, @Nullable Lease lease) {
            assertThat(id).isEqualTo("42");
            return Objects.requireNonNull(lease);
        }

        @DistributedLock("asserts")
        public void asserts() {
            Locks.assertHeld();
        }

        public void callsItself() {
            asserts();
        }
    }
}
