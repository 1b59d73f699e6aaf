/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.StartFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import kotlinx.coroutines.flow.FlowKt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Mono;

/** Suspending Kotlin functions and flows. */
class KotlinTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(KotlinWork.class);

    @Test
    void holdWhileASuspendingFunctionIsNotOver() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            assertThat(KotlinCalls.suspending(work, "7")).isEqualTo("HELD job-7");
            KotlinCalls.nothing(work);

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job-7", "-job-7", "+job", "-job");
        });
    }

    @Test
    void knowTheirLockOnEachThread() {
        contexts.withBean(KotlinInnerLease.class).withBean(KotlinLeases.class).run(context -> {
            KotlinLeases work = context.getBean(KotlinLeases.class);

            assertThat(KotlinCalls.leases(work)).containsExactly("outer", "outer", "inner", "outer", "none");
            assertThat(KotlinCalls.leasesOfFlow(work)).containsExactly("outer for none", "outer for none");
            assertThat(KotlinCalls.leasesOfLongFlow(work)).containsExactly("inner in outer");
            assertThat(KotlinCalls.locksIn(work)).isEqualTo("inner, outer");
            assertThat(KotlinCalls.locksInDetachedCoroutine(work)).isEqualTo("inner");
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("busy").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(KotlinCalls.leaseOfFallback(work)).isEqualTo("none");
            }
            assertThat(Locks.current()).isEmpty();
        });
    }

    @Test
    void runPartOfACoroutineUnderTheLockAsInTheGuide() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);

            String status = KotlinCalls.underLock(
                    context.getBean(KotlinWork.class),
                    "order-7",
                    () -> locks.inspect("order-7").status().name());

            assertThat(status).isEqualTo("HELD");
            assertThat(context.getBean(Locking.class).events()).containsExactly("+order-7", "-order-7");
        });
        String source = Docs.read(Path.of("src/test/kotlin/io/dynamolock/spring/interceptor/KotlinWork.kt"));
        assertThat(Docs.blocks("kotlin", Docs.page("guide.md")))
                .singleElement()
                .satisfies(code -> assertThat(source).contains(code.indent(4)));
    }

    static Stream<Object> later() {
        return Stream.of(
                FlowKt.emptyFlow(),
                Mono.empty(),
                new CompletableFuture<>(),
                JobKt.Job(null),
                Stream.of(""),
                ResponseEntity.ok(FlowKt.emptyFlow()));
    }

    @ParameterizedTest
    @MethodSource("later")
    void failIfTheirResultIsComputedAfterTheirEnd(Object result) {
        Object content = result instanceof ResponseEntity<?> response ? response.getBody() : result;

        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);
            assertThatThrownBy(() -> KotlinCalls.underLock(work, "job", () -> result))
                    .isInstanceOf(InvalidDistributedLockException.class)
                    .hasMessageContaining(KotlinWork.class.getName() + ".underLock")
                    .hasMessageContaining(String.valueOf(content).replaceAll("[@{].*", ""));

            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
        });
    }

    /** As in a function whose body is {@code coroutineScope { launch { } }}. */
    @Test
    void mayReturnACoroutineThatHasEnded() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            Job ended = KotlinCalls.structured(work);

            assertThat(ended.isCompleted()).isTrue();
            assertThat(KotlinCalls.underLock(work, "job", () -> ended)).isSameAs(ended);
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job", "+job", "-job");
        });
    }

    @Test
    void failIfTheyReturnACoroutineThatGoesOn() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            assertThatThrownBy(() -> KotlinCalls.launched(work, JobKt.Job(null)))
                    .isInstanceOf(InvalidDistributedLockException.class)
                    .hasMessageContainingAll(KotlinWork.class.getName() + ".launched", "Await it in the function");
        });
    }

    @Test
    void releaseOnFailureAndOnCancellation() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> KotlinCalls.failing(work))
                    .withMessage("on purpose");
            KotlinCalls.cancelled(work, () -> Awaitility.await().until(() -> work.entered() == 1));

            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(context.getBean(Locking.class).events())
                                    .containsExactly("+job", "-job", "+job", "-job"));
        });
    }

    @Test
    void waitWithoutTheirThreadAndNoLongerThanTheirCoroutine() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);
            LockManager locks = context.getBean(LockManager.class);
            Locking locking = context.getBean(Locking.class);
            try (Lease held = locks.tryAcquire("job").orElseThrow()) {
                CompletableFuture<Void> cancelled = CompletableFuture.runAsync(() -> KotlinCalls.cancelledWhileWaiting(
                        work,
                        () -> Awaitility.await().until(() -> locking.waiting().contains("job"))));

                assertThat(cancelled).succeedsWithin(Locking.TIMEOUT);
                assertThat(held.isHeld()).isTrue();
            }

            assertThat(locks.tryAcquire("job").map(Lease::release)).isPresent();
            assertThat(work.entered()).isZero();
        });
    }

    @Test
    void failSkipOrFallBackIfTheLockIsBusy() {
        contexts.withBean(KotlinUnit.class).run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> KotlinCalls.nothing(work)).isInstanceOf(LockBusyException.class);
                assertThat(KotlinCalls.skipped(work)).isNull();
                KotlinCalls.skippedUnit(context.getBean(KotlinUnit.class));
                assertThat(KotlinCalls.fallingBack(work, "a")).isEqualTo("instead of a");
            }

            assertThat(work.entered()).isEqualTo(0);
            assertThat(KotlinCalls.skipped(work)).isEqualTo("done");
            assertThat(KotlinCalls.fallingBack(work, "a")).isEqualTo("work on a");
        });
    }

    @Test
    void areSkippedWithAnEmptyOptional() {
        contexts.withBean(KotlinUnit.class).run(context -> {
            KotlinUnit work = context.getBean(KotlinUnit.class);
            assertThat(KotlinCalls.optionals(work)).containsExactly(Optional.of("done"), OptionalInt.empty());

            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(KotlinCalls.optionals(work)).containsExactly(Optional.empty(), OptionalInt.empty());
            }
        });
    }

    @Test
    void doNotWaitForDetachedCoroutines() {
        contexts.run(context -> {
            CountDownLatch mayEnd = new CountDownLatch(1);
            AtomicBoolean ended = new AtomicBoolean();

            KotlinCalls.detaching(context.getBean(KotlinWork.class), () -> {
                try {
                    HeldLock.awaitDeaf(mayEnd);
                } finally {
                    ended.set(true);
                }
            });

            assertThat(ended).isFalse();
            LockManager locks = context.getBean(LockManager.class);
            assertThat(locks.inspect("job").status()).isEqualTo(LockState.Status.FREE);
            mayEnd.countDown();
        });
    }

    @Test
    void holdWhileAFlowIsCollected() {
        contexts.run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            assertThat(KotlinCalls.flow(work)).containsExactly("a", "HELD");
            assertThat(KotlinCalls.suspendingFlow(work)).containsExactly("a", "HELD");

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job", "+job", "-job");
        });
    }

    static Stream<Arguments> mistakes() {
        String plugin = "kotlin(\"plugin.spring\")";
        String awaited = "Await it in the function";
        String unread = "Kotlin's reflection cannot read it or its fallback (java.util.NoSuchElementException";
        return Stream.of(
                mistake(KotlinNeverNull.class, "a skipped call"),
                mistake(KotlinSuspendingFuture.class, CompletableFuture.class.getName(), awaited),
                mistake(KotlinSuspendingDeferred.class, "kotlinx.coroutines.Deferred", awaited),
                mistake(KotlinChannel.class, "kotlinx.coroutines.channels.ReceiveChannel computes its content"),
                mistake(KotlinCompletableDeferred.class, "Declare the return type kotlinx.coroutines.Deferred,"),
                mistake(KotlinSharedFlow.class, "Declare the return type kotlinx.coroutines.flow.Flow,"),
                mistake(KotlinStateFlow.class, "Declare the return type kotlinx.coroutines.flow.Flow,"),
                mistake(KotlinFinal.class, "its class is final", "Declare it and its methods open", plugin, "@Bean"),
                mistake(KotlinFinalFunction.class, "cannot override a final method", "Declare it open", plugin),
                mistake(KotlinAllFinal.class, "all methods", "are final", "Declare its methods open", plugin),
                mistake(KotlinPlainFallback.class, "KotlinPlainFallback.instead", "Make it a suspend function"),
                mistake(KotlinSuspendingFallback.class, "is a suspend function", "Remove suspend"),
                mistake(KotlinNothing.class, unread, "suspend function that returns Nothing"),
                mistake(KotlinNothingFallback.class, unread, "suspend function that returns Nothing"),
                mistake(KotlinNothingOfType.class, unread, "suspend function that returns Nothing"));
    }

    private static Arguments mistake(Class<?> bean, String... parts) {
        return Arguments.of(bean, parts);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopTheStartIfTheyCannotWork(Class<?> mistake, String[] parts) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContainingAll(parts));
    }

    @ParameterizedTest
    @ValueSource(strings = {"declared", "undeclared", "suspending"})
    void failIfTheyReturnAFunctionThatSuspends(String function) {
        contexts.withBean(KotlinSuspendingLambda.class).run(context -> {
            KotlinSuspendingLambda work = context.getBean(KotlinSuspendingLambda.class);
            assertThatThrownBy(() -> KotlinMistakeCalls.call(work, function))
                    .isInstanceOf(InvalidDistributedLockException.class)
                    .hasMessageContaining(KotlinSuspendingLambda.class.getName() + "." + function);

            assertThat(KotlinMistakeCalls.call(work, "withParameter")).isEqualTo("a none");
        });
    }

    @Test
    void stopTheStartIfTheirClassDoesNotFitItsMetadata() throws Exception {
        Class<?> renamed = renamed(KotlinNeverNull.class);
        Object bean = renamed.getDeclaredConstructor().newInstance();

        contexts.withClassLoader(renamed.getClassLoader())
                .withBean("renamed", Object.class, () -> bean)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(
                                KotlinNeverNull.class.getName() + ".work-renamed:",
                                "KotlinReflectionInternalError",
                                "obfuscator"));
    }

    /** Returns a class whose function has another name than in the metadata for Kotlin's reflection. */
    private static Class<?> renamed(Class<?> type) throws IOException {
        ClassWriter renamed = new ClassWriter(0);
        try (InputStream code = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            new ClassReader(code)
                    .accept(
                            new ClassVisitor(SpringAsmInfo.ASM_VERSION, renamed) {
                                @Override
                                public MethodVisitor visitMethod(
                                        int access, String name, String descriptor, String signature, String[] thrown) {
                                    String changed = name.equals("work") ? "work-renamed" : name;
                                    return super.visitMethod(access, changed, descriptor, signature, thrown);
                                }
                            },
                            0);
        }
        byte[] code = renamed.toByteArray();
        return new ClassLoader(type.getClassLoader()) {
            Class<?> define() {
                return defineClass(type.getName(), code, 0, code.length);
            }
        }.define();
    }

    @ParameterizedTest
    @ValueSource(classes = {KotlinUnit.class, KotlinFlow.class, KotlinDeferred.class})
    void needTheirArtifactForReactor(Class<?> work) {
        Locking.inMemory()
                .withBean(work)
                .withClassLoader(without("kotlinx.coroutines.reactor"))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(
                                work.getSimpleName(), "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor"));
    }

    /** Spring calls them by it, so that each call would fail. */
    @ParameterizedTest
    @ValueSource(classes = {KotlinUnit.class, KotlinDeferred.class})
    void needKotlinReflect(Class<?> work) {
        Locking.inMemory()
                .withBean(work)
                .withClassLoader(without("kotlin.reflect.full", "kotlinx.coroutines.reactor"))
                .run(
                        context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                                .hasMessageContainingAll(
                                        work.getSimpleName() + ".",
                                        "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect"));
        Locking.inMemory()
                .withBean(work)
                .withClassLoader(without("kotlin.reflect.full"))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(work.getSimpleName(), "Add org.jetbrains.kotlin:kotlin-reflect"));
    }

    /** Unlike a {@code FilteredClassLoader}, it has the classes of an injected fault. */
    private static ClassLoader without(String... packages) {
        return new ClassLoader(KotlinTests.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (Stream.of(packages).anyMatch(name::startsWith)) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        };
    }
}
