/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults outside of calls: settings, startup and shutdown, meters, health, endpoint. */
final class ApplicationMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "managers close before schedulers",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.stopsAfterSchedulersAndEverythingWithAPhase",
                    "spring/boot/LockManagerLifecycle.java",
                    "PHASE = Integer.MIN_VALUE / 2;",
                    "PHASE = Integer.MAX_VALUE;"),
            Mutant.of(
                    "one manager that cannot be closed keeps the others open",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.closesEveryManagerWhateverOneDoes",
                    "spring/boot/LockManagerLifecycle.java",
                    "            LockManagers.closeAll(managers);",
                    "            managers.forEach(LockManager::close);"),
            Mutant.of(
                    "managers close with a pause of the context",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.isNotPausedWithItsContext",
                    "spring/boot/LockManagerLifecycle.java",
                    "    public boolean isPauseable() {\n        return false;",
                    "    public boolean isPauseable() {\n        return true;"),
            Mutant.of(
                    "an application that lost its lock goes on",
                    TEST,
                    "spring.boot.ApplicationExitTests.closesTheApplicationAndThenExitsWithStatusOne",
                    "spring/boot/ApplicationExit.java",
                    "exit.accept(SpringApplication.exit(application, () -> STATUS));",
                    "SpringApplication.exit(application, () -> STATUS);"),
            Mutant.of(
                    "a meter counts an acquisition twice",
                    TEST,
                    "spring.metrics.LockMetricsTests.countAnAcquisitionAndItsRelease",
                    "spring/metrics/ManagerMetrics.java",
                    "        outcome.get().record(took);\n        if",
                    "        outcome.get().record(took);\n        outcome.get().record(took);\n        if"),
            Mutant.of(
                    "a meter counts the end of a lost lease twice",
                    TEST,
                    "spring.metrics.LockMetricsTests.countRenewals",
                    "spring/metrics/ManagerMetrics.java",
                    "increment();\n        holdEnded(lease);",
                    "increment();\n        holdEnded(lease);\n        holdEnded(lease);"),
            Mutant.of(
                    "meters have a series for each of any number of names",
                    TEST,
                    "spring.metrics.LockMetricsTests.areBoundedWithTheNameToo",
                    "spring/metrics/ManagerMetrics.java",
                    "if (ofEach.size() < MOST_NAMES) {",
                    "if (ofEach.size() < MOST_NAMES * 10) {"),
            Mutant.of(
                    "health is up while the heartbeat is late",
                    TEST,
                    "spring.health.LockHealthTests.isDownWhileTheHeartbeatIsLate",
                    "spring/health/LockHealthIndicator.java",
                    "            health.down();\n",
                    ""),
            Mutant.of(
                    "health is down for rights that locks do not need",
                    TEST,
                    "spring.health.LockHealthIndicatorTests.isUnknownIfTheStoreMayNotBeRead",
                    "spring/health/LockHealthIndicator.java",
                    "denied ? Status.UNKNOWN : Status.DOWN",
                    "Status.DOWN"),
            Mutant.of(
                    "health describes the table each time",
                    TEST,
                    "spring.health.LockHealthIndicatorTests.sendsLittleAndWritesNothing",
                    "spring/health/LockHealthIndicator.java",
                    "        if (isFinal) {",
                    "        if (isFinal && details.isEmpty()) {"),
            Mutant.of(
                    "health shows for ever that the table is changing",
                    TEST,
                    "spring.health.LockHealthIndicatorTests.describesTheTableAgainWhileItIsChanging",
                    "spring/health/LockHealthIndicator.java",
                    " && !isChanging(table.ttlStatus())",
                    ""),
            Mutant.of(
                    "health reads a row outside of the prefix",
                    TEST,
                    "spring.boot.IamPageTests.keysOfOneApplicationAreEnoughForIt",
                    "spring/boot/ManagerProperties.java",
                    "return namePrefix + \"dynamolock\";",
                    "return \"dynamolock\";"),
            Mutant.of(
                    "the prefix of names is not heard",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.usesOwnerAndPrefix",
                    "spring/boot/LockSettingsMapper.java",
                    "                        .namePrefix(properties.namePrefix())\n",
                    ""),
            Mutant.of(
                    "what the properties say of a lost lock is not heard",
                    TEST,
                    "spring.interceptor.OnLostTests.aMethodThatSaysNothingFollowsTheProperty",
                    "spring/boot/LockSettingsMapper.java",
                    "                        .onLost(properties.onLost())\n",
                    ""),
            Mutant.of(
                    "the token key is not heard",
                    TEST,
                    "spring.boot.TokenKeyTests.managerAcceptsTokensOfItsKeyOnly",
                    "spring/boot/LockSettingsMapper.java",
                    "        if (tokenKey != null) {",
                    "        if (tokenKey != null && tokenKey.isEmpty()) {"),
            Mutant.of(
                    "a named manager signs with the key of the default one",
                    TEST,
                    "spring.boot.TokenKeyTests.namedManagerHasItsOwnKey",
                    "spring/boot/ManagerOverrides.java",
                    "either(tokenKey, inherited.tokenKey())",
                    "either(inherited.tokenKey(), tokenKey)"),
            Mutant.of(
                    "a named manager is injected instead of the application's own",
                    TEST,
                    "spring.boot.NamedManagersTests.areFallbacksForAManagerOfTheApplication",
                    "spring/boot/NamedManagersRegistrar.java",
                    ".fallback()",
                    ""),
            Mutant.of(
                    "the client of a named manager stays open",
                    TEST,
                    "spring.boot.NamedManagersTests.closeTheClientsThatAreTheirOwn",
                    "spring/boot/NamedManagerFactory.java",
                    "        created.add(client);\n",
                    ""),
            Mutant.of(
                    "a misspelled property is ignored",
                    TEST,
                    "spring.boot.NamedManagersTests.areRefusedWithAPropertyThatTheyDoNotHave",
                    "spring/boot/DynamolockProperties.java",
                    "ignoreUnknownFields = false",
                    "ignoreUnknownFields = true"),
            Mutant.of(
                    "secrets are printed",
                    TEST,
                    "spring.boot.DynamolockPropertiesTests.printNoSecret",
                    "spring/boot/DynamolockProperties.java",
                    "                        Secrets.masked(tokenKey),",
                    "                        tokenKey,"),
            Mutant.of(
                    "secrets are shown in environment variables",
                    TEST,
                    "spring.boot.SecretsTests.areMaskedInEverySpelling",
                    "spring/boot/SecretsConfiguration.java",
                    "data.getLowerCaseKey().replaceAll(\"[^a-z0-9]\", \"\")",
                    "data.getLowerCaseKey().replaceAll(\"-\", \"\")"),
            Mutant.of(
                    "methods are locked although locks are disabled",
                    TEST,
                    "spring.boot.DisabledTests.managerOfTheApplicationStays",
                    "spring/interceptor/LockManagerResolver.java",
                    "        if (replacement != null) {",
                    "        if (false) {"),
            Mutant.of(
                    "a stopped context closes its managers",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.stoppedContextAcquiresNothingUntilItIsStartedAgain",
                    "spring/boot/LockManagerLifecycle.java",
                    "context.isClosed()) {",
                    "context.isActive()) {"),
            Mutant.of(
                    "a transaction commits what was done under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.lossBeforeCommitRollsBack",
                    "spring/interceptor/TransactionHold.java",
                    "                    .forEach(Lease::ensureHeld);",
                    "                    .forEach(lease -> {});"),
            Mutant.of(
                    "a closed manager skips methods while the application runs",
                    TEST,
                    "spring.interceptor.BusyTests.closedManagerIsAnErrorUnlessTheApplicationStops",
                    "spring/interceptor/LockedCall.java",
                    "(isOfStoppedManager(failure) && terms.isClosing())",
                    "isOfStoppedManager(failure)"),
            Mutant.of(
                    "a manager of the application's is not taken",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.backsOffForAManagerOfTheApplicationThatHasAStoreToo",
                    "spring/boot/DynamolockAutoConfiguration.java",
                    "    @Primary\n    @ConditionalOnMissingBean\n",
                    "    @Primary\n"),
            Mutant.of(
                    "the application gets the client that is for locks",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.doesNotOfferItsClientToTheApplication",
                    "spring/boot/DynamoDbStoreConfiguration.java",
                    "@Bean(name = DynamoDbClientResolver.DEFAULT_CLIENT, defaultCandidate = false)",
                    "@Bean(name = DynamoDbClientResolver.DEFAULT_CLIENT)"),
            Mutant.of(
                    "a client that a later auto-configuration defines is ignored",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.locksWithAClientOfAnAutoConfigurationThatComesLater",
                    "spring/boot/DynamoDbClientResolver.java",
                    "applications.getIfAvailable(fallback::getObject)",
                    "fallback.getIfAvailable(applications::getObject)"),
            Mutant.of(
                    "a release by the endpoint needs no lease id",
                    TEST,
                    "spring.endpoint.DistributedLocksEndpointTests.aReleaseSaysWhatItIsToRelease",
                    "spring/endpoint/DistributedLocksEndpoint.java",
                    "if (whoeverHolds == (leaseId != null)) {",
                    "if (whoeverHolds && leaseId != null) {"),
            Mutant.of(
                    "the endpoint shows lease ids to readers",
                    TEST,
                    "spring.endpoint.DistributedLocksEndpointTests.showsNoLeaseIdUnlessItCanBeUsed",
                    "spring/endpoint/LockDescriptor.java",
                    "withLeaseId ? lock.leaseId() : null",
                    "lock.leaseId()"),
            Mutant.of(
                            "the endpoint's releases are open by default",
                            TEST,
                            "spring.endpoint.DistributedLocksEndpointTests.onlyReadingIsThereByDefault",
                            "spring/endpoint/DistributedLocksEndpoint.java",
                            "defaultAccess = Access.READ_ONLY",
                            "defaultAccess = Access.UNRESTRICTED")
                    .and(
                            "spring/boot/DynamolockEndpointAutoConfiguration.java",
                            "EndpointId.of(DistributedLocksEndpoint.ID), Access.READ_ONLY)",
                            "EndpointId.of(DistributedLocksEndpoint.ID), Access.UNRESTRICTED)"),
            Mutant.of(
                    "a listener of events keeps its manager's name from them",
                    TEST,
                    "spring.boot.NamedManagersShownTests.theirEventsTellWhoseTheyAre",
                    "spring/boot/DynamolockAutoConfiguration.java",
                    "new LockEvents(manager, publisher)",
                    "new LockEvents(\"dynamolockManager\", publisher)"),
            Mutant.of(
                    "an observation that fails harms the call",
                    TEST,
                    "spring.observation.ObservedCallTests.failingHandlerHarmsNoCall",
                    "spring/observation/ObservedCall.java",
                    "        } catch (RuntimeException | LinkageError failure) {\n            failed.accept(failure);\n        }",
                    "        } catch (RuntimeException | LinkageError failure) {\n            throw failure;\n        }"),
            Mutant.of(
                    "a busy lock is observed as an error",
                    TEST,
                    "spring.observation.LockObservationTests.tellsBusyFromFailed",
                    "spring/observation/ObservedCall.java",
                    "if (failure != null && !(failure instanceof LockBusyException && lease == null)) {",
                    "if (failure != null) {"),
            Mutant.of(
                    "an observation outlives its call as the current one",
                    TEST,
                    "spring.observation.ObservedCallTests.enclosingObservationIsCurrentAfterTheCall",
                    "spring/observation/ObservedCall.java",
                    "            registry.setCurrentObservationScope(around);\n",
                    ""),
            Mutant.of(
                    "meters of faults are missing before the first fault",
                    TEST,
                    "spring.boot.DashboardTests.theAlertsSeeAFirstIncrease",
                    "spring/metrics/LockMeters.java",
                    "        Timer unused = this.released.get(ReleaseOutcome.NOT_OWNED).get();\n",
                    ""),
            Mutant.of(
                    "a process is halted before its last manager has closed",
                    TEST,
                    "spring.boot.ApplicationExitTests.hasPatienceForTheManagerThatClosesLast",
                    "spring/boot/LockManagerFactory.java",
                    "if (grace.compareTo(longestGrace) > 0) {",
                    "if (grace.compareTo(longestGrace) < 0) {"),
            Mutant.of(
                    "the endpoint takes a closed manager for a mistake of the request",
                    TEST,
                    "spring.endpoint.DistributedLocksEndpointTests.aClosedManagerIsNoMistakeOfTheRequest",
                    "spring/endpoint/DistributedLocksEndpoint.java",
                    "        } catch (LockManagerClosedException closed) {\n            throw closed;\n",
                    ""),
            Mutant.of(
                    "health keeps leases that are over",
                    TEST,
                    "spring.health.LockVitalsTests.forgetsALeaseThatIsOver",
                    "spring/health/LockVitals.java",
                    "    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {\n        failing.remove(lease);",
                    "    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {"),
            Mutant.of(
                    "health keeps any number of names",
                    TEST,
                    "spring.health.LockVitalsTests.remembersSomeOfManyLocks",
                    "spring/health/LockVitals.java",
                    "} else if (closed.size() < REMEMBERED) {",
                    "} else {"));

    private ApplicationMutants() {}
}
