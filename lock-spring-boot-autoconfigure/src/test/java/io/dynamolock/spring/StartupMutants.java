/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in what fails the startup, in the remedies that messages name, and in hints for native images. */
final class StartupMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "one of several stores is taken, whichever comes first",
                    TEST,
                    "spring.boot.DynamolockAutoConfigurationTests.rejectsToChooseAmongSeveralStores",
                    "spring/boot/DynamolockAutoConfiguration.java",
                    "return stores.getObject();",
                    "return stores.stream().findFirst().orElseThrow();"),
            Mutant.of(
                    "the remedy for an array is a lock for each of its bytes",
                    TEST,
                    "spring.interceptor.NameTemplateValueTests.remedyForArraysIsOneThatTheyHave",
                    "spring/interceptor/ShownParts.java",
                    "array == whole && SeveralValues.elements(array) != null",
                    "array == whole"),
            Mutant.of(
                    "a method of nothing fails each call",
                    TEST,
                    "spring.interceptor.NameTemplateTests.methodOfNothingIsRejected",
                    "spring/interceptor/TemplateRules.java",
                    "isOfRoot && node instanceof MethodReference method",
                    "isOfRoot && node instanceof MethodReference method && method.getName().isEmpty()"),
            Mutant.of(
                    "the remedy for a condition is an expression that cannot be evaluated",
                    TEST,
                    "spring.interceptor.ConditionTests.remedyForTextAroundExpressionIsAnExpression",
                    "spring/interceptor/TemplateRules.java",
                    "isCondition() && !isExpression(corrected)",
                    "!isExpression(\"#{true}\")"),
            Mutant.of(
                    "a method for the leader starts although several leaderships could be asked",
                    TEST,
                    "spring.leader.SeveralLeadershipsTests.methodThatCouldAskAnyOfThemFailsTheStartup",
                    "spring/leader/OnlyOnLeaderValidator.java",
                    "        requireUnique(leaderships, type, first);\n",
                    ""),
            Mutant.of(
                    "an application with several leaderships does not start, for their meters",
                    TEST,
                    "spring.leader.SeveralLeadershipsTests.applicationThatInjectsThemByNameStartsWithoutMetersOfTheLeader",
                    "spring/boot/DynamolockMetricsAutoConfiguration.java",
                    "leadership.ifUnique(",
                    "leadership.ifAvailable("),
            Mutant.of(
                    "calls skipped in a child context are not counted",
                    TEST,
                    "spring.leader.SeveralLeadershipsTests.callsSkippedInChildContextCountInTheMeterOfItsParent",
                    "spring/leader/OnlyOnLeaderAdvisor.java",
                    "each = each.ofParent",
                    "each = null"),
            Mutant.of(
                    "the lock of the leader is taken for one of another manager",
                    TEST,
                    "spring.boot.LeaderLockTests.areThoseOfTheManagerThatElects",
                    "spring/boot/LeaderLockCheck.java",
                    "equals(ElectingManager.in(beans))",
                    "equals(ManagerProperties.DEFAULT_MANAGER)"),
            Mutant.of(
                    "a native image cannot call a method of the leader by its interface",
                    TEST,
                    "spring.boot.NativeHintTests.existForMethodsOfTheLeader",
                    "spring/leader/OnlyOnLeaderAotProcessor.java",
                    "BeanProxy.invocable(type, method)",
                    "java.util.stream.Stream.of(method)"),
            Mutant.of(
                    "several beans are reported as missing while locks are disabled",
                    TEST,
                    "spring.boot.DisabledTests.severalBeansAreNotReportedAsMissing",
                    "spring/boot/DisabledLocksFailureAnalyzer.java",
                    "!isMissing || ",
                    ""));

    private StartupMutants() {}
}
