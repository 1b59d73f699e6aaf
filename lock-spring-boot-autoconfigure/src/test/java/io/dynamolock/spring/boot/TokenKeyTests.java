/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Lease tokens that a manager accepts, by {@code dynamolock.token-key}. */
class TokenKeyTests {

    private static final String KEY = "a-key-that-signs-all-lease-tokens";

    private final LockStore store = new InMemoryLockStore();
    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(LockStore.class, () -> store);

    @Test
    void managerAcceptsTokensOfItsKeyOnly() {
        contexts.withPropertyValues("dynamolock.token-key=" + KEY).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            LeaseToken signed;
            try (LockManager same = LockManager.builder(store).tokenKey(KEY).build()) {
                signed = same.acquire("signed").detach();
            }
            LeaseToken unsigned;
            try (LockManager none = LockManager.builder(store).build()) {
                unsigned = none.acquire("unsigned").detach();
            }

            Lease resumed = locks.resume(signed);

            assertThat(resumed.isHeld()).isTrue();
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> locks.resume(unsigned));
            resumed.release();
        });
    }

    @Test
    void namedManagerHasItsOwnKey() {
        contexts.withPropertyValues(
                        "dynamolock.token-key=another-key-for-all-the-other-managers",
                        "dynamolock.managers.billing.token-key=" + KEY)
                .withBean("billingLockStore", LockStore.class, () -> store, TestClients::byNameOnly)
                .run(context -> {
                    LeaseToken token;
                    try (LockManager same =
                            LockManager.builder(store).tokenKey(KEY).build()) {
                        token = same.acquire("job").detach();
                    }

                    assertThatExceptionOfType(IllegalArgumentException.class)
                            .isThrownBy(() -> context.getBean(LockManager.class).resume(token));
                    context.getBean("billing", LockManager.class).resume(token).release();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"too-short-a-key", ""})
    void shortKeyStopsTheStartWithoutBeingShown(String key) {
        contexts.withPropertyValues("dynamolock.token-key=" + key).run(context -> {
            InvalidLockPropertyException failure = StartFailure.of(context, InvalidLockPropertyException.class);

            assertThat(failure.problem()).startsWith("dynamolock.token-key must have at least 32 bytes");
            assertThat(failure.remedy()).contains("dynamolock.token-key");
            if (!key.isEmpty()) {
                assertThat(failure + failure.remedy() + failure.getCause()).doesNotContain(key);
            }
        });
    }

    @Test
    void shortKeyOfOneManagerIsNamed() {
        contexts.withPropertyValues("dynamolock.managers.billing.token-key=too-short-a-key")
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class)
                                .problem())
                        .startsWith("dynamolock.managers.billing.token-key must have")
                        .doesNotContain("too-short"));
    }
}
