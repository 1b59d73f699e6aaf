/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults of the checks of annotated methods: their annotations, names and results. */
final class AnnotationMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "only the first of several annotations of a method locks, silently",
                    TEST,
                    "spring.interceptor.SeveralAnnotationsTests.onOneElementStopTheStart",
                    "spring/interceptor/LockedMethodResolver.java",
                    "        annotated.requireOne();\n",
                    ""),
            Mutant.of(
                    "the index of a parameter in braces is accepted as text",
                    TEST,
                    "spring.interceptor.AnnotationMessageTests.messageNamesTheMistakeAndItsRemedy",
                    "spring/interceptor/TemplateRules.java",
                    "return variables.knows(indexed) ? indexed : null;",
                    "return null;"),
            Mutant.of(
                    "a type that is refused at startup is the remedy for an undeclared result",
                    TEST,
                    "spring.interceptor.UndeclaredResultTests.remedyIsToDeclareOnlyWhatCanBeDeclared",
                    "spring/interceptor/LockedMethodFactory.java",
                    "result instanceof CompletionStage || adapter(result.getClass()) != null",
                    "ReturnTypes.isIncomplete(result.getClass())"),
            Mutant.of(
                    "the body of a response is streamed without its lock",
                    TEST,
                    "spring.interceptor.HttpBodyTests.declaredAsComputedLaterStopsTheStart",
                    "spring/interceptor/LockedMethodFactory.java",
                    "if (body != null && ReturnTypes.isIncomplete(body)) {",
                    "if (body == void.class) {"),
            Mutant.of(
                    "a body whose type its method does not declare is streamed without its lock",
                    TEST,
                    "spring.interceptor.HttpBodyTests.undeclaredIsErrorThatReleasesLock",
                    "spring/interceptor/LockedMethodFactory.java",
                    "type == Object.class || body == Object.class",
                    "type == Object.class"),
            Mutant.of(
                    "only the first of several annotations of a type chooses the manager, silently",
                    TEST,
                    "spring.interceptor.SeveralAnnotationsTests.onTypeOfAnnotatedMethodStopTheStart",
                    "spring/interceptor/AnnotatedMethod.java",
                    "LockAnnotations.managersIn(onType, type) > 1",
                    "onType == null"),
            Mutant.of(
                    "only one of several annotations that a method inherits locks, silently",
                    TEST,
                    "spring.interceptor.SeveralAnnotationsTests.differentOnesThatAreInheritedStopTheStart",
                    "spring/interceptor/LockAnnotations.java",
                    "|| !other.synthesize().equals(annotation.synthesize()))",
                    "|| other == annotation)"),
            Mutant.of(
                    "an annotation that overrides another one is refused",
                    TEST,
                    "spring.interceptor.SeveralAnnotationsTests.ofSeveralElementsTheMostSpecificLocks",
                    "spring/interceptor/LockAnnotations.java",
                    "isOverridden(typeOf(one), typeOf(other))",
                    "one == null"),
            Mutant.of(
                    "a method locks by the annotation that a more specific interface overrides",
                    TEST,
                    "spring.interceptor.SeveralAnnotationsTests.ofSeveralElementsTheMostSpecificLocks",
                    "spring/interceptor/LockAnnotations.java",
                    "type.isAssignableFrom(by)",
                    "by.isAssignableFrom(type)"),
            Mutant.of(
                    "a class whose superclass implements its annotated interface is silently not locked",
                    TEST,
                    "spring.interceptor.InheritedImplementationTests.isLocked",
                    "spring/interceptor/LockAnnotations.java",
                    "Stream.concat(Stream.of(called), AnnotatedClasses.implementedBy(called, type, DistributedLock.class))",
                    "Stream.of(called)"),
            Mutant.of(
                    "a class whose superclass implements its annotated interface also runs where its process does not lead",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.annotationOfInterfaceCountsForInheritedImplementation",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    ".anyMatch(AnnotatedMethods::isAnnotated)",
                    ".anyMatch(implemented -> false)"),
            Mutant.of(
                    "startup accepts a leader-only interface whose inherited implementation is final",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.methodThatCannotBeSkippedFailsTheStartup",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "getPointcut().getMethodMatcher().matches(method, type)",
                    "AnnotatedElementUtils.hasAnnotation(method, OnlyOnLeader.class)"),
            Mutant.of(
                    "a lazy bean runs the leader's work everywhere",
                    TEST,
                    "spring.leader.OnlyOnLeaderTests.lazyBeanIsCheckedOnItsCreation",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "        started = true;\n",
                    ""),
            Mutant.of(
                    "an application whose test replaces leader-only work does not start",
                    TEST,
                    "spring.leader.ReplacedBeanTests.startsItsContext",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "isProxied(bean) || isReplaced(name),",
                    "isProxied(bean),"),
            Mutant.of(
                    "a lazy bean in a circular reference is reported as not locked",
                    TEST,
                    "spring.interceptor.NoProxyTests.lazyBeanInCircularReferenceIsLockedWithoutWarning",
                    "spring/interceptor/DistributedLockValidator.java",
                    "early.put(name, bean);",
                    "early.clear();"),
            Mutant.of(
                    "a lazy bean without a proxy is not reported",
                    TEST,
                    "spring.interceptor.NoProxyTests.beanWithoutProxyIsReportedOnItsCreation",
                    "spring/interceptor/DistributedLockValidator.java",
                    "check(name, made.type(), exposed);",
                    "check(name, made.type(), null);"),
            Mutant.of(
                    "a final method of a locked interface runs without its lock beside an open one",
                    TEST,
                    "spring.interceptor.NoProxyTests.annotationThatCanNeverWorkFailsTheStartup",
                    "spring/interceptor/ProxyRules.java",
                    "!each.isByType()",
                    "each.annotation().getSource() == null"),
            Mutant.of(
                    "an annotated type locks what its scheduler asks it",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areLikeMethodsThatDescribeTheBean",
                    "spring/interceptor/LockAnnotations.java",
                    "|| DESCRIPTION.matcher(declared.getName()).matches()",
                    ""),
            Mutant.of(
                    "an annotated type locks a question of Spring",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areLikeQuestionsOfAnyName",
                    "spring/interceptor/LockAnnotations.java",
                    "result == boolean.class",
                    "result == void.class"),
            Mutant.of(
                    "an annotated type does not lock what it does for Spring",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areNotDefaultMethodsThatWork",
                    "spring/interceptor/LockAnnotations.java",
                    "DESCRIPTION.matcher(declared.getName()).matches()",
                    "result != void.class"),
            Mutant.of(
                    "an annotated type does not lock work that returns its own type",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areNotDefaultMethodsThatWork",
                    "spring/interceptor/LockAnnotations.java",
                    "declaring.isAnnotationPresent(FunctionalInterface.class)",
                    "declaring.isInterface()"),
            Mutant.of(
                    "advice of AspectJ inside of the lock does not find its call on another thread",
                    TEST,
                    "spring.interceptor.ExposedCallTests.isThatOfTheThreadWhichRunsTheMethod",
                    "spring/interceptor/LockedBody.java",
                    "return ExposeInvocationInterceptor.INSTANCE.invoke(invocation);",
                    "return invocation.proceed();"),
            Mutant.of(
                    "an annotated type locks the methods by which Spring starts and stops its bean",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areNotLockedByTheAnnotationOfTheType",
                    "spring/interceptor/LockAnnotations.java",
                    "                && !isContainerCallback(called, type)\n",
                    ""),
            Mutant.of(
                    "an annotated type locks what its listener leaves to Spring",
                    TEST,
                    "spring.interceptor.ListenerCallbacksTests.areNotLockedUnlessTheBeanImplementsThem",
                    "spring/interceptor/LockAnnotations.java",
                    "                && !isLeftToListener(called)\n",
                    ""),
            Mutant.of(
                    "an annotated type does not lock what its listener does",
                    TEST,
                    "spring.interceptor.ListenerCallbacksTests.areNotLockedUnlessTheBeanImplementsThem",
                    "spring/interceptor/LockAnnotations.java",
                    "return called.isDefault()\n                && LISTENER.matcher(called.getDeclaringClass().getName()).matches();",
                    "return called.getName().startsWith(\"after\");"),
            Mutant.of(
                    "an annotated type locks what its consumer leaves to Spring",
                    TEST,
                    "spring.interceptor.ListenerCallbacksTests.areNotLockedInConsumersThatDoNotImplementThem",
                    "spring/interceptor/LockAnnotations.java",
                    "|kafka\\\\..*SeekAware",
                    ""),
            Mutant.of(
                    "an annotated type does not lock work that a default method of its listener calls",
                    TEST,
                    "spring.interceptor.ListenerCallbacksTests.areLockedIfTheyCallWorkOfTheBean",
                    "spring/interceptor/LockAnnotations.java",
                    "kafka\\\\..*SeekAware",
                    "kafka\\\\..*(SeekAware|Listener)"),
            Mutant.of(
                    "an application whose lock is busy exits with another code",
                    TEST,
                    "spring.interceptor.ListenerCallbacksTests.giveTheExitCodeWhileTheLockIsBusy",
                    "spring/interceptor/LockAnnotations.java",
                    "            ExitCodeGenerator.class,\n",
                    ""),
            Mutant.of(
                    "every method of a type that Spring gives its environment is unlocked",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.needNoParametersOfTheName",
                    "spring/interceptor/LockAnnotations.java",
                    "                && ClassUtils.hasMethod(type, called.getName(), called.getParameterTypes());",
                    ";"),
            Mutant.of(
                    "an annotated type locks the methods that combine functions",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areLikeMethodsThatCombineFunctions",
                    "spring/interceptor/LockAnnotations.java",
                    "                && !isDescription(called, type)\n",
                    ""),
            Mutant.of(
                    "a listener of an annotated type is not locked",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.areNotTheEventsOfListener",
                    "spring/interceptor/LockAnnotations.java",
                    "return !called.getName().equals(\"onApplicationEvent\")\n                && (",
                    "return true\n                && ("),
            Mutant.of(
                    "a package-private method counts as overridden by a namesake in another package",
                    TEST,
                    "spring.interceptor.NoProxyTests.annotationThatCanNeverWorkFailsTheStartup",
                    "spring/BeanProxy.java",
                    "each.getPackageName().equals(declaring)",
                    "each != null"),
            Mutant.of(
                    "an annotated type all of whose methods are final runs without its lock",
                    TEST,
                    "spring.interceptor.NoProxyTests.annotationThatCanNeverWorkFailsTheStartup",
                    "spring/interceptor/ProxyRules.java",
                    "if (!unlocked.isEmpty()\n",
                    "if (unlocked.size() > 1\n"),
            Mutant.of(
                    "a property that no call has is found in the call only",
                    TEST,
                    "spring.interceptor.AnnotationMessageTests.messageNamesTheMistakeAndItsRemedy",
                    "spring/interceptor/TemplateRules.java",
                    "if (isForgotten || !ROOT.contains(StringUtils.uncapitalize(name))) {",
                    "if (name.isEmpty()) {"),
            Mutant.of(
                    "a package-private method that its proxy cannot override is silently not locked",
                    TEST,
                    "spring.interceptor.NoProxyTests.annotationThatCanNeverWorkFailsTheStartup",
                    "spring/BeanProxy.java",
                    "if (byClass && isOutOfReach(method)) {",
                    "if (byClass && byInterface) {"),
            Mutant.of(
                    "a final method of Spring gives a warning although it calls a locked one",
                    TEST,
                    "spring.interceptor.ContainerCallbacksTests.thatSpringDeclaresFinalGiveNoWarning",
                    "spring/interceptor/ProxyRules.java",
                    "                && !method.getDeclaringClass().getName().startsWith(\"org.springframework.\")\n",
                    ""),
            Mutant.of(
                    "a task of ShedLock whose thread holds its lock by @DistributedLock is silently never run",
                    TEST,
                    "spring.boot.ShedLockAutoConfigurationTests.jobWithBothAnnotationsFails",
                    "spring/shedlock/LeaseLockProvider.java",
                    "                requireNotOwn(request.name());\n",
                    ""));

    private AnnotationMutants() {}
}
