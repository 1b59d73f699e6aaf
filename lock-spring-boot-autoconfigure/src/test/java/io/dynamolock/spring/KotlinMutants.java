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
                    "spring.interceptor.KotlinFunctionTests.areLockedIfTheyOverrideOnesOfAnyTypeByThoseOfAValueClass",
                    "spring/KotlinFunctions.java",
                    "if (method.getName().indexOf('-') <= 0 ||",
                    "if (method.getName().indexOf('-') >= 0 ||"),
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
                    "names.length >= parameters",
                    "names.length <= parameters"),
            Mutant.of(
                    "a fallback is found by its compiled name only",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.haveAFallbackByItsNameInTheSource",
                    "spring/interceptor/FallbackHandler.java",
                    " || KotlinFunctions.nameOf(method).equals(name);",
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
                    "{7})?",
                    "+)?"),
            Mutant.of(
                    "a function is locked by the annotation of another one of its name",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.areNotLockedByTheAnnotationOfAnotherOneOfTheirName",
                    "spring/KotlinFunctions.java",
                    " && isOverridden(bridge, method)",
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
                    "isNameless = false;"));

    private KotlinMutants() {}
}
