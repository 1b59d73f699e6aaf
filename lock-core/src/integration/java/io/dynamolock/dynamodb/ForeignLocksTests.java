/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Live locks of other libraries in the same item are honored, those that have ended are not. */
class ForeignLocksTests {

    /** All that fit together into one table. */
    private static final Collection<ForeignLocks> ALL =
            EnumSet.complementOf(EnumSet.of(ForeignLocks.SPRING_INTEGRATION, ForeignLocks.DYNAMO_LOCK));

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final CompletableFuture<LockState> waiting = new CompletableFuture<>();
    private @Nullable LockManager locks;

    @AfterEach
    void close() {
        if (locks != null) {
            locks.close();
        }
    }

    private LockManager honoring(Collection<ForeignLocks> libraries) {
        locks = LockManager.builder(store(libraries))
                .shutdownGrace(Duration.ZERO)
                .listener(new LockListener() {
                    @Override
                    public void onWaiting(LockState holder) {
                        waiting.complete(holder);
                    }
                })
                .build();
        return locks;
    }

    private DynamoDbLockStore store(Collection<ForeignLocks> libraries) {
        return DynamoDbLockStore.builder(LocalDynamoDb.client())
                .tableName(table)
                .ttlAttribute(ttl(libraries))
                .honor(libraries)
                .build();
    }

    private static String ttl(Collection<ForeignLocks> libraries) {
        if (libraries.contains(ForeignLocks.DYNAMO_LOCK)) {
            return "purge_time";
        }
        return libraries.contains(ForeignLocks.SPRING_INTEGRATION) ? "expireAt" : "ttl";
    }

    private static Collection<ForeignLocks> withOthers(ForeignLocks library) {
        return ALL.contains(library) ? ALL : List.of(library);
    }

    private static Map<String, AttributeValue> item(ForeignLocks library, Instant end) {
        String seconds = Long.toString(end.getEpochSecond());
        return switch (library) {
            case SHEDLOCK -> Map.of("lockedBy", fromS("node"), "lockUntil", fromS(text(end, "SSS'Z'")));
            case SPRING_INTEGRATION -> Map.of("lockOwner", fromS("node"), "expireAt", fromN(seconds));
            case LAYERED_CRAFT -> Map.of("ownerId", fromS("node"), "expiresAt", fromN(seconds));
            case DYNAMO_LOCK -> Map.of("lock_owner", fromS("node"), "expires", fromN(seconds));
            case DYNDB_MUTEX -> Map.of("holder", fromS("node"), "expire_ts", fromN(Long.toString(end.toEpochMilli())));
            case AWS_DISTRIBUTED_MUTEX ->
                Map.of("holderId", fromS("node"), "leaseExpiry", fromS(text(end, "SSSSSSS'+00:00'")));
            case AWSLABS -> awslabs("1", Duration.ofSeconds(1));
        };
    }

    private static Map<String, AttributeValue> awslabs(String version, Duration lease) {
        return Map.of(
                "ownerName",
                fromS("node"),
                "leaseDuration",
                fromS(Long.toString(lease.toMillis())),
                "recordVersionNumber",
                fromS(version));
    }

    private static String text(Instant end, String fraction) {
        return DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss." + fraction)
                .withZone(ZoneOffset.UTC)
                .format(end);
    }

    @ParameterizedTest
    @EnumSource
    void liveLockIsBusyAndShowsItsOwner(ForeignLocks library) {
        items.add("job", item(library, Instant.now().plusSeconds(60)));
        LockManager honoring = honoring(List.of(library));

        assertThat(honoring.tryAcquire("job")).isEmpty();

        LockState state = honoring.inspect("job");
        assertThat(state.status()).isEqualTo(Status.HELD);
        assertThat(state.owner()).isEqualTo("node");
        assertThat(items.isFree("job")).isTrue();
        assertThat(store(List.of(library)).table().locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.row().owner()).isEqualTo("node"));
        assertThatThrownBy(() -> honoring.acquire("job"))
                .hasMessageStartingWith("Lock 'job' is held by 'node'")
                .hasMessageNotContaining("null");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AWSLABS")
    void endedLockIsAcquiredAgainAndAgain(ForeignLocks library) {
        items.add("job", item(library, Instant.now().minusSeconds(5)));
        LockManager honoring = honoring(withOthers(library));

        for (int i = 0; i < 3; i++) {
            try (Lease lease = honoring.tryAcquire("job").orElseThrow()) {
                assertThat(lease.verify()).isTrue();
                assertThat(honoring.tryAcquire("job")).isEmpty();
            }
        }
        assertThat(honoring.inspect("job").status()).isEqualTo(Status.FREE);
    }

    /** A lock that their process takes over after ours is honored again. */
    @ParameterizedTest
    @EnumSource
    void laterForeignLockIsHonored(ForeignLocks library) {
        LockManager honoring = honoring(withOthers(library));
        honoring.tryAcquire("job").orElseThrow().release();

        items.add("job", item(library, Instant.now().plusSeconds(60)));

        assertThat(honoring.tryAcquire("job")).isEmpty();
    }

    /** Old processes may go on after a new one has died, see ShedLock. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AWSLABS", "LAYERED_CRAFT"})
    void foreignLockOverLeaseOfDeadProcessIsShownAndWaitedFor(ForeignLocks library) {
        LockManager honoring = honoring(withOthers(library));
        items.add("job", abandoned(Instant.now().minusSeconds(5)));
        items.add("job", item(library, Instant.now().plusSeconds(60)));

        assertThat(honoring.inspect("job").status()).isEqualTo(Status.HELD);
        assertThat(honoring.inspect("job").owner()).isEqualTo("node");
        assertThatThrownBy(() -> honoring.forceFree("job")).isInstanceOf(LockStoreException.class);
        CompletableFuture<Lease> waiter = honoring.acquireAsync(
                LockRequest.of("job").waitTime(Duration.ofMinutes(1)).pollMax(Duration.ofMillis(200)));
        assertThat(waiting)
                .succeedsWithin(Duration.ofSeconds(20))
                .satisfies(holder -> assertThat(holder.owner()).isEqualTo("node"));

        items.add("job", item(library, Instant.now().minusSeconds(5)));

        assertThat(waiter).succeedsWithin(Duration.ofSeconds(20));
    }

    /** A process that does not honor them took the lock over, and died. */
    @ParameterizedTest
    @EnumSource(names = {"AWSLABS", "LAYERED_CRAFT"})
    void markUnderLeaseOfDeadProcessEndsOnceThatIsFreed(ForeignLocks library) throws InterruptedException {
        LockManager honoring = honoring(ALL);
        items.add("job", item(library, Instant.now()));
        items.add("job", abandoned(Instant.now().minusSeconds(5)));

        assertThat(honoring.tryAcquire("job")).isEmpty();
        assertThat(honoring.forceFree("job")).isPresent();

        assertThat(honoring.tryAcquire("job", Duration.ofSeconds(30))).isPresent();
    }

    /** Old processes would take a lock that is held here, or see one as held that has ended. */
    @Test
    void ttlAttributeMustFitTheHonoredLibraries() {
        DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(LocalDynamoDb.client());

        assertThatThrownBy(() ->
                        store.honor(List.of(ForeignLocks.SPRING_INTEGRATION)).build())
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("ttlAttribute must be expireAt, the TTL attribute of Spring Integration, but is 'ttl'");
        store.ttlAttribute("expireAt").build();
        assertThatThrownBy(() -> store.ttlAttribute("lockUntil")
                        .honor(List.of(ForeignLocks.SHEDLOCK))
                        .build())
                .hasMessageStartingWith("ttlAttribute must not be lockUntil, where ShedLock writes the end of a lock");
    }

    /** Its holder has to find it. */
    @Test
    void foreignLockDoesNotHideLiveLease() throws InterruptedException {
        LockManager honoring = honoring(ALL);
        Lease lease = honoring.acquire("job");

        items.add("job", item(ForeignLocks.SHEDLOCK, Instant.now().plusSeconds(60)));

        assertThat(lease.verify()).isTrue();
        assertThat(honoring.inspect("job").owner()).isNotEqualTo("node");
        lease.release();
        assertThat(honoring.inspect("job").owner()).isEqualTo("node");
    }

    private static Map<String, AttributeValue> abandoned(Instant end) {
        return Map.of(
                "leaseId", fromS("dead"),
                "owner", fromS("dead process"),
                "fencingToken", fromN("7"),
                "tokenFloor", fromN("7"),
                "leaseMillis", fromN("1000"),
                "expiresAt", fromN(Long.toString(end.toEpochMilli())),
                "clock", fromS("D"),
                "renewals", fromN("3"),
                "acquiredAt", fromN(Long.toString(end.minusSeconds(9).toEpochMilli())));
    }

    static Stream<Arguments> released() {
        return Stream.of(
                Arguments.of(ForeignLocks.DYNDB_MUTEX, Map.of("holder", fromS("__empty__"), "expire_ts", fromN("0"))),
                Arguments.of(
                        ForeignLocks.AWSLABS,
                        Map.of(
                                "ownerName",
                                fromS("node"),
                                "leaseDuration",
                                fromS("20000"),
                                "recordVersionNumber",
                                fromS("1"),
                                "isReleased",
                                fromS("1"))));
    }

    @ParameterizedTest
    @MethodSource("released")
    void releasedLockIsFree(ForeignLocks library, Map<String, AttributeValue> item) {
        items.add("job", item);
        LockManager honoring = honoring(List.of(library));

        assertThat(honoring.inspect("job").status()).isEqualTo(Status.FREE);
        assertThat(honoring.tryAcquire("job")).isPresent();
    }

    @Test
    void withoutTheOptionForeignLocksAreIgnored() {
        items.add("job", item(ForeignLocks.SHEDLOCK, Instant.now().plusSeconds(60)));

        assertThat(honoring(List.of()).tryAcquire("job")).isPresent();
    }

    @Test
    @Tag("proof")
    void waiterGetsLockAfterForeignOneHasEnded() throws Exception {
        items.add("job", item(ForeignLocks.SHEDLOCK, Instant.now().plusSeconds(2)));

        Lease lease = honoring(ALL).acquire(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void lockOfAwslabsIsTakenOverOnceVersionIsUnchanged() throws Exception {
        items.add("job", awslabs("1", Duration.ofSeconds(1)));
        LockManager honoring = honoring(ALL);

        Lease lease = honoring.acquire(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

        assertThat(Duration.between(lease.acquiredAt(), Instant.now())).isLessThan(Duration.ofMinutes(1));
        assertThat(items.item("job")).doesNotContainKeys("recordVersionNumber", "ownerName", "leaseDuration");
        lease.release();
        assertThat(honoring.tryAcquire("job")).isPresent();
    }

    @Test
    @Tag("proof")
    void lockOfAwslabsIsHeldWhileItsVersionChanges() throws Exception {
        items.add("job", awslabs("0", Duration.ofSeconds(1)));
        LockManager honoring = honoring(ALL);
        Instant end = Instant.now().plusSeconds(3);
        int version = 0;
        while (Instant.now().isBefore(end)) {
            assertThat(honoring.tryAcquire("job", Duration.ofMillis(300))).isEmpty();
            version++;
            items.change("job", "recordVersionNumber", fromS("v" + version));
        }
    }

    @Test
    void valuesOfAnotherTypeCountAsHeld() {
        items.add("job", Map.of("lockedBy", fromS("node"), "lockUntil", fromN("0")));
        LockManager honoring = honoring(ALL);

        assertThat(honoring.tryAcquire("job")).isEmpty();
        assertThat(honoring.inspect("job").status()).isEqualTo(Status.HELD);
    }

    @Test
    void foreignLockCannotBeFreedHere() {
        items.add("job", item(ForeignLocks.SHEDLOCK, Instant.now().plusSeconds(60)));

        assertThatThrownBy(() -> honoring(ALL).forceFree("job"))
                .isInstanceOf(LockStoreException.class)
                .hasMessage("Another lock library holds lock 'job' for 'node': release it there");
    }
}
