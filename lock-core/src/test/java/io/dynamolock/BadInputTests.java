/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid input is rejected where it is set, or is harmless. */
class BadInputTests {

    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private final LockManagerBuilder builder = LockManager.builder(new InMemoryLockStore());

    @ParameterizedTest
    @MethodSource("managerSettings")
    void managerBuilderRejectsNullByName(String setting, Consumer<LockManagerBuilder> toNull) {
        assertThatNullPointerException()
                .isThrownBy(() -> toNull.accept(builder))
                .withMessage(setting);
    }

    @SuppressWarnings("NullAway")
    static Stream<Arguments> managerSettings() {
        return Stream.of(
                manager("settings", with -> with.settings(null)),
                manager("leaseDuration", with -> with.leaseDuration(null)),
                manager("time", with -> with.time(null)),
                manager("maxClockSkew", with -> with.maxClockSkew(null)),
                manager("lockDelay", with -> with.lockDelay(null)),
                manager("waitTime", with -> with.waitTime(null)),
                manager("pollMin", with -> with.pollMin(null)),
                manager("pollMax", with -> with.pollMax(null)),
                manager("namePrefix", with -> with.namePrefix(null)),
                manager("shutdownGrace", with -> with.shutdownGrace(null)),
                manager("onLost", with -> with.onLost(null)),
                manager("shutdownAction", with -> with.shutdownAction(null)),
                manager("owner", with -> with.owner(null)),
                manager("retryPolicy", with -> with.retryPolicy(null)),
                manager("listener", with -> with.listener(null)),
                manager("clock", with -> with.clock(null)),
                manager("nanoTime", with -> with.nanoTime(null)),
                manager("asyncExecutor", with -> with.asyncExecutor(null)),
                manager("testClock", with -> with.testClock(null)));
    }

    private static Arguments manager(String setting, Consumer<LockManagerBuilder> change) {
        return argumentSet(setting, setting, change);
    }

    @ParameterizedTest
    @MethodSource("requestSettings")
    void requestRejectsNullByName(String setting, Consumer<LockRequest> toNull) {
        assertThatNullPointerException()
                .isThrownBy(() -> toNull.accept(LockRequest.of("job")))
                .withMessage(setting);
    }

    @SuppressWarnings("NullAway")
    static Stream<Arguments> requestSettings() {
        return Stream.of(
                request("leaseDuration", request -> request.leaseDuration(null)),
                request("waitTime", request -> request.waitTime(null)),
                request("maxHold", request -> request.maxHold(null)),
                request("minHold", request -> request.minHold(null)),
                request("pollMin", request -> request.pollMin(null)),
                request("pollMax", request -> request.pollMax(null)),
                request("owner", request -> request.owner(null)),
                request("metadata", request -> request.metadata(null)),
                request("onLost", request -> request.onLost(null)));
    }

    private static Arguments request(String setting, Consumer<LockRequest> change) {
        return argumentSet(setting, setting, change);
    }

    @Test
    void optionalSettingsAcceptNull() {
        LockSettings settings = builder.maxLeaseDuration(null)
                .heartbeatInterval(null)
                .attemptTimeout(null)
                .callTimeout(null)
                .settings();

        assertThat(settings).isEqualTo(LockSettings.DEFAULTS);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void longDurationsDoNotOverflow(String setting, Consumer<LockManagerBuilder> change) {
        change.accept(builder);
        LockManager locks;
        try {
            locks = builder.build();
        } catch (IllegalArgumentException rejected) {
            assertThat(rejected).hasMessageStartingWith(setting + " ");
            return;
        }
        assertThatCode(() -> takeTwice(locks, "job")).doesNotThrowAnyException();
    }

    static Stream<Arguments> durations() {
        return Stream.of(
                manager("leaseDuration", with -> with.leaseDuration(ENDLESS)),
                manager("maxLeaseDuration", with -> with.maxLeaseDuration(ENDLESS)),
                manager("maxClockSkew", with -> with.maxClockSkew(ENDLESS)),
                manager("lockDelay", with -> with.lockDelay(ENDLESS)),
                manager("heartbeatInterval", with -> with.heartbeatInterval(ENDLESS)),
                manager("waitTime", with -> with.waitTime(ENDLESS)),
                manager("pollMin", with -> with.pollMin(ENDLESS)),
                manager("pollMax", with -> with.pollMax(ENDLESS)),
                manager("attemptTimeout", with -> with.attemptTimeout(ENDLESS)),
                manager("callTimeout", with -> with.callTimeout(ENDLESS)),
                manager("shutdownGrace", with -> with.shutdownGrace(ENDLESS)));
    }

    /** A second caller waits and gets the lock when the first one releases it. */
    private static void takeTwice(LockManager locks, String name) throws Exception {
        Lease first = locks.acquire(LockRequest.of(name));
        var second = locks.acquireAsync(LockRequest.of(name).waitTime(ENDLESS));
        first.close();
        second.join().close();
        locks.close();
    }

    @Test
    void longestRequestTimesWork() {
        Duration year = Duration.ofDays(365);
        LockManager locks = builder.build();
        LockRequest request = LockRequest.of("job")
                .leaseDuration(year)
                .waitTime(ENDLESS)
                .maxHold(year)
                .minHold(Duration.ofMillis(1));

        assertThatCode(() -> locks.acquire(request).close()).doesNotThrowAnyException();
        locks.close();
    }

    @SuppressWarnings("NullAway")
    static Stream<Arguments> callsThatLackSomething() {
        return Stream.of(
                call("request", (locks, lease) -> locks.tryAcquire((LockRequest) null)),
                call("request", (locks, lease) -> locks.acquire((LockRequest) null)),
                call("request", (locks, lease) -> locks.asLock((LockRequest) null)),
                call("unit", (locks, lease) -> locks.asLock("other").tryLock(1, null)),
                call("token", (locks, lease) -> locks.resume(null)),
                call("keep", (locks, lease) -> locks.keep("job", lease.id(), null)),
                call("keep", (locks, lease) -> lease.release(null)),
                call("leaseId", (locks, lease) -> locks.revoke("job", null)),
                call("leaseId", (locks, lease) -> locks.forceRelease("job", null)),
                call("work", (locks, lease) -> locks.tryRun("other", null)),
                call("work", (locks, lease) -> locks.call("other", (Callable<String>) null)),
                call("work", (locks, lease) -> locks.tryCall("other", (LockedWork<String>) null)),
                call("leaseDuration", (locks, lease) -> lease.renew(null)),
                call("action", (locks, lease) -> lease.onLost(null)),
                call("action", (locks, lease) -> lease.onAtRisk(null)));
    }

    private static Arguments call(String what, Call call) {
        return argumentSet(what, what, call);
    }

    private interface Call {
        void on(LockManager locks, Lease lease) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("callsThatLackSomething")
    void callWithMissingArgumentNamesItAndAcquiresNothing(String what, Call call) throws InterruptedException {
        assertNamed(what, call, LockRequest.of("job"));
        assertNamed(what, call, LockRequest.of("job").reentrant(true));
    }

    private void assertNamed(String what, Call call, LockRequest request) throws InterruptedException {
        try (LockManager locks = builder.build();
                Lease lease = locks.acquire(request)) {
            assertThatNullPointerException()
                    .isThrownBy(() -> call.on(locks, lease))
                    .withMessage(what);
            assertThat(locks.held()).hasSize(1);
        }
    }

    @Test
    void ownerIsGeneratedOnlyIfMissing() {
        assertThat(owners(builder)).hasSizeGreaterThan(1);
        assertThat(owners(builder.owner("me"))).containsExactly("me");
    }

    /** Returns the owners of several managers of one builder. */
    private static Set<String> owners(LockManagerBuilder builder) {
        Set<String> owners = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            try (LockManager locks = builder.build();
                    Lease lease = locks.tryAcquire("job " + owners.size()).orElseThrow()) {
                owners.add(lease.owner());
            }
        }
        return owners;
    }
}
