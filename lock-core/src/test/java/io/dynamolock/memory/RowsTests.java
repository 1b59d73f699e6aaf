/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.ClaimContract;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockRow;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What rows permit. {@code LockStoreContract} has the rest; no store can be made to write a row of a later format. */
class RowsTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant END = Instant.ofEpochSecond(1_000);
    private static final Instant NOW = END.plusSeconds(3_600);

    /** A row that permits each of the writes, as its lease is past its end, detached and claimed. */
    private static final LockRow HELD = LockRow.builder()
            .leaseId("theirs")
            .owner("them")
            .fencingToken(7L)
            .tokenFloor(7L)
            .leaseDuration(LEASE)
            .acquiredAt(END.minus(LEASE))
            .expiresAt(END)
            .clock(LeaseTime.SYSTEM)
            .renewals(0L)
            .detached(true)
            .claim(ClaimContract.JUNIOR)
            .build();

    static Stream<Named<Change>> writes() {
        return Stream.of(
                Named.of("takeover", acquire(new FreeOrExpired(NOW, LeaseTime.SYSTEM))),
                Named.of("takeover by observation", acquire(new Unchanged("theirs", 0L))),
                Named.of("resume", acquire(new HeldBy("theirs"))),
                Named.of("renewal", renew(false)),
                Named.of("detach", renew(true)),
                Named.of("release", Change.of(new Release("job", "theirs", NOW, null))),
                Named.of("undo", Change.of(new RaiseFloor("job", "other", 8, NOW))),
                Named.of("claim", Change.of(new Claim("job", ClaimContract.SENIOR))),
                Named.of("withdrawal", Change.of(new WithdrawClaim("job", ClaimContract.JUNIOR))),
                Named.of("revocation", Change.revocationOf("theirs")),
                Named.of("forced release", Change.of(new ForceFree("job", HELD, 100, NOW))));
    }

    private static Change acquire(LockGuard onlyIf) {
        return Change.of(Writes.acquire("job", "mine", "me", 8, LEASE, NOW, NOW, LeaseTime.SYSTEM, Map.of(), onlyIf));
    }

    private static Change renew(boolean detaches) {
        return Change.of(new Renew("job", "theirs", 1, LEASE, NOW, LeaseTime.SYSTEM, null, detaches));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void rowOfLaterFormatPermitsNoWrite(Change write) {
        assertThat(write.after(HELD)).isNotNull().isNotEqualTo(HELD);

        assertThat(write.after(HELD.toBuilder().laterFormat(true).build())).isNull();
    }
}
