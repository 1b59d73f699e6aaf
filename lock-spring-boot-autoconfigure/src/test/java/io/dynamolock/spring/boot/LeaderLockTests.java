/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnlyOnLeader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** Methods whose lock is that of the leader. */
@ExtendWith(LogCapture.class)
class LeaderLockTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockDisabledAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class))
            .withPropertyValues(
                    "dynamolock.leader.name=lock-of-leader",
                    "job=lock-of-leader",
                    "dynamolock.managers.other.name-prefix=other/")
            .withBean(Jobs.class);

    @Test
    void areNamedAtStartup(CapturedOutput output) {
        contexts.run(context -> assertThat(output.toString().lines())
                .filteredOn(line -> line.contains("'lock-of-leader' is the lock of the leader"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).contains("Jobs.same: "),
                        line -> assertThat(line).contains("Jobs.byPlaceholder: "),
                        line -> assertThat(line).contains("Jobs.oneOfTwo: ")));
    }

    @Test
    void runIfNothingIsLocked(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(output).doesNotContain("is the lock of the leader"));
    }

    @Test
    void areThoseOfTheManagerThatElects(CapturedOutput output) {
        contexts.withBean("electing", LockManager.class, LeaderLockTests::manager, bean -> bean.setPrimary(true))
                .withBean("dynamolockManager", LockManager.class, LeaderLockTests::manager)
                .withBean(JobsOfManagers.class)
                .run(context -> assertThat(output.toString().lines())
                        .filteredOn(line -> line.contains("'lock-of-leader' is the lock of the leader"))
                        .anyMatch(line -> line.contains("Jobs.same: "))
                        .anyMatch(line -> line.contains("JobsOfManagers.ofElecting: "))
                        .noneMatch(line -> line.contains("JobsOfManagers.ofManager: ")));
    }

    /** Its manager and the name of its lock are not known. */
    @Test
    void areNotThoseOfAnElectionOfTheApplication(CapturedOutput output) {
        contexts.withBean(LeaderElection.class, () -> LeaderElection.of(manager(), "lock-of-leader"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("is the lock of the leader");
                });
    }

    private static LockManager manager() {
        return LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    static class JobsOfManagers {

        @DistributedLock(name = "lock-of-leader", manager = "dynamolockManager")
        public void ofManager() {}

        @DistributedLock(name = "lock-of-leader", manager = "${manager:electing}")
        public void ofElecting() {}
    }

    static class Jobs {

        @OnlyOnLeader
        @DistributedLock("lock-of-leader")
        public void same() {}

        @DistributedLock("${job}")
        public void byPlaceholder() {}

        @DistributedLock(names = {"lock-of-leader", "lock-of-job"})
        public void oneOfTwo() {}

        @DistributedLock("lock-of-job")
        public void own() {}

        @DistributedLock(name = "lock-of-leader", manager = "other")
        public void ofOtherManager() {}
    }
}
