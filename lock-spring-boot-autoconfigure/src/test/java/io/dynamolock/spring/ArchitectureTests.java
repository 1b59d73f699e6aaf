/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.dynamolock.time.TestClock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Architecture rules of this module. */
@AnalyzeClasses(packages = "io.dynamolock.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    @ArchTest
    static final ArchRule autoConfigurationsArePublicAndFinal = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .andShould()
            .haveSimpleNameEndingWith("AutoConfiguration");

    @ArchTest
    static final ArchRule beanMethodsArePackagePrivate =
            methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate();

    @ArchTest
    static final ArchRule configurationsAreNotProxied = classes()
            .that()
            .areAnnotatedWith(Configuration.class)
            .should(be(describe(
                    "without proxied bean methods",
                    type -> !type.getAnnotationOfType(Configuration.class).proxyBeanMethods())));

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("io.dynamolock.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theApiKnowsNoOtherPackage = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.spring.*..");

    @ArchTest
    static final ArchRule theInterceptorKnowsTheApiAndObservationOnly = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring.interceptor..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.spring..")
                    .and(not(resideInAnyPackage(
                            "io.dynamolock.spring",
                            "io.dynamolock.spring.interceptor..",
                            "io.dynamolock.spring.observation.."))));

    @ArchTest
    static final ArchRule onlyBootKnowsTheInterceptor = noClasses()
            .that()
            .resideOutsideOfPackages("io.dynamolock.spring.boot..", "io.dynamolock.spring.interceptor..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.spring.interceptor..");

    @ArchTest
    static final ArchRule onlyTestKnowsBoot = noClasses()
            .that()
            .resideOutsideOfPackages("io.dynamolock.spring.boot..", "io.dynamolock.spring.test..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.spring.boot..");

    @ArchTest
    static final ArchRule theRegistryKnowsTheApiOnly = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring.integration..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.spring..")
                    .and(not(resideInAnyPackage("io.dynamolock.spring", "io.dynamolock.spring.integration.."))));

    @ArchTest
    static final ArchRule theLockProviderKnowsTheApiOnly = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring.shedlock..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.spring..")
                    .and(not(resideInAnyPackage("io.dynamolock.spring", "io.dynamolock.spring.shedlock.."))));

    @ArchTest
    static final ArchRule theLeaderKnowsTheApiOnly = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring.leader..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.spring..")
                    .and(not(resideInAnyPackage("io.dynamolock.spring", "io.dynamolock.spring.leader.."))));

    @ArchTest
    static final ArchRule onlyBootKnowsTheLeader = noClasses()
            .that()
            .resideOutsideOfPackages("io.dynamolock.spring.boot..", "io.dynamolock.spring.leader..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.spring.leader..");

    @ArchTest
    static final ArchRule onlyBootKnowsTheAdapters = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.dynamolock.spring.boot..",
                    "io.dynamolock.spring.integration..",
                    "io.dynamolock.spring.shedlock..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.dynamolock.spring.integration..", "io.dynamolock.spring.shedlock..");

    @ArchTest
    static final ArchRule springIntegrationIsOptional = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.integration")
            .and()
            .doNotHaveSimpleName("DynamolockIntegrationAutoConfiguration")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.integration..");

    @ArchTest
    static final ArchRule shedLockIsOptional = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.shedlock")
            .and()
            .doNotHaveSimpleName("DynamolockShedLockAutoConfiguration")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("net.javacrumbs..");

    @ArchTest
    static final ArchRule testKnowsTheApiAndBootOnly = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.spring.test..")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.spring..")
                    .and(not(resideInAnyPackage(
                            "io.dynamolock.spring", "io.dynamolock.spring.boot..", "io.dynamolock.spring.test.."))));

    @ArchTest
    static final ArchRule onlyBootKnowsBootsConfiguration = noClasses()
            .that()
            .resideOutsideOfPackages("io.dynamolock.spring.boot..", "io.dynamolock.spring.test")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot.autoconfigure..", "org.springframework.boot.context.properties..");

    @ArchTest
    static final ArchRule meterRegistriesAreOptional = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.metrics")
            .and()
            .doNotHaveSimpleName("DynamolockMetricsAutoConfiguration")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer.core..");

    @ArchTest
    static final ArchRule contextPropagationIsOptional = noClasses()
            .that()
            .doNotHaveSimpleName("CallerContext")
            .and()
            .doNotHaveSimpleName("Snapshots")
            .and()
            .doNotHaveSimpleName("LocksThreadLocalAccessor")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer.context..");

    @ArchTest
    static final ArchRule reactorIsOptional = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Reactive")
            .and()
            .haveSimpleNameNotStartingWith("Hold")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("reactor..", "org.reactivestreams..");

    @ArchTest
    static final ArchRule springsTransactionsAreOptional = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.dynamolock.spring.interceptor.TransactionHold$Leases")
            .and()
            .doNotHaveFullyQualifiedName("io.dynamolock.spring.interceptor.TransactionGuard$Listener")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.transaction..");

    @ArchTest
    static final ArchRule springTestIsOptional = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.test")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.test..", "io.dynamolock.spring.test..");

    @ArchTest
    static final ArchRule productionKnowsNoTestSupport = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.test")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.test").or(type(TestClock.class)));

    @ArchTest
    static final ArchRule containersAreOptional = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.boot.connection")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework.boot.docker..",
                    "org.springframework.boot.testcontainers..",
                    "org.testcontainers..");

    @ArchTest
    static final ArchRule nobodyKnowsDynamoDbLocal =
            noClasses().should().dependOnClassesThat().resideInAPackage("software.amazon.dynamodb..");

    @ArchTest
    static final ArchRule theAnnotationKnowsNoSdk = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.spring.boot")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk..");

    /** The rest of the package is internal to the core. */
    @ArchTest
    static final ArchRule onlyTheTestClockOfTimeIsUsed = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.time..").and(not(type(TestClock.class))));

    @ArchTest
    static final ArchRule nobodyReadsAClock = noClasses()
            .should()
            .accessTargetWhere(to(System.class, "nanoTime", "currentTimeMillis").or(to(Instant.class, "now")));

    /** One paces threads of callers, the other halts a process that does not exit in time. */
    @ArchTest
    static final ArchRule nobodyElseSleeps = noClasses()
            .that()
            .doNotHaveSimpleName("BusyLockPacer")
            .and()
            .doNotHaveSimpleName("ApplicationExit")
            .should()
            .accessTargetWhere(to(Thread.class, "sleep").or(to(TimeUnit.class, "sleep")));

    /**
     * The end of an application must not depend on threads that end with it, or on listeners of a leadership that do not
     * return, and a method that must not join its caller's transaction has a thread of its own.
     */
    @ArchTest
    static final ArchRule fewCreateThreads = noClasses()
            .that()
            .doNotHaveSimpleName("ApplicationExit")
            .and()
            .doNotHaveSimpleName("CallThread")
            .and()
            .doNotHaveSimpleName("ElectedLeadership")
            .should()
            .accessTargetWhere(to(Executors.class)
                    .or(to(Thread.class, JavaConstructor.CONSTRUCTOR_NAME))
                    .or(to(ThreadPoolExecutor.class, JavaConstructor.CONSTRUCTOR_NAME))
                    .or(to(SimpleAsyncTaskExecutor.class, JavaConstructor.CONSTRUCTOR_NAME))
                    .or(to(CompletableFuture.class, "delayedExecutor", "orTimeout", "completeOnTimeout")));

    /** Matches accesses to methods of a type, including references; without names, to all of them. */
    private static DescribedPredicate<JavaAccess<?>> to(Class<?> owner, String... methods) {
        return describe(
                "accesses " + owner.getSimpleName() + " " + List.of(methods),
                access -> access.getTargetOwner().isEquivalentTo(owner)
                        && (methods.length == 0 || List.of(methods).contains(access.getName())));
    }
}
