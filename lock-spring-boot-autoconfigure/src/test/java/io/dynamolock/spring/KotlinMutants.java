/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in what is done for Kotlin functions alone. */
final class KotlinMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "an override with a value class for a type variable is not locked",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedWithAValueClassOfText",
                    "spring/KotlinFunctions.java",
                    "(function.getName().indexOf('-') > 0",
                    "(function.getName().indexOf('-') == 0"),
            Mutant.of(
                    "an override with a primitive type for a type variable is not locked",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedWithAPrimitiveTypeAlso",
                    "spring/KotlinFunctions.java",
                    ".anyMatch(Class::isPrimitive)",
                    ".anyMatch(Class::isArray)"),
            Mutant.of(
                    "a locked function is not locked if it is called by a generic type",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedByTheGenericTypeAlso",
                    "spring/interceptor/LockAnnotations.java",
                    "KotlinFunctions.called(method, type)",
                    "org.springframework.aop.support.AopUtils.getMostSpecificMethod(method, type)"),
            Mutant.of(
                    "a locked function is not found in a generic interface",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedByTheGenericTypeAlso",
                    "spring/BeanProxy.java",
                    "KotlinFunctions.called(declared, type).equals(called)",
                    "AopUtils.getMostSpecificMethod(declared, type).equals(called)"),
            Mutant.of(
                    "a fallback gets a value instead of its content",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedByTheGenericTypeAlso",
                    "spring/interceptor/FallbackHandler.java",
                    "ValueClasses.arguments(invocation, method)",
                    "invocation.getArguments()"),
            Mutant.of(
                    "an expression gets a value instead of its content",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areLockedByTheGenericTypeAlso",
                    "spring/interceptor/AttributeTemplate.java",
                    "ValueClasses.arguments(call, annotated.method())",
                    "call.getArguments()"),
            Mutant.of(
                    "leader-only work runs on each process if it is called by a generic type",
                    TEST,
                    "spring.interceptor.KotlinBridgeTests.areSkippedWithoutLeadership",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "KotlinFunctions.called(method, targetClass)",
                    "org.springframework.aop.support.AopUtils.getMostSpecificMethod(method, targetClass)"),
            Mutant.of(
                    "a boxed value has another lock than its content",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.haveOneLockForAValueWhetherItIsBoxedOrNot",
                    "spring/interceptor/LockNameConverter.java",
                    "return content == value ? value : unwrapped(content);",
                    "return value;"),
            Mutant.of(
                    "a parameter has the name of the one after it",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.knowTheirParametersByNameAlsoBehindAContextParameter",
                    "spring/interceptor/LockExpressionVariables.java",
                    "names.length >= count(method)",
                    "names.length <= count(method)"),
            Mutant.of(
                    "a fallback is found by its compiled name only",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.haveAFallbackByItsNameInTheSource",
                    "spring/interceptor/FallbackMethods.java",
                    " || KotlinFunctions.sourceNameOf(method).equals(name);",
                    ";"),
            Mutant.of(
                    "a final function is taken for an overload of the compiler",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheyAreFinalThemselves",
                    "spring/KotlinFunctions.java",
                    "new KotlinReflectionParameterNameDiscoverer().getParameterNames(method) == null",
                    "new KotlinReflectionParameterNameDiscoverer() != null"),
            Mutant.of(
                    "an overload of the compiler is taken for a final function",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areLockedByTheirOverloadsForJava",
                    "spring/KotlinFunctions.java",
                    "function.getParameterCount() > method.getParameterCount()",
                    "function.getParameterCount() < method.getParameterCount()"),
            Mutant.of(
                    "the accessor of a property is taken for an overload of the compiler",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheyAreFinalThemselves",
                    "spring/KotlinFunctions.java",
                    "                && Arrays.equals(function.getDeclaredAnnotations(), method.getDeclaredAnnotations());",
                    ";"),
            Mutant.of(
                    "a function whose name begins with that of a fallback is not locked",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areLockedByTheirTypeIfTheirNameBeginsWithThatOfItsFallback",
                    "spring/KotlinFunctions.java",
                    "? Reflection.nameOf(method)",
                    "? nameOf(method)"),
            Mutant.of(
                    "a function is locked by the annotation of another one of its name",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areNotLockedByTheAnnotationOfAnotherOneOfTheirName",
                    "spring/KotlinFunctions.java",
                    " && isOverridden(bridge, function)",
                    ""),
            Mutant.of(
                    "an override of a default method by a value class is not locked",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areLockedIfTheyInheritSuchAnOverride",
                    "spring/KotlinFunctions.java",
                    "Stream.of(type.getInterfaces())",
                    "Stream.<Class<?>>empty()"),
            Mutant.of(
                    "the remedy for a lambda is to declare it open",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartWithARemedyForALambda",
                    "spring/BeanProxy.java",
                    "isNameless = type.isAnonymousClass();",
                    "isNameless = false;"),
            Mutant.of(
                    "a skipped suspending function has no empty optional",
                    TEST,
                    "spring.interceptor.KotlinTests.areSkippedWithAnEmptyOptional",
                    "spring/interceptor/ReactiveType.java",
                    "result instanceof Publisher ? (Publisher<Object>) result : Mono.just(result);",
                    "(Publisher<Object>) result;"),
            Mutant.of(
                    "a locked flow leaves the context of its collector",
                    TEST,
                    "spring.interceptor.KotlinFlowTests.runInTheContextOfTheirCollector",
                    "spring/interceptor/ReactiveFlow.java",
                    ".plus(context)",
                    ""),
            Mutant.of(
                    "a locked flow ends at its first null",
                    TEST,
                    "spring.interceptor.KotlinFlowTests.emitNullUnderTheLock",
                    "spring/interceptor/ReactiveFlow.java",
                    "(coroutine, end) -> flow.collect(this, end))",
                    "(coroutine, end) -> kotlinx.coroutines.reactive.ReactiveFlowKt.asFlow(\n                                    kotlinx.coroutines.reactor.ReactorFlowKt.asFlux((Flow<Object>) flow)).collect(this, end))"),
            Mutant.of(
                    "a locked flow emits in a context of its own",
                    TEST,
                    "spring.interceptor.KotlinFlowTests.emitInTheContextOfOtherFlows",
                    "spring/interceptor/ReactiveFlow.java",
                    "return collection.context;",
                    "return flow.getContext();"),
            Mutant.of(
                    "a cancelled collector waits for the lock of its flow",
                    TEST,
                    "spring.interceptor.KotlinFlowTests.doNotKeepACancelledCollectorWaitingForTheLock",
                    "spring/interceptor/ReactiveType.java",
                    "isOf(FLOW) ? ReactiveFlow.untilCancelled(call) : call",
                    "call"),
            Mutant.of(
                    "a locked flow fails if its collector throws an exception",
                    TEST,
                    "spring.interceptor.KotlinFlowTests.passOnTheExceptionOfTheirCollector",
                    "spring/interceptor/ReactiveFlow.java",
                    "failure == thrown ? Mono.empty() : Mono.error(failure)",
                    "Mono.error(failure)"),
            Mutant.of(
                    "the collector of a locked flow is in its lock",
                    TEST,
                    "spring.interceptor.KotlinTests.knowTheirLockOnEachThread",
                    "spring/interceptor/ReactiveFlow.java",
                    "            LockScope.restore(LockScope.open(scope));\n",
                    ""),
            Mutant.of(
                    "a channel is received from without the lock",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheyCannotWork",
                    "spring/interceptor/ReturnTypes.java",
                    ",\n            \"kotlinx.coroutines.channels.ReceiveChannel\"",
                    ""),
            Mutant.of(
                    "the remedy for a special flow is another library",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheyCannotWork",
                    "spring/interceptor/LockedMethodFactory.java",
                    "adapter == null\n                            ? remedy(type)",
                    "type != null\n                            ? remedy(type)"),
            Mutant.of(
                    "the continuation of a suspend function counts as a parameter of it",
                    TEST,
                    "spring.interceptor.NameTemplateTests.unknownParameterOfMethodWithoutAnyIsReportedAsSuch",
                    "spring/interceptor/LockExpressionVariables.java",
                    "count = count(called);",
                    "count = called.getParameterCount();"),
            Mutant.of(
                    "a failure of Kotlin's reflection does not name the method",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheirClassDoesNotFitItsMetadata",
                    "spring/KotlinFunctions.java",
                    "anyMatch(code -> code.startsWith(\"kotlin.\"))",
                    "anyMatch(code -> code.startsWith(\"io.dynamolock.\"))"),
            Mutant.of(
                    "a failure of Kotlin's reflection on a fallback does not name the method",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheyCannotWork",
                    "spring/interceptor/LockedMethodResolver.java",
                    "annotated.read(() -> read(annotated))",
                    "read(annotated)"),
            Mutant.of(
                    "the arguments in an expression have a continuation",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.haveOnlyTheArgumentsOfTheirSource",
                    "spring/interceptor/LockExpressionVariables.java",
                    "passed.length > count",
                    "passed.length < count"),
            Mutant.of(
                    "a lock may depend on a continuation",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheirLockDependsOnTheirContinuation",
                    "spring/interceptor/LockExpressionVariables.java",
                    "(KotlinDetector.isSuspendingFunction(method) ? 1 : 0)",
                    "(KotlinDetector.isSuspendingFunction(method) ? 0 : 0)"),
            Mutant.of(
                    "each overload that fits as the fallback of a type runs without the lock",
                    TEST,
                    "spring.interceptor.BusyTests.locksOverloadsThatAreNotTheFallbackOfTheirType",
                    "spring/interceptor/LockAnnotations.java",
                    "called.equals(fallback(locked, name))",
                    "FallbackHandler.fits(called, type, locked)"),
            Mutant.of(
                    "each overload for a value class runs without the lock of its type",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areLockedByTheirTypeIfAnotherOverloadIsItsFallback",
                    "spring/interceptor/LockAnnotations.java",
                    "called.equals(fallback(locked, name))",
                    "FallbackHandler.fits(called, type, locked)"),
            Mutant.of(
                    "a failure of Kotlin's reflection on the fallback of a type does not name the method",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheyCannotWork",
                    "spring/interceptor/LockAnnotations.java",
                    "locked.read(() -> FallbackHandler.find(locked, locked.type(), name))",
                    "FallbackHandler.find(locked, locked.type(), name)"),
            Mutant.of(
                    "a function that Kotlin's reflection does not know has no name",
                    TEST,
                    "spring.interceptor.KotlinTests.stopTheStartIfTheirClassDoesNotFitItsMetadata",
                    "spring/KotlinFunctions.java",
                    "if (!isCause(unknown)) {",
                    "if (isCause(unknown)) {"),
            Mutant.of(
                    "a function is shown by its compiled name",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areShownByTheirNameInTheSource",
                    "spring/interceptor/AnnotatedMethod.java",
                    "KotlinFunctions.sourceNameOf(method)",
                    "method.getName()"),
            Mutant.of(
                    "a deferred is locked without the artifact that adapts it",
                    TEST,
                    "spring.interceptor.KotlinTests.needTheirArtifactForReactor",
                    "spring/interceptor/LockedMethodFactory.java",
                    "if (type.getName().equals(ReactiveType.DEFERRED)) {",
                    "if (type.getName().equals(ReactiveType.DEFERRED) && isPresent(ReactiveType.FLOW + \"s\")) {"),
            Mutant.of(
                    "an inline function has an annotation without effect",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheyAreFinalThemselves",
                    "spring/interceptor/ProxyRules.java",
                    "annotated = isInSource(method) ?",
                    "annotated = !method.isSynthetic() ?"),
            Mutant.of(
                    "an inline function of an annotated type is not reported",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areLockedIfOnlyKotlinSeesThem",
                    "spring/interceptor/ProxyRules.java",
                    "annotated = isInSource(method) ?",
                    "annotated = !method.isSynthetic() ?"));

    private KotlinMutants() {}
}
