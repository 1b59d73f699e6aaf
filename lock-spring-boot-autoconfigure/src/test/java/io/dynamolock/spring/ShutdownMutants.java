/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults of a shutdown that waits for work, of what is decided ahead of time, and in child contexts. */
final class ShutdownMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "an invalid store fails in the condition that reads it",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.anUnknownStoreIsRejectedByTheBindingOfTheProperties",
                    "spring/boot/DynamolockAutoConfiguration.java",
                    "} catch (BindException invalid) {",
                    "} catch (ArithmeticException invalid) {"),
            Mutant.of(
                    "the store in memory needs a property without spaces",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.namesTheStoreInAnyFormThatSpringBootAccepts",
                    "spring/boot/DynamolockAutoConfiguration.java",
                    ".bind(\"dynamolock.store\", Store.class)\n                                .orElse(Store.DYNAMODB)\n                        == Store.MEMORY;",
                    ".bind(\"dynamolock.store\", String.class)\n                                .orElse(\"\").equalsIgnoreCase(\"memory\");"),
            Mutant.of(
                    "a final method in a child context is silently not locked",
                    TEST,
                    "spring.ChildContextTests.beanThatTheAdvisorOfTheParentCannotInterceptIsRefused",
                    "spring/AnnotatedBeanValidator.java",
                    "                validator.check(name, type, bean, null);\n",
                    ""),
            Mutant.of(
                    "a final method of a lazy bean in a child context is silently not locked",
                    TEST,
                    "spring.ChildContextTests.lazyBeanThatTheAdvisorOfTheParentCannotInterceptIsRefusedOnItsCreation",
                    "spring/LaterBeans.java",
                    "                validator.check(name, once.type(), bean, null);\n",
                    ""),
            Mutant.of(
                    "a bean of a grandchild context is refused for managers that are not its own",
                    TEST,
                    "spring.ChildContextTests.beanOfGrandchildIsCheckedByTheNearestAdvisor",
                    "spring/BeanTypes.java",
                    "nearest.getAutowireCapableBeanFactory() == parent",
                    "parent != nearest"),
            Mutant.of(
                    "a bean of a child context is silently not locked if listeners run on other threads",
                    TEST,
                    "spring.ChildContextTests.beanWithoutProxyIsRefusedIfListenersOfTheParentRunLater",
                    "spring/AnnotatedBeanValidator.java",
                    "    public final boolean supportsAsyncExecution() {\n        return false;",
                    "    public final boolean supportsAsyncExecution() {\n        return true;"),
            Mutant.of(
                    "the check of a child context that has been closed fails the start of its parent",
                    TEST,
                    "spring.ChildContextTests.childThatIsClosedBeforeItsParentHasStartedIsIgnored",
                    "spring/BeanTypes.java",
                    " || !context.isActive()) {",
                    ") {"),
            Mutant.of(
                    "properties are bound before a bean registers them",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.bindsPropertiesThatABeanRegisters",
                    "spring/boot/DistributedLockAutoConfiguration.java",
                    "() -> properties.getObject().annotation().holdUntilTransactionCompletes(),",
                    "properties.getObject().annotation()::holdUntilTransactionCompletes,"),
            Mutant.of(
                    "an invalid order fails where it is looked up",
                    TEST,
                    "spring.interceptor.OrderTests.invalidOrderIsRejectedByTheBindingOfTheProperties",
                    "spring/boot/DistributedLockAutoConfiguration.java",
                    "} catch (BindException invalid) {",
                    "} catch (ArithmeticException invalid) {"),
            Mutant.of(
                    "the order that a configurer of placeholders reads is silently ignored",
                    TEST,
                    "spring.interceptor.OrderTests.orderOfThePropertiesCountsThatAPlaceholderConfigurerReads",
                    "spring/boot/DistributedLockAutoConfiguration.java",
                    "configurers.size() == 1",
                    "configurers.size() > 1"),
            Mutant.of(
                    "the order of a child context is silently ignored",
                    TEST,
                    "spring.interceptor.OrderTests.orderOfThePropertiesOfAChildContextCounts",
                    "spring/boot/DistributedLockAutoConfiguration.java",
                    "ConfigurationPropertySources.from(sources)",
                    "ConfigurationPropertySources.get(application.getEnvironment())"),
            Mutant.of(
                    "leadership ends before the work of the leader in a late shutdown",
                    TEST,
                    "spring.boot.LateShutdownTests.leaderKeepsItsLockUntilTheWorkOfItsExecutorHasEnded",
                    "spring/leader/ElectedLeadership.java",
                    "boolean late = election.isLeader() && endsLate.getAsBoolean();",
                    "boolean late = false;"),
            Mutant.of(
                            "a late callback of a former leadership ends the next one",
                            TEST,
                            "spring.boot.LeaderAutoConfigurationTests.lateCallbackOfFormerLeadershipIsNoLossOfTheNext",
                            "spring/leader/ElectedLeadership.java",
                            "lease == leading.get()",
                            "leading.get() != null")
                    .and(
                            "spring/leader/ElectedLeadership.java",
                            "leading.compareAndSet(lease, null)",
                            "leading.getAndSet(null) != null"),
            Mutant.of(
                    "one election that cannot be stopped keeps the others running",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.electionThatCannotBeStoppedKeepsNoOtherRunning",
                    "spring/boot/LockManagerLifecycle.java",
                    "elections.stream().filter(LockManagerLifecycle::beginsToEnd)",
                    "elections.stream().takeWhile(LockManagerLifecycle::beginsToEnd)"),
            Mutant.of(
                    "an election ends only after the callbacks of another one",
                    TEST,
                    "spring.boot.LockManagerLifecycleTests.electionsEndSideBySide",
                    "spring/boot/LockManagerLifecycle.java",
                    "var unused = election.stopAsync();",
                    "election.stop();"),
            Mutant.of(
                    "an executor that a listener uses is not waited for",
                    TEST,
                    "spring.boot.LateShutdownTests.taskKeepsItsLockAlthoughListenerAndOtherClientDependOnItsExecutor",
                    "spring/boot/LateShutdown.java",
                    "waiting.removeAll(withDependencies(PARTS.stream()));",
                    "waiting.removeAll(withDependencies(Stream.concat(PARTS.stream(), COMPANIONS.stream())));"),
            Mutant.of(
                    "an idle executor makes the managers close late",
                    TEST,
                    "spring.boot.LateShutdownTests.idleExecutorDoesNotDelayTheManagers",
                    "spring/boot/LateShutdown.java",
                    "(paused || pool.isRunning()) && hasTasks(pool)",
                    "pool.isRunning()"),
            Mutant.of(
                    "the shutdown creates managers of scopes",
                    TEST,
                    "spring.boot.LateShutdownTests.managerOfScopeIsNotCreatedByTheShutdown",
                    "spring/boot/LockManagerLifecycle.java",
                    "!beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(bean))",
                    "bean != null"),
            Mutant.of(
                    "an executor that awaits its threads is not waited for",
                    TEST,
                    "spring.boot.LateShutdownTests.taskKeepsItsLockInAnExecutorThatAwaitsItsThreads",
                    "spring/boot/LateShutdown.java",
                    "&& !threads.isEmpty();",
                    "&& threads.isEmpty();"),
            Mutant.of(
                    "work that waits for a lock delays the shutdown",
                    TEST,
                    "spring.boot.LateShutdownTests.workThatWaitsForALockDoesNotDelayTheShutdown",
                    "spring/boot/LockManagerLifecycle.java",
                    "            closedLate.forEach(this::drain);",
                    "            "),
            Mutant.of(
                    "the managers close before work that ends when its executor is destroyed",
                    TEST,
                    "spring.boot.LateShutdownTests.scheduledJobKeepsItsLockWhileItsSchedulerAwaitsTermination",
                    "spring/boot/LockManagerLifecycle.java",
                    "if (!waiting.isEmpty()) {",
                    "if (running) {"),
            Mutant.of(
                    "a scheduler of Quartz that waits for its jobs is not waited for",
                    TEST,
                    "spring.boot.LateShutdownTests.jobOfQuartzKeepsItsLockIfQuartzWaitsForIt",
                    "spring/boot/LateShutdown.java",
                    "getPropertyValue(\"waitForJobsToCompleteOnShutdown\"));",
                    "getPropertyValue(\"exposeSchedulerInRepository\"));"),
            Mutant.of(
                    "the managers do not wait for the executors that are destroyed",
                    TEST,
                    "spring.boot.LateShutdownTests.jobOfQuartzKeepsItsLockIfQuartzWaitsForIt",
                    "spring/boot/LateShutdown.java",
                    "before.forEach(name -> beans.registerDependentBean(last, name));",
                    "before.clear();"),
            Mutant.of(
                    "a method in a child context locks with a manager that needs a qualifier",
                    TEST,
                    "spring.interceptor.UnqualifiedManagerTests.isThatOfTheParentBesideOneWithAQualifierInTheChild",
                    "spring/interceptor/LockManagerResolver.java",
                    "return UnqualifiedManager.in(beans);",
                    "return beans.resolveNamedBean(LockManager.class);"),
            Mutant.of(
                    "the name of a parameter chooses one of several managers",
                    TEST,
                    "spring.interceptor.UnqualifiedManagerTests.isNotChosenByTheNameOfAParameter",
                    "spring/interceptor/UnqualifiedManager.java",
                    "        return null;",
                    "        return super.getDependencyName();"),
            Mutant.of(
                    "a named manager exists in parent and child",
                    TEST,
                    "spring.ChildContextTests.namedManagerOfParentIsNotCreatedAgain",
                    "spring/boot/NamedManagersRegistrar.java",
                    "                registry.removeBeanDefinition(name);",
                    "                registry.getBeanDefinition(name);"),
            Mutant.of(
                    "a child context shows no lease of its parent as at risk",
                    TEST,
                    "spring.ChildContextTests.leaseOfParentIsShownAtRiskInItsChild",
                    "spring/health/LockHealthRegistry.java",
                    "return parent == null || isOwn.test(manager)",
                    "return parent == null || !manager.isEmpty()"),
            Mutant.of(
                    "a context without health does not know which of its leases are at risk",
                    TEST,
                    "spring.ChildContextTests.leaseOfParentIsShownAtRiskInItsChild",
                    "spring/boot/DynamolockHealthAutoConfiguration.java",
                    "@Import(LockHealthConfiguration.class)\npublic final class",
                    "@ConditionalOnEnabledHealthIndicator(\"dynamolock\")\n@Import(LockHealthConfiguration.class)\npublic final class"),
            Mutant.of(
                    "a child context has no manager that is named like another bean of its parent",
                    TEST,
                    "spring.ChildContextTests.managerThatParentDoesNotHaveIsCreated",
                    "spring/boot/NamedManagersRegistrar.java",
                    "                    && parent.isTypeMatch(name, LockManager.class)) {",
                    "                    && parent != beans) {"),
            Mutant.of(
                    "a child context does not use its own store or client",
                    TEST,
                    "spring.ChildContextTests.managerWithStoreOrClientOfChildIsCreated",
                    "spring/boot/NamedManagersRegistrar.java",
                    "                    && !beans.containsLocalBean(NamedManagerFactory.clientOf(name))\n",
                    ""),
            Mutant.of(
                    "a child context loses a manager that the application has replaced",
                    TEST,
                    "spring.ChildContextTests.managerThatChildDefinesLaterIsItsOwn",
                    "spring/boot/NamedManagersRegistrar.java",
                    "registry.getBeanDefinition(name).getSource() == NamedManagersRegistrar.class",
                    "registry.getBeanDefinition(name).getSource() != registry"),
            Mutant.of(
                    "a child context runs without locks because of its parent, silently",
                    TEST,
                    "spring.ChildContextTests.childOfParentWithoutLocksMustNotExpectThem",
                    "spring/boot/NamedManagersRegistrar.java",
                    "        requireLocks(parent);\n",
                    ""),
            Mutant.of(
                    "a named manager replaces a bean of the application, silently",
                    TEST,
                    "spring.boot.NamedManagersTests.areRejectedIfAnotherBeanHasTheirName",
                    "spring/boot/NamedManagersRegistrar.java",
                    "                if (registry.containsBeanDefinition(name)) {",
                    "                if (name.isEmpty()) {"),
            Mutant.of(
                    "leader-only methods of a child context do not find the leadership of its parent",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.methodInChildContextRunsIfTheProcessLeadsByTheParent",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Leadership.class, true, false)",
                    "beans.getBeanNamesForType(Leadership.class, true, false)"),
            Mutant.of(
                    "the meters of the leader carry a manager by which it is not elected",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.metersInChildContextCarryTheManagerOfTheParent",
                    "spring/boot/DynamolockMetricsAutoConfiguration.java",
                    ": isPrimary(here.getParentBeanFactory(), name);",
                    ": false;"),
            Mutant.of(
                    "a call that is skipped while its manager drains is observed as failed",
                    TEST,
                    "spring.observation.LockObservationTests.saysSkippedIfTheManagerDrains",
                    "spring/interceptor/LockedCall.java",
                    "            observed.skipped();\n",
                    ""),
            Mutant.of(
                    "skipped calls count without their reason",
                    TEST,
                    "spring.metrics.SkippedCallsTests.countByReason",
                    "spring/metrics/LockMetrics.java",
                    "LockMeters.lower(call.reason())",
                    "LockMeters.lower(LockEvent.Reason.BUSY)"),
            Mutant.of(
                    "a wait that draining ends counts as a failure",
                    TEST,
                    "spring.metrics.SkippedCallsTests.waitThatDrainingEndsIsNoFailure",
                    "spring/metrics/ManagerMetrics.java",
                    "|| failure instanceof LockManagerDrainingException",
                    "|| failure instanceof InterruptedException"),
            Mutant.of(
                    "a wait that the close of its manager ends counts as a failure",
                    TEST,
                    "spring.metrics.SkippedCallsTests.waitThatTheCloseOfTheManagerEndsIsNoFailure",
                    "spring/metrics/ManagerMetrics.java",
                    "\n                || failure instanceof LockManagerClosedException;",
                    ";"),
            Mutant.of(
                    "a lock that was repaired still counts as closed",
                    TEST,
                    "spring.metrics.MeterSourcesTests.gaugeShowsHowManyLocksAreClosedNow",
                    "spring/metrics/ManagerMetrics.java",
                    "        closedNow.onRepairedRow(name);\n",
                    ""),
            Mutant.of(
                    "an undefined placeholder for the switch fails without its key",
                    TEST,
                    "spring.boot.DisabledTests.undefinedPlaceholderFailsWithTheKey",
                    "spring/boot/OnLocking.java",
                    "new EmptyPropertiesAdvisor().apply(BindHandler.DEFAULT)",
                    "BindHandler.DEFAULT"));

    private ShutdownMutants() {}
}
