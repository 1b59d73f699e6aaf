/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

@AnalyzeClasses(packages = "io.dynamolock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    @ArchTest
    static final ArchRule theCoreKnowsNoSpring =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule onlyOnePackageKnowsTheSdk = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.dynamodb")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon..");

    @ArchTest
    static final ArchRule theEngineKnowsNoStore = noClasses()
            .that()
            .resideInAPackage("io.dynamolock")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.dynamolock.dynamodb", "io.dynamolock.memory", "io.dynamolock.test"));

    @ArchTest
    static final ArchRule timeKnowsNoLock = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.time")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock..").and(not(resideInAPackage("io.dynamolock.time"))));

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("io.dynamolock.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule classesAreFinalUnlessMeantToBeExtended = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .doNotHaveFullyQualifiedName("io.dynamolock.LockException")
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule theClockIsReadInOnePlaceOfEachPackage = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.dynamolock.time.ThreadParker")
            .and(not(belongToAnyOf(waiting())))
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    private static Class<?> waiting() {
        try {
            return Class.forName("io.dynamolock.dynamodb.Waiting");
        } catch (ClassNotFoundException gone) {
            throw new IllegalStateException(gone);
        }
    }
}
