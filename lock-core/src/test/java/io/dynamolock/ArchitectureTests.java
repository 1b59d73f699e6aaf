/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.dynamolock.time.Parker;
import io.dynamolock.time.RequestTimer;
import io.dynamolock.time.Scheduler;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.dynamolock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String ROOT = "io.dynamolock.";

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
    static final ArchRule coordinationKnowsOnlyTheApi = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.coordination")
            .should()
            .dependOnClassesThat(
                    resideInAPackage("io.dynamolock.*").and(not(resideInAPackage("io.dynamolock.coordination"))));

    @ArchTest
    static final ArchRule nothingInTheCoreKnowsCoordination = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.coordination")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.coordination");

    @ArchTest
    static final ArchRule timeKnowsNoLock = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.time")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock..").and(not(resideInAPackage("io.dynamolock.time"))));

    /** The engine's layers from top to bottom; every other class of the root package is API. */
    private static final List<Set<String>> LAYERS = List.of(
            names(
                    "DefaultLockManager UnlockedLockManager UnlockedLease LeaseRegistry Shutdown Closing Owners ProcessExit RowAdministration"),
            names("Acquisition AcquisitionAttempt AcquisitionWait AcquisitionRequests NextRequest AcquisitionDriver"
                    + " BlockingAcquisition AsyncAcquisition AcquireContext Proposer Proposal Resumption Undo UndoCase"
                    + " UndoPlan GroupAcquisition AsyncGroupAcquisition"),
            names("HeldLease GrantedLease LeaseGrant LeaseStatus LeaseValidity Heartbeat LeaseRenewal LeaseRelease"
                    + " LeaseLossHandler LossNotification RiskNotification LeaseCheck LeakDetector AsyncClose LeaseDetachment"
                    + " ShutdownOnLoss LeasedThreads LeasedThread LeasedWork ReentrantHolds ReentrantLease LeaseGroup"
                    + " LeaseLock LockHolds"),
            names("EngineContext LocalWaitQueues QueueHistory KnownHolder WaiterPolling TurnClaims Observations"),
            names("StoreClient ConditionFailures RetryBudget RequestTimeouts RequestLimit CorruptRowWarnings"
                    + " FencingTokens"),
            names("LeaseClock ServerLeaseClock WallLeaseClock ClockReading LeaseExpiry LockDelay"));

    /** Classes that decide. */
    private static final Set<String> PURE = names("LeaseValidity LeaseExpiry LeaseGrant Proposer Proposal NextRequest"
            + " UndoPlan Observations WaiterPolling TurnClaims ConditionFailures RetryBudget FencingTokens ClockReading"
            + " LockDelay time.RenewalSchedule time.RenewalPlan time.RecoverySchedule time.PollBackoff"
            + " time.IntervalClock time.StoreAvailability");

    @ArchTest
    static void layersOfTheEngineKnowOnlyLowerOnes(JavaClasses classes) {
        Set<String> above = new HashSet<>();
        for (Set<String> layer : LAYERS) {
            layer.forEach(name -> assertThat(classes.contain("io.dynamolock." + name))
                    .as(name)
                    .isTrue());
            noClasses()
                    .that(are(layer))
                    .should()
                    .dependOnClassesThat(are(above))
                    .check(classes);
            above.addAll(layer);
        }
    }

    /**
     * The builder creates a manager; LockManager runs work under leases, and creates the manager that does not lock;
     * LockManagers closes several managers.
     */
    @ArchTest
    static void apiKnowsNoEngine(JavaClasses classes) {
        Set<String> engine = LAYERS.stream().flatMap(Set::stream).collect(Collectors.toSet());
        noClasses()
                .that(resideInAPackage("io.dynamolock"))
                .and(not(are(engine)))
                .and(not(are(Set.of("LockManager", "LockManagerBuilder", "LockManagers"))))
                .should()
                .dependOnClassesThat(are(engine))
                .check(classes);
    }

    @ArchTest
    static void classesThatDecideAreOnlyFedWithValues(JavaClasses classes) {
        PURE.forEach(name ->
                assertThat(classes.contain("io.dynamolock." + name)).as(name).isTrue());
        noClasses()
                .that(are(PURE))
                .should()
                .dependOnClassesThat(assignableTo(Executor.class)
                        .or(assignableTo(Thread.class))
                        .or(assignableTo(Scheduler.class))
                        .or(assignableTo(Parker.class))
                        .or(assignableTo(LockStore.class))
                        .or(assignableTo(LockListener.class))
                        .or(assignableTo(LeaseClock.class))
                        .or(assignableTo(Clock.class))
                        .or(assignableTo(LongSupplier.class))
                        .or(are(Set.of("StoreClient", "EngineContext")))
                        .or(resideInAPackage("org.slf4j..")))
                .check(classes);
    }

    private static Set<String> names(String names) {
        return Set.of(names.split(" "));
    }

    /** Matches classes by the names of their top-level classes below the root package. */
    private static DescribedPredicate<JavaClass> are(Set<String> names) {
        Set<String> known = Set.copyOf(names);
        return DescribedPredicate.describe(
                "one of " + known, type -> type.getName().startsWith(ROOT) && known.contains(topLevel(type)));
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName().substring(ROOT.length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** Each package is a slice, also the root package. */
    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().assignedFrom(packages()).should().beFreeOfCycles();

    private static SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getName().startsWith(ROOT)
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    @ArchTest
    static final ArchRule classesAreFinalUnlessMeantToBeExtended = classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .doNotHaveFullyQualifiedName("io.dynamolock.LockException")
            .and()
            .doNotHaveFullyQualifiedName("io.dynamolock.SettingsBuilder")
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL);

    @ArchTest
    static final ArchRule theStoreForDynamoDbKnowsNoOtherStore = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.dynamodb")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.memory");

    @ArchTest
    static final ArchRule theStoreInMemoryKnowsNoOtherStore = noClasses()
            .that()
            .resideInAPackage("io.dynamolock.memory")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.dynamodb");

    /** Test doubles are for users' tests. */
    @ArchTest
    static final ArchRule noProductionClassKnowsTestDoubles = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.test")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.dynamolock.test");

    @ArchTest
    static final ArchRule storesDoNotKnowTime = noClasses()
            .that()
            .resideInAnyPackage("io.dynamolock.dynamodb", "io.dynamolock.memory")
            .should()
            .dependOnClassesThat(resideInAPackage("io.dynamolock.time")
                    .and(not(assignableTo(RequestTimer.class)))); // for the SDK, which the time package does not know

    /** The store for DynamoDB has its own clocks, since stores do not know {@code time}. */
    @ArchTest
    static final ArchRule onlyTimeReadsClocksAndSleeps = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.dynamolock.time.ThreadParker")
            .and()
            .haveNameNotMatching("io\\.dynamolock\\.dynamodb\\.Clocks.*")
            .should()
            .accessTargetWhere(readsClock().or(sleeps()));

    /**
     * Closing managers and ending the process must not depend on the threads of a manager, which end meanwhile. {@code
     * coordination} knows only the API, and delays its retries by the JDK.
     */
    @ArchTest
    static final ArchRule onlyTimeCreatesThreads = noClasses()
            .that()
            .resideOutsideOfPackage("io.dynamolock.time")
            .and(not(are(Set.of("Closing", "ProcessExit", "ShutdownOnLoss"))))
            .and()
            .doNotHaveFullyQualifiedName("io.dynamolock.coordination.Retries")
            .should()
            .accessTargetWhere(createsThreads());

    private static DescribedPredicate<JavaAccess<?>> readsClock() {
        return to(System.class, "nanoTime", "currentTimeMillis")
                .or(to(Instant.class, "now").and(withoutArguments()));
    }

    private static DescribedPredicate<JavaAccess<?>> sleeps() {
        return to(Thread.class, "sleep").or(to(TimeUnit.class, "sleep")).or(to(LockSupport.class, "parkNanos"));
    }

    private static DescribedPredicate<JavaAccess<?>> createsThreads() {
        return Stream.of(Thread.class, ThreadPoolExecutor.class, ScheduledThreadPoolExecutor.class, ForkJoinPool.class)
                .map(type -> to(type, JavaConstructor.CONSTRUCTOR_NAME))
                .reduce((one, other) -> one.or(other))
                .orElseThrow()
                .or(to(Executors.class))
                .or(to(CompletableFuture.class, "delayedExecutor", "orTimeout", "completeOnTimeout"));
    }

    /** Matches accesses to methods of a type, including references; without names, to all of them. */
    private static DescribedPredicate<JavaAccess<?>> to(Class<?> owner, String... methods) {
        return DescribedPredicate.describe(
                "accesses " + owner.getSimpleName() + " " + List.of(methods),
                access -> access.getTargetOwner().isEquivalentTo(owner)
                        && (methods.length == 0 || List.of(methods).contains(access.getName())));
    }

    private static DescribedPredicate<JavaAccess<?>> withoutArguments() {
        return DescribedPredicate.describe(
                "without arguments",
                access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                        && target.getRawParameterTypes().isEmpty());
    }
}
