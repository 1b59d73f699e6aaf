/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LastHold;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.Scale;
import io.dynamolock.TurnClaim;
import io.dynamolock.Writes;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The in-memory store of engine tests and model checker applies random writes as the expressions do on DynamoDB. */
@Tag("scaled")
class StoreComparisonTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2100-01-01T12:00:00.123Z");
    private static final int WRITES_EACH = 40;
    private static final List<LeaseTime> TIMES = List.of(LeaseTime.values());

    private final LockStore memory = new InMemoryLockStore();
    private final LockStore dynamoDb = DynamoDbLockStore.builder(LocalDynamoDb.client())
            .tableName(LocalDynamoDb.newTable())
            .build();
    private final List<String> trace = new ArrayList<>();
    private Random random = new Random();
    private String name = "";
    private int applied;
    private int rejected;

    @Test
    void randomWritesHaveSameEffectOnBothStores() {
        long rows = Scale.of(25, 250);
        for (int seed = 1; seed <= rows; seed++) {
            random = new Random(seed);
            name = "job-" + seed;
            trace.clear();
            for (int i = 0; i < WRITES_EACH; i++) {
                write();
            }
        }

        assertThat(applied).isGreaterThan(rejected / 4);
        assertThat(rejected).isGreaterThan(applied / 4);
    }

    private void write() {
        LockRow before = memory.read(name, true, TIMEOUT).row();
        Function<LockStore, Response> request = request(before);
        Response expected = request.apply(memory);
        Response response = request.apply(dynamoDb);

        trace.add(expected.applied() ? "applied" : "rejected");
        assertThat(response.applied()).as(story()).isEqualTo(expected.applied());
        assertThat(response.row()).as(story()).isEqualTo(expected.row());
        assertThat(dynamoDb.read(name, true, TIMEOUT).row())
                .as(story())
                .isEqualTo(memory.read(name, true, TIMEOUT).row());
        if (expected.applied()) {
            applied++;
        } else {
            rejected++;
        }
    }

    private String story() {
        return name + ": " + String.join("\n", trace);
    }

    private Function<LockStore, Response> request(@Nullable LockRow row) {
        return switch (random.nextInt(15)) {
            case 0, 1, 2 -> acquire(row);
            case 3, 4, 5 -> renew(row);
            case 6, 7 -> release(row);
            case 8 -> raiseFloor(row);
            case 9 -> revoke(row);
            case 10, 11 -> claim(row);
            case 12, 13 -> withdrawClaim(row);
            default -> forceFree(row);
        };
    }

    private Function<LockStore, Response> acquire(@Nullable LockRow row) {
        Acquire write = Writes.acquire(
                name,
                anyId(),
                "owner " + random.nextInt(3),
                token(row),
                duration(),
                NOW.plusNanos(random.nextInt(2_000_000)),
                end(),
                clock(),
                random.nextBoolean() ? Map.of() : Map.of("work", "w" + random.nextInt(9)),
                guard(row));
        Acquire despite = random.nextBoolean() ? write : despite(write, anyClaim(row));
        return noted(despite + " despite " + despite.claim(), store -> store.acquire(despite, TIMEOUT));
    }

    private static Acquire despite(Acquire write, TurnClaim claim) {
        return new Acquire(
                write.name(),
                write.leaseId(),
                write.owner(),
                write.token(),
                write.leaseDuration(),
                write.acquiredAt(),
                write.expiresAt(),
                write.clock(),
                write.metadata(),
                write.onlyIf(),
                write.storeEnd(),
                claim.text());
    }

    private LockGuard guard(@Nullable LockRow row) {
        return switch (random.nextInt(4)) {
            case 0 -> new Free();
            case 1 -> new FreeOrExpired(end(), clock());
            case 2 -> new Unchanged(leaseId(row), random.nextInt(4) == 0 ? null : number(row));
            default -> new HeldBy(leaseId(row));
        };
    }

    private Function<LockStore, Response> renew(@Nullable LockRow row) {
        Renew write = new Renew(
                name,
                leaseId(row),
                number(row) + random.nextInt(2),
                duration(),
                end(),
                clock(),
                end(),
                random.nextInt(3) == 0);
        return noted(write, store -> store.renew(write, TIMEOUT));
    }

    private Function<LockStore, Response> release(@Nullable LockRow row) {
        Rest rest = random.nextInt(4) > 0
                ? null
                : new Rest(duration(), end(), clock(), end(), Rest.FIRST + random.nextInt(3));
        Release write = new Release(name, leaseId(row), random.nextBoolean() ? NOW : null, rest, lastHold());
        return noted(write, store -> store.release(write, TIMEOUT));
    }

    private @Nullable LastHold lastHold() {
        return random.nextBoolean()
                ? null
                : new LastHold(
                        "owner " + random.nextInt(3),
                        NOW.plusNanos(random.nextInt(2_000_000)),
                        Duration.ofMillis(random.nextInt(30_000)),
                        random.nextBoolean());
    }

    private Function<LockStore, Response> claim(@Nullable LockRow row) {
        Claim write = new Claim(name, anyClaim(row));
        return noted(write, store -> store.claim(write, TIMEOUT));
    }

    private Function<LockStore, Response> withdrawClaim(@Nullable LockRow row) {
        WithdrawClaim write = new WithdrawClaim(name, anyClaim(row));
        return noted(write, store -> store.withdrawClaim(write, TIMEOUT));
    }

    private Function<LockStore, Response> raiseFloor(@Nullable LockRow row) {
        RaiseFloor write = new RaiseFloor(name, leaseId(row), token(row), NOW);
        return noted(write, store -> store.raiseFloor(write, TIMEOUT));
    }

    private Function<LockStore, Response> revoke(@Nullable LockRow row) {
        String id = leaseId(row);
        return noted("revoke", store -> store.revoke(name, id, TIMEOUT));
    }

    private Function<LockStore, Response> forceFree(@Nullable LockRow row) {
        if (row == null || random.nextBoolean()) {
            return noted("read", store -> store.readToFree(name, TIMEOUT));
        }
        ForceFree write = new ForceFree(name, row, token(row), NOW);
        return noted(write, store -> store.forceFree(write, TIMEOUT));
    }

    private Function<LockStore, Response> noted(Object write, Function<LockStore, Response> request) {
        trace.add(write.toString());
        return request;
    }

    // values close to those in the row

    private String anyId() {
        return "lease-" + random.nextInt(6);
    }

    private TurnClaim anyClaim(@Nullable LockRow row) {
        TurnClaim present = row == null ? null : row.claim();
        return present != null && random.nextBoolean()
                ? present
                : new TurnClaim("000000000000000" + random.nextInt(3) + "/100/process-" + random.nextInt(2));
    }

    private String leaseId(@Nullable LockRow row) {
        return row == null || row.leaseId() == null || random.nextInt(4) == 0 ? anyId() : row.leaseId();
    }

    private long number(@Nullable LockRow row) {
        long last = row == null || row.renewals() == null ? 0 : row.renewals();
        return Math.max(0, last + random.nextInt(3) - 1);
    }

    private long token(@Nullable LockRow row) {
        return Math.max(1, (row == null ? 0 : row.highestToken()) + random.nextInt(4) - 1);
    }

    private Duration duration() {
        return Duration.ofMillis(1 + random.nextInt(30_000)).plusNanos(random.nextInt(2) * 300_000L);
    }

    private Instant end() {
        return NOW.plusMillis(random.nextInt(4) * 10_000L).plusNanos(random.nextInt(2) * 400_000L);
    }

    private LeaseTime clock() {
        return TIMES.get(random.nextInt(TIMES.size()));
    }
}
