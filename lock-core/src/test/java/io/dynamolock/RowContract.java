/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Release;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract for the attributes of a row and of a response. */
public interface RowContract extends StoreUnderTest {

    /**
     * Returns names that are easy to mishandle.
     *
     * @return the names
     */
    static Stream<String> names() {
        return Stream.of(
                "a/b", "#name", ":value", " ", " a", "a ", "é", "e\u0301", "日本語", "\uD83D\uDD12", "x".repeat(1900));
    }

    @ParameterizedTest
    @MethodSource("names")
    default void eachNameHasItsOwnRow(String suffix) {
        String other = name() + suffix;
        acquire("mine", 7, new Free());

        Response response = store().acquire(acquisition(other, "other"), TIMEOUT);

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(store().read(other, true, TIMEOUT).row())
                .isNotNull()
                .extracting(LockRow::leaseId)
                .isEqualTo("other");
    }

    @Test
    default void similarNamesNeverCollide() {
        Stream<String> alike = names().filter(suffix -> suffix.length() < 3).map(suffix -> name() + suffix);

        assertThat(alike)
                .allSatisfy(name -> assertThat(store().acquire(acquisition(name, "only"), TIMEOUT)
                                .applied())
                        .isTrue());
    }

    private static Acquire acquisition(String name, String leaseId) {
        return Writes.acquire(name, leaseId, "owner", 7, LEASE, NOW, END, LeaseTime.SERVER, Map.of(), new Free());
    }

    @Test
    default void metadataIsReturnedUnchanged() {
        Map<String, String> metadata = Map.of("job", "42", "größe", "日本語", "empty", "", "a/b #c", "x y");

        store().acquire(
                        Writes.acquire(
                                name(),
                                "mine",
                                "größe / 日本語",
                                7,
                                LEASE,
                                NOW,
                                END,
                                LeaseTime.SERVER,
                                metadata,
                                new Free()),
                        TIMEOUT);

        assertThat(existingRow().metadata()).isEqualTo(metadata);
        assertThat(existingRow().owner()).isEqualTo("größe / 日本語");
    }

    @Test
    default void metadataEndsWithTheLease() {
        Map<String, String> metadata = Map.of("job", "42");
        store().acquire(
                        Writes.acquire(
                                name(), "mine", "owner", 7, LEASE, NOW, END, LeaseTime.SERVER, metadata, new Free()),
                        TIMEOUT);

        release("mine");

        assertThat(existingRow().metadata()).isEmpty();
    }

    @Test
    default void timesAreStoredInMillisecondsRoundedUp() {
        Duration lease = Duration.ofMillis(1500).plusNanos(1);
        Instant acquiredAt = NOW.plusNanos(999_999);

        store().acquire(
                        Writes.acquire(
                                name(),
                                "mine",
                                "owner",
                                7,
                                lease,
                                acquiredAt,
                                acquiredAt.plus(lease),
                                LeaseTime.SERVER,
                                Map.of(),
                                new Free()),
                        TIMEOUT);

        assertThat(existingRow().acquiredAt()).isEqualTo(NOW);
        assertThat(existingRow().expiresAt()).isEqualTo(NOW.plusMillis(1501));
        assertThat(existingRow().leaseDuration()).isEqualTo(Duration.ofMillis(1501));
    }

    @Test
    default void tokensExceedInt() {
        long token = (1L << 53) - 2;

        acquire("mine", token, new Free());

        assertThat(existingRow().fencingToken()).isEqualTo(token);
        assertThat(existingRow().highestToken()).isEqualTo(token);
    }

    @Test
    default void everyClockIsStored() {
        for (LeaseTime clock : LeaseTime.values()) {
            String name = name() + clock;
            store().acquire(
                            Writes.acquire(name, "mine", "owner", 7, LEASE, NOW, END, clock, Map.of(), new Free()),
                            TIMEOUT);

            assertThat(store().read(name, true, TIMEOUT).row())
                    .isNotNull()
                    .extracting(LockRow::clock)
                    .isEqualTo(clock);
        }
    }

    @Test
    default void readReturnsRowOrNone() {
        Response missing = store().read(name(), true, TIMEOUT);
        LockRow held = acquired("mine", 7, new Free());

        assertThat(missing.applied()).isTrue();
        assertThat(missing.row()).isNull();
        assertThat(store().read(name(), true, TIMEOUT))
                .extracting(Response::applied, Response::row)
                .containsExactly(true, held);
        assertThat(store().read(name(), false, TIMEOUT))
                .extracting(Response::applied, Response::row)
                .containsExactly(true, held);
    }

    @Test
    default void everyResponseHasStoreTimeInWholeSeconds() {
        Stream<Response> responses = Stream.of(
                acquire("mine", 7, new Free()),
                acquire("other", 8, new Free()),
                renew("mine", 1, END),
                revoke("mine"),
                release("mine"),
                store().release(new Release(name(), "mine", NOW, null), TIMEOUT),
                raiseFloor("mine", 9),
                store().read(name(), true, TIMEOUT));

        assertThat(responses)
                .extracting(Response::date)
                .doesNotContainNull()
                .allMatch(date -> date.equals(date.truncatedTo(ChronoUnit.SECONDS)));
    }

    @Test
    default void descriptionIsStable() {
        assertThat(store().describe()).isNotBlank().isEqualTo(store().describe());
    }
}
