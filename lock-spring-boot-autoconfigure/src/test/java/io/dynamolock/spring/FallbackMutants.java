/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in the choice of fallbacks, and in what surrounds calls that get no lock. */
final class FallbackMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a scheduled method waits as long as its manager's other callers",
                    TEST,
                    "spring.interceptor.BusyTests.scheduledMethodThatSkipsDoesNotWaitByDefault",
                    "spring/interceptor/LockedMethodResolver.java",
                    "annotated.isJob() ? Duration.ZERO : null",
                    "null"),
            Mutant.of(
                    "a scheduled method never waits by default, whatever it does then",
                    TEST,
                    "spring.interceptor.BusyTests.scheduledMethodWaitsIfItSaysSoOrThrows",
                    "spring/interceptor/AnnotatedMethod.java",
                    "isScheduled() && onBusy(OnBusy.THROW) == OnBusy.SKIP",
                    "isScheduled()"),
            Mutant.of(
                    "any of several fallbacks is called",
                    TEST,
                    "spring.interceptor.FallbackMethodsTests.thatDoesNotFitStopsTheStart",
                    "spring/interceptor/FallbackMethods.java",
                    "if (best.size() == 1) {\n            return best.get(0);",
                    "if (!fitting.isEmpty()) {\n            return fitting.get(0);"),
            Mutant.of(
                    "a fallback for another value class is called with the content of this one",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheirFallbackIsForAnotherValueClass",
                    "spring/interceptor/FallbackMethods.java",
                    "|| (value != null",
                    "|| (value == Void.class"),
            Mutant.of(
                    "a fallback throws what its method does not declare",
                    TEST,
                    "spring.interceptor.FallbackMethodsTests.thatDoesNotFitStopsTheStart",
                    "spring/interceptor/FallbackMethods.java",
                    "return declared(choose(annotated, type, name), type, annotated);",
                    "return choose(annotated, type, name);"),
            Mutant.of(
                    "a fallback may not throw what its method declares",
                    TEST,
                    "spring.interceptor.FallbackMethodsTests.mayThrowWhatTheMethodDeclares",
                    "spring/interceptor/FallbackMethods.java",
                    "!ReflectionUtils.declaresException(method, thrown) && ",
                    ""),
            Mutant.of(
                    "the fallback of a publisher may not throw what its subscriber gets",
                    TEST,
                    "spring.interceptor.FallbackMethodsTests.mayThrowWhatTheMethodDeclares",
                    "spring/interceptor/FallbackMethods.java",
                    "if (!ReturnTypes.isIncomplete(annotated.returnType())",
                    "if (annotated != null"),
            Mutant.of(
                    "a time in the annotation of a type without a name has no effect, silently",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.hasNoUseForAttributesOfTypeWithoutName",
                    "spring/interceptor/ProxyRules.java",
                    "if (!unused.isEmpty() && ",
                    "if (unused.isEmpty() && "),
            Mutant.of(
                    "a type's annotation must lock a method, even if a subclass annotates each of its own",
                    TEST,
                    "spring.interceptor.UnreachableWorkTests.hasNoUseForAttributesOfTypeWithoutName",
                    "spring/interceptor/ProxyRules.java",
                    " && !unused.contains(\"name\")",
                    ""),
            Mutant.of(
                    "a call that cannot be evaluated is in no meter",
                    TEST,
                    "spring.observation.LockObservationTests.isAlsoOfCallThatCannotBeEvaluated",
                    "spring/interceptor/LockSpecification.java",
                    "observations.get().start(method, name, managerOf(invocation), name).ended(failure);",
                    ""),
            Mutant.of(
                    "a locked listener of lock events calls itself without end",
                    TEST,
                    "spring.LockEventTests.refuseListenersWhoseOwnLockPublishesThem",
                    "spring/interceptor/LockedMethodResolver.java",
                    "EventLoopCheck.check(annotated, said);",
                    ""),
            Mutant.of(
                    "a locked listener cannot exclude its own lock by a condition",
                    TEST,
                    "spring.LockEventTests.mayBeListenedToUnderLockOfOtherEvents",
                    "spring/interceptor/EventLoopCheck.java",
                    "if (!listener.condition().isBlank() || awaits",
                    "if (awaits"),
            Mutant.of(
                    "a locked listener of skipped calls must not throw if its lock is busy",
                    TEST,
                    "spring.LockEventTests.mayBeListenedToUnderLockOfOtherEvents",
                    "spring/interceptor/EventLoopCheck.java",
                    "onBusy == OnBusy.THROW ? LockEvent.Rejected.class : LockEvent.Skipped.class",
                    "LockEvent.Skipped.class"),
            Mutant.of(
                    "a test with locks in memory rejects an empty group of managers",
                    TEST,
                    "spring.test.TestLocksAutoConfigurationTests.tableOfNamedManagerIsRejectedBeforeAnyRequest",
                    "spring/test/TestLocksAutoConfiguration.java",
                    ", new IgnoreErrorsBindHandler())",
                    ")"),
            Mutant.of(
                    "a test with locks in memory creates the table of a named manager",
                    TEST,
                    "spring.test.TestLocksAutoConfigurationTests.tableOfNamedManagerIsRejectedBeforeAnyRequest",
                    "spring/test/TestLocksAutoConfiguration.java",
                    "if (own.store() == Store.DYNAMODB && ",
                    "if (own.store() == null && "));

    private FallbackMutants() {}
}
