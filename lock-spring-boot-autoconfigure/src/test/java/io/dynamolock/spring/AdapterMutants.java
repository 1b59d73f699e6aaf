/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults of the adapters to other lock APIs, and of leadership. */
final class AdapterMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a rejection that a decorator swallows keeps the lock",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.rejectionThatDecoratorSwallowsReleasesLock",
                    "spring/interceptor/FutureExecutor.java",
                    "            if (!accepted) {",
                    "            if (!accepted && refusal instanceof Error) {"),
            Mutant.of(
                    "a task that a decorator drops keeps the lock",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.taskThatDecoratorDropsReleasesLock",
                    "spring/interceptor/FutureExecutor.java",
                    "            if (!accepted) {",
                    "            if (!accepted && refusal != null) {"),
            Mutant.of(
                    "a foreign thread with the prefix of the pool is one of its own",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.threadOfPoolWithLongerPrefixIsNoneOfTheExecutor",
                    "spring/interceptor/FutureExecutor.java",
                    "&& name.substring(prefix.length())",
                    "|| name.substring(prefix.length())"),
            Mutant.of(
                    "the rejection of a stopped context waits for its executor",
                    TEST,
                    "spring.interceptor.FutureExecutorTests.rejectionByStoppedContextNeedsNoThreadOfTheExecutor",
                    "spring/interceptor/FutureExecutor.java",
                    "|| failure instanceof LockManagerDrainingException",
                    ""),
            Mutant.of(
                    "a lock outside of @Async is accepted",
                    TEST,
                    "spring.interceptor.AsyncMethodTests.lockOutsideOfTheSubmissionStopsTheStart",
                    "spring/interceptor/AsyncOrderCheck.java",
                    "if (advisor.equals(lock)) {",
                    "if (advisor.equals(bean)) {"),
            Mutant.of(
                    "two proxies of a bean lock each call twice",
                    TEST,
                    "spring.interceptor.OrderTests.secondProxyLeavesTheLockToTheFirst",
                    "spring/interceptor/DistributedLockPosition.java",
                    "                advised.removeAdvisor(advisor);\n",
                    ""),
            Mutant.of(
                    "unlock ignores lockAtLeastFor",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.lockStaysTakenForLockAtLeastFor",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "lease.release(remainingMinimum())",
                    "lease.release()"),
            Mutant.of(
                    "lockAtLeastFor of an extension counts from the first lock",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.timesOfAnExtensionReplaceThoseOfTheLock",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "new LeaseSimpleLock(extended, lease, since, nanoTime)",
                    "new LeaseSimpleLock(extended, lease, sinceNanos, nanoTime)"),
            Mutant.of(
                    "an extension keeps the lockAtLeastFor of the lock",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.extensionCanShortenLockAtLeastFor",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "new LeaseSimpleLock(extended, lease,",
                    "new LeaseSimpleLock(lockConfiguration, lease,"),
            Mutant.of(
                    "an extension renews for the time of the lock",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.extensionLastsForItsOwnLockAtMostFor",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "lease.renew(extended.getLockAtMostFor());",
                    "lease.renew();"),
            Mutant.of(
                    "a lost lock is extended",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.lostLockCannotBeExtended",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "            lease.release(); // removes what is left of it: this object cannot be unlocked any more\n            return Optional.empty();",
                    "            return Optional.of(new LeaseSimpleLock(extended, lease, since, nanoTime));"),
            Mutant.of(
                    "no warning is logged for a lock that ended before its task",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.lockEndsAfterLockAtMostFor",
                    "spring/shedlock/LeaseSimpleLock.java",
                    "!= ReleaseOutcome.RELEASED) {",
                    "== null) {"),
            Mutant.of(
                    "lockAtMostFor does not end a lock",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.lockEndsAfterLockAtMostFor",
                    "spring/shedlock/LeaseLockProvider.java",
                    ".autoRenew(renewing)",
                    ""),
            Mutant.of(
                    "a failing store is a busy lock for ShedLock",
                    TEST,
                    "spring.shedlock.LeaseLockProviderTests.busyLockIsNoFailureAndFailureIsNotBusy",
                    "spring/shedlock/LeaseLockProvider.java",
                    "throw new LockException(\"Lock '%s' could not be acquired\".formatted(configuration.getName()), failure);",
                    "return Optional.empty();"),
            Mutant.of(
                    "the application's own lock provider is not respected",
                    TEST,
                    "spring.boot.ShedLockAutoConfigurationTests.providerOfTheApplicationWins",
                    "spring/boot/DynamolockShedLockAutoConfiguration.java",
                    "    @ConditionalOnMissingBean(LockProvider.class)\n",
                    ""),
            Mutant.of(
                    "the application's own lock registry is not respected",
                    TEST,
                    "spring.boot.IntegrationAutoConfigurationTests.registryOfTheApplicationWins",
                    "spring/boot/DynamolockIntegrationAutoConfiguration.java",
                    "    @ConditionalOnMissingBean(LockRegistry.class)\n",
                    ""),
            Mutant.of(
                            "unlock of a lost lock throws nothing",
                            TEST,
                            "spring.integration.LostRegistryLockTests.unlockSaysThatTheLockWasLost",
                            "spring/integration/LocalLock.java",
                            "        if (lost != null) {",
                            "        if (lost != null && outcome == ReleaseOutcome.RELEASED) {")
                    .and(
                            "spring/integration/LocalLock.java",
                            "        if (outcome != ReleaseOutcome.RELEASED) {",
                            "        if (outcome == null) {"),
            Mutant.of(
                    "unlock does not report a loss found by its release",
                    TEST,
                    "spring.integration.LostRegistryLockTests.unlockSaysWhatOnlyTheReleaseHasFound",
                    "spring/integration/LocalLock.java",
                    "        if (outcome != ReleaseOutcome.RELEASED) {",
                    "        if (outcome == null) {"),
            Mutant.of(
                    "a thread reenters a lost lock of the registry",
                    TEST,
                    "spring.integration.LostRegistryLockTests.lostLockCannotBeEnteredAgain",
                    "spring/integration/LocalLock.java",
                    "        requireHeld(lease());\n",
                    ""),
            Mutant.of(
                    "locks of the registry are not renewed",
                    TEST,
                    "spring.integration.LeaseLockRegistryTests.lockIsRenewedForAsLongAsItIsHeld",
                    "spring/integration/LeaseLockRegistry.java",
                    ".reentrant(true)",
                    ".reentrant(true).autoRenew(false)"),
            Mutant.of(
                    "the registry does not reenter the lock of a locked method",
                    TEST,
                    "spring.boot.IntegrationAutoConfigurationTests.lockedMethodEntersTheLockOfItsThread",
                    "spring/integration/LeaseLockRegistry.java",
                    ".reentrant(true)",
                    ""),
            Mutant.of(
                    "the ttl of a registry lock is ignored",
                    TEST,
                    "spring.integration.LeaseLockRegistryTests.ttlIsTheLeaseDuration",
                    "spring/integration/RegistryLock.java",
                    "lockUninterruptibly(request.leaseDuration(ttl));",
                    "lockUninterruptibly(request);"),
            Mutant.of(
                    "a thread renews a lock it does not hold",
                    TEST,
                    "spring.integration.LeaseLockRegistryTests.onlyTheHolderRenewsAndUnlocks",
                    "spring/integration/LocalLocks.java",
                    "local == null || !local.isHeldByThisThread()",
                    "local == null"),
            Mutant.of(
                    "a thread that gives up blocks other threads of its process",
                    TEST,
                    "spring.integration.LeaseLockRegistryTests.threadThatGivesUpLetsTheNextOneWait",
                    "spring/integration/LocalLocks.java",
                    "                local.leave();\n",
                    "                local.describe();\n"),
            Mutant.of(
                    "a lock of the registry is never removed from memory",
                    TEST,
                    "spring.integration.LeaseLockRegistryTests.locksTakeMemoryWhileInUseOnly",
                    "spring/integration/LocalLocks.java",
                    "            local.unlock();\n        } finally {\n            unuse(name);",
                    "            local.unlock();\n        } finally {\n            local.describe();"),
            Mutant.of(
                    "a candidate writes at each attempt",
                    TEST,
                    "spring.integration.LeaderInitiatorTests.candidateReadsOnceASecondAndWritesNothing",
                    "spring/integration/LocalLocks.java",
                    "        if (!BusyLockPacer.isPaced(wait)) {",
                    "        if (wait != null) {"),
            Mutant.of(
                    "a task under a lost lock succeeds",
                    TEST,
                    "spring.integration.LostRegistryLockTests.callerOfTaskUnderLostLockGetsNoResult",
                    "spring/integration/LeaseLockRegistry.java",
                    "if (lost && !(thrown instanceof Error)) {",
                    "if (lost && thrown != null) {"),
            Mutant.of(
                    "an application leads without an election",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.oneOfTwoApplicationsLeads",
                    "spring/leader/ElectedLeadership.java",
                    "        return election.isLeader();",
                    "        return running;"),
            Mutant.of(
                    "leadership ends before the work of the application",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.leadershipEndsAfterTheWorkOfTheApplication",
                    "spring/boot/DynamolockLeaderAutoConfiguration.java",
                    "PHASE = LockManagerLifecycle.PHASE + 1;",
                    "PHASE = Integer.MAX_VALUE;"),
            Mutant.of(
                    "an application that lost leadership does not exit",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.applicationThatLostLeadershipExitsIfAsked",
                    "spring/boot/DynamolockLeaderAutoConfiguration.java",
                    "if (leader.exitOnLoss()) {",
                    "if (leader.exitOnLoss() && leader.name() == null) {"),
            Mutant.of(
                    "a process that exits after losing leadership is elected again",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.applicationThatLostLeadershipExitsIfAsked",
                    "spring/boot/DynamolockLeaderAutoConfiguration.java",
                    "                    election.stop(); // this",
                    "                    election.isLeader(); // this"),
            Mutant.of(
                    "an application that stops exits as if it had lost leadership",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.stoppedLeaderHasNotLostLeadership",
                    "spring/leader/ElectedLeadership.java",
                    "            if (lost) {",
                    "            if (!lost) {"),
            Mutant.of(
                    "a listener that fails keeps a process alive that lost leadership",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.listenerThatFailsDoesNotHideTheLoss",
                    "spring/leader/ElectedLeadership.java",
                    "        } finally {\n            if (lost) {\n                onLoss.run();\n            }\n        }",
                    "        } finally {\n            running = running;\n        }\n        if (lost) {\n            onLoss.run();\n        }"),
            Mutant.of(
                    "revocation is not published",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.eventsComeInTurnWhenLeadershipIsLost",
                    "spring/leader/ElectedLeadership.java",
                    "            events.publishEvent(new LeadershipEvent.Revoked(name));",
                    "            events.hashCode();"),
            Mutant.of(
                    "a follower runs methods of the leader",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.methodRunsOnTheLeaderOnly",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "if (asked.isLeader()) {",
                    "if (asked.isLeader() || !asked.isLeader()) {"),
            Mutant.of(
                    "a follower takes locks for methods of the leader",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.skippedMethodTakesNoLock",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "ORDER = Ordered.LOWEST_PRECEDENCE - 200;",
                    "ORDER = Ordered.LOWEST_PRECEDENCE;"),
            Mutant.of(
                    "startup accepts a leader-only method that returns a value",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.methodThatCannotBeSkippedFailsTheStartup",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "method.getReturnType() == void.class",
                    "method != null"),
            Mutant.of(
                    "methods of the leader run everywhere without a leader",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.applicationWithoutLeaderDoesNotStart",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "hasLeadership(),",
                    "hasLeadership() || type != null,"),
            Mutant.of(
                    "startup accepts a leader-only method without a proxy",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.beanThatIsCreatedTooEarlyFailsTheStartup",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "return bean == null || bean instanceof FactoryBean;",
                    "return true;"),
            Mutant.of(
                    "skipped methods are not counted",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.methodRunsOnTheLeaderOnly",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "        skipped.increment();\n",
                    ""),
            Mutant.of(
                    "the application's own leadership is not respected",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.leadershipOfTheApplicationWins",
                    "spring/boot/DynamolockLeaderAutoConfiguration.java",
                    "    @ConditionalOnMissingBean(Leadership.class)\n",
                    ""),
            Mutant.of(
                    "the lease duration of the leader is ignored",
                    TEST,
                    "spring.boot.LeaderAutoConfigurationTests.leaderHasItsOwnLease",
                    "spring/boot/DynamolockLeaderAutoConfiguration.java",
                    "leader.leaseDuration() == null ?",
                    "leader.leaseDuration() != null ?"));

    private AdapterMutants() {}
}
