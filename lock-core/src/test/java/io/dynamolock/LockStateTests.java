/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static io.dynamolock.TestRows.free;
import static io.dynamolock.TestRows.heldBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockState.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockStateTests {

    @Test
    void lockWithoutRowIsFreeAndHasNoToken() {
        assertThat(LockState.of("job", null, false))
                .isEqualTo(new LockState("job", Status.FREE, null, null, 0, null, null, Map.of(), null));
    }

    @Test
    void freeRowShowsHighestToken() {
        LastHold hold = new LastHold("me", Instant.EPOCH, Duration.ZERO, true);
        LockRow row = free(7).tokenFloor(9L).lastLeaseId("a").lastHold(hold).build();

        assertThat(LockState.of("job", row, true))
                .isEqualTo(new LockState("job", Status.FREE, null, null, 9, null, null, Map.of(), hold));
    }

    @Test
    void heldRowShowsHolderStartAndEnd() {
        LockRow row = heldBy("a", 7).build();

        assertThat(LockState.of("job", row, false))
                .isEqualTo(new LockState(
                        "job",
                        Status.HELD,
                        "owner of a",
                        "a",
                        7,
                        Instant.ofEpochMilli(Times.START_MILLIS),
                        Instant.ofEpochMilli(Times.START_MILLIS + 30_000),
                        Map.of(),
                        null));
    }

    @Test
    void rowOpenForTakeoverIsExpired() {
        LockState state = LockState.of("job", heldBy("a").build(), true);

        assertThat(state.status()).isEqualTo(Status.EXPIRED);
        assertThat(state.owner()).isEqualTo("owner of a");
    }

    @Test
    void revokedLeaseIsShownUntilItEnds() {
        LockRow row = heldBy("a", 7).revoked(true).build();

        assertThat(LockState.of("job", row, false).revoked()).isTrue();
        assertThat(LockState.of("job", heldBy("a", 7).build(), false).revoked()).isFalse();
    }

    @Test
    void lockThatNobodyCanAcquireIsShownAsClosedWithItsLastToken() {
        LockState free =
                LockState.of("job", free(7).tokenFloor(LockRow.HIGHEST_TOKEN).build(), true);
        LockState held = LockState.of(
                "job", heldBy("a", 7).tokenFloor(LockRow.HIGHEST_TOKEN).build(), true);
        LockState corrupt = LockState.of(
                "job", LockRow.builder().tokenFloor(LockRow.HIGHEST_TOKEN).build(), true);

        assertThat(List.of(free, held, corrupt)).allMatch(LockState::closed);
        assertThat(List.of(free, held, corrupt))
                .extracting(LockState::fencingToken)
                .containsExactly(7L, 7L, 0L);
        assertThat(LockState.of("job", free(7).build(), true).closed()).isFalse();
    }

    @Test
    void defectsOfTheRowAreShown() {
        LockRow row = heldBy("a", 7).defects(List.of("owner")).build();

        assertThat(LockState.of("job", row, false).defects()).containsExactly("owner");
    }

    @Test
    void copiesTheMetadata() {
        Map<String, String> mine = new HashMap<>(Map.of("a", "b"));
        LockState state = new LockState("job", Status.HELD, null, null, 0, null, null, mine, null);

        mine.clear();

        assertThat(state.metadata()).containsOnly(Map.entry("a", "b"));
    }
}
