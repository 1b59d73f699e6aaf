/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ResumeTests {

    private final Node node = Node.alone();
    private final Node other = node.rival();

    @Test
    void otherProcessResumesWithNewIdAndHigherToken() {
        Lease lease = node.take("job");
        String text = lease.detach().asText();

        Lease resumed = other.locks.resume(LeaseToken.parse(text));

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
        assertThat(resumed.isHeld()).isTrue();
        assertThat(resumed.name()).isEqualTo("job");
        assertThat(resumed.id()).isNotEqualTo(lease.id());
        assertThat(resumed.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(other.events.all).containsExactly("acquired job");
        resumed.renew();
        assertThat(resumed.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThatIllegalStateException().isThrownBy(lease::release);
        lease.close();
    }

    @Test
    void resumedLeaseIsRenewed() throws InterruptedException {
        LockRequest expiring = LockRequest.of("job").autoRenew(false).onLost(OnLost.EVENT);
        Lease resumed = other.locks.resume(node.locks.acquire(expiring).detach());

        other.pass(Duration.ofMinutes(5));

        assertThat(resumed).matches(Lease::isHeld).returns(OnLost.THROW, Lease::policy);
    }

    @Test
    void tokenWorksOnce() {
        LeaseToken token = node.take("job").detach();
        other.locks.resume(token);

        assertThatThrownBy(() -> other.locks.resume(token))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageEndingWith("lock 'job' cannot be resumed: it was resumed or taken over by 'rival'");
    }

    @Test
    void onlyOneOfTwoConcurrentResumesSucceeds() {
        LeaseToken token = node.take("job").detach();
        Node third = node.rival();
        List<Lease> resumed = new ArrayList<>();
        other.store.next(Fault.then(() -> resumed.add(third.locks.resume(token))));

        assertThatThrownBy(() -> other.locks.resume(token)).isInstanceOf(LeaseLostException.class);

        assertThat(resumed)
                .singleElement()
                .satisfies(lease -> assertThat(lease.verify()).isTrue());
    }

    @Test
    void tokenIsInvalidAfterTakeover() {
        LeaseToken token = node.take("job").detach();
        node.scheduler.freeze(Duration.ofMinutes(1));
        Lease taken = other.take("job");

        assertThatThrownBy(() -> other.locks.resume(token)).isInstanceOf(LeaseLostException.class);
        assertThat(taken.isHeld()).isTrue();
    }

    @Test
    void unansweredResumeIsRecognized() {
        LeaseToken token = node.take("job").detach();
        other.store.next(Fault.LOSE_RESPONSE);

        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }

    /** An undo runs between the read and the write of a resume. */
    private Fault undoneMeanwhile(long usedUp) {
        return request -> {
            Response response = request.get();
            node.store.rows().raiseFloor(new RaiseFloor("job", "undone", usedUp, Instant.EPOCH), Duration.ofSeconds(1));
            return response;
        };
    }

    @Test
    void resumeOutbidByUndoTriesAgain() {
        Lease lease = node.take("job");
        LeaseToken token = lease.detach();
        long usedUp = lease.fencingToken() + (1L << 40);
        other.store.next(undoneMeanwhile(usedUp));

        Lease resumed = other.locks.resume(token);

        assertThat(resumed.isHeld()).isTrue();
        assertThat(resumed.fencingToken()).isEqualTo(usedUp + 1);
        assertThat(other.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void eachResumeProposalHasAllAttempts() {
        Lease lease = node.take("job");
        LeaseToken token = lease.detach();
        other.store.next(
                undoneMeanwhile(lease.fencingToken() + (1L << 40)),
                Fault.LOSE_REQUEST,
                Supplier::get,
                Fault.LOSE_REQUEST,
                Fault.LOSE_REQUEST);

        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void allResumeProposalsShareCallTimeout() {
        Lease lease = node.take("job");
        LeaseToken token = lease.detach();
        other.store.next(undoneMeanwhile(lease.fencingToken() + (1L << 40)), request -> {
            node.time.pass(Duration.ofMillis(9_500));
            return request.get();
        });

        Lease resumed = other.locks.resume(token);

        assertThat(resumed.isHeld()).isTrue();
        assertThat(other.store.timeouts().get(1)).isBetween(Duration.ofMillis(1), Duration.ofMillis(500));
    }

    @Test
    void leaseThatWasNotDetachedCannotBeResumed() {
        Lease lease = node.take("job");
        LeaseToken forged = LeaseToken.of(node.context.client.describe(), "job", lease.id(), null);
        LockRow row = node.row("job");

        assertThatIllegalStateException()
                .isThrownBy(() -> other.locks.resume(forged))
                .withMessage("The lease on lock 'job' is not detached, so it cannot be resumed");

        assertThat(node.row("job")).isEqualTo(row);
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void detachFailsIfItsMarkIsAlwaysOvertaken() {
        Lease lease = node.take("job");
        node.store.next(request -> {
            LockRow row = node.row("job");
            Renew later = Writes.renew(
                    "job",
                    lease.id(),
                    1_000,
                    Duration.ofSeconds(30),
                    Objects.requireNonNull(row.expiresAt()),
                    Objects.requireNonNull(row.clock()));
            node.store.rows().renew(later, Duration.ofSeconds(1));
            return request.get();
        });

        assertThatThrownBy(lease::detach).isInstanceOf(LockStoreException.class);

        assertThat(node.row("job").detached()).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void tokenOfAnotherPrefixIsRejectedWithoutRequest() {
        LeaseToken token = node.take("app1/job").detach();
        Node prefixed = Node.on(
                node.time,
                node.store.rows(),
                Node.settings(Duration.ofSeconds(30)).toBuilder()
                        .namePrefix("app2/")
                        .build());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> prefixed.locks.resume(token))
                .withMessageContaining("app1/job")
                .withMessageContaining("app2/");
        assertThat(prefixed.store.operations()).isEmpty();
    }

    @Test
    void leaseLongerThanAllowedIsNotResumed() {
        LeaseToken token = node.take("job").detach();
        Node strict = Node.on(
                node.time,
                node.store.rows(),
                Node.settings(Duration.ofSeconds(5)).toBuilder()
                        .maxLeaseDuration(Duration.ofSeconds(5))
                        .build());
        LockRow row = node.row("job");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> strict.locks.resume(token))
                .withMessageContaining("maxLeaseDuration");
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void signedTokenRequiresItsKey() {
        Node signing = Node.signing(node, "a secret of thirty-two bytes, or more");
        Node sameKey = Node.signing(node, "a secret of thirty-two bytes, or more");
        Node otherKey = Node.signing(node, "another secret of thirty-two bytes...");
        LeaseToken signed = LeaseToken.parse(signing.take("job").detach().asText());
        LeaseToken unsigned = node.take("other").detach();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> otherKey.locks.resume(signed))
                .withMessageContaining("tokenKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.locks.resume(signed))
                .withMessageContaining("tokenKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sameKey.locks.resume(unsigned))
                .withMessageContaining("tokenKey");
        assertThat(sameKey.locks.resume(signed).isHeld()).isTrue();
    }

    @Test
    void tokenOfAnotherTableIsRejectedWithoutRequest() {
        LeaseToken token = Node.alone().take("job").detach();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.locks.resume(token))
                .withMessageContaining("another store");
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void tokenOfReleasedLockIsInvalidAndWritesNothing() {
        LeaseToken token = node.take("job").detach();
        other.locks.resume(token).release();
        LockRow row = node.row("job");

        assertThatThrownBy(() -> other.locks.resume(token)).isInstanceOf(LeaseLostException.class);
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void expiredTokenIsInvalidAndWritesNothing() {
        LeaseToken token = node.take("job").detach();
        node.scheduler.freeze(Duration.ofDays(3));
        other.take("job");
        LockRow row = node.row("job");

        assertThatThrownBy(() -> node.locks.resume(token))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("taken");
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void tokenOfDeletedRowCreatesNoRow() {
        LeaseToken token = Node.on(node.time, node.store.rows(), Node.settings(Duration.ofSeconds(30)))
                .take("job")
                .detach();
        LeaseToken gone = LeaseToken.of(token.store(), "never", token.leaseId(), null);

        assertThatThrownBy(() -> other.locks.resume(gone))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("deleted");
        assertThat(node.store.rows().read("never", true, Duration.ofSeconds(1)).row())
                .isNull();
    }

    @Test
    void resumedLeaseKeepsMetadata() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").metadata(Map.of("ticket", "42")));

        Lease resumed = other.locks.resume(lease.detach());

        assertThat(resumed.metadata()).containsExactly(Map.entry("ticket", "42"));
    }

    @Test
    void managerClosedDuringResumeReleasesLock() {
        LeaseToken token = node.take("job").detach();
        other.store.next(request -> request.get(), Fault.then(other.locks::close));

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(other.events.all).isEmpty();
    }

    @Test
    void managerClosedBetweenResumeAttemptsReleasesLock() {
        LeaseToken token = node.take("job").detach();
        other.store.next(
                Supplier::get,
                request -> Fault.LOSE_RESPONSE.strike(() -> {
                    Response response = request.get();
                    other.locks.close();
                    return response;
                }));

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void closedManagerResumesAndWritesNothing() {
        LeaseToken token = node.take("job").detach();
        LockRow row = node.row("job");
        other.locks.close();

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));
        assertThat(other.store.operations()).isEmpty();
        assertThat(node.row("job")).isEqualTo(row);
        assertThat(node.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void secretIsNeverPrinted() {
        Lease lease = node.take("job");
        LeaseToken token = lease.detach();

        assertThat(token.toString()).contains("job").doesNotContain(lease.id());
        assertThat(token.asText()).doesNotContain(lease.id());
        assertThat(lease.toString()).doesNotContain(lease.id());
    }

    @Test
    void leaseWithFailedDetachIsNotHeldButReleasable() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::detach).isInstanceOf(LockStoreException.class);

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void detachCanBeRetried() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);
        assertThatThrownBy(lease::detach).isInstanceOf(LockStoreException.class);

        LeaseToken token = lease.detach();

        assertThat(other.locks.resume(token).isHeld()).isTrue();
        assertThatIllegalStateException().isThrownBy(lease::detach);
    }

    @Test
    void isNotHeldDuringDetach() {
        Lease lease = node.take("job");
        List<Lease> stolen = new ArrayList<>();
        LeaseToken forged = LeaseToken.of(node.context.client.describe(), "job", lease.id(), null);
        node.store.next(Fault.then(() -> {
            stolen.add(other.locks.resume(forged));
            assertThat(lease.isHeld()).isFalse();
        }));

        var unused = lease.detach();

        assertThat(stolen)
                .singleElement()
                .satisfies(resumed -> assertThat(resumed.isHeld()).isTrue());
    }

    @Test
    void releaseDuringDetachIsNoLoss() {
        Lease lease = node.take("job");
        node.store.next(Fault.first(lease::close));

        assertThatIllegalStateException().isThrownBy(lease::detach).withMessageContaining("'job' is RELEASED");

        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(node.events.all).containsExactly("acquired job", "released job RELEASED");
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void releaseDuringDetachLeavesNoToken() {
        Lease lease = node.take("job");
        node.store.next(Fault.then(lease::close));

        assertThatIllegalStateException().isThrownBy(lease::detach).withMessageContaining("'job' is RELEASED");

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void onlyOneOfConcurrentDetachesReturnsToken() {
        Lease lease = node.take("job");
        List<Throwable> rejections = new ArrayList<>();
        node.store.next(Fault.then(() -> rejections.add(catchThrowable(lease::detach))));

        LeaseToken token = lease.detach();

        assertThat(rejections)
                .singleElement(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The lease on lock 'job' is DETACHED");
        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void closeDuringDetachLeavesLeaseToItsToken() {
        Lease lease = node.take("job");
        List<LeaseToken> tokens = new ArrayList<>();
        node.time.atReading(1, () -> tokens.add(lease.detach()));

        lease.close();

        assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
        assertThat(other.locks.resume(tokens.get(0)).isHeld()).isTrue();
    }

    @Test
    void detachMarksRowAfterRenewalInFlight() throws Exception {
        Lease lease = node.take("job");
        Thread detacher = new Thread(lease::detach);
        List<Operation> meanwhile = new ArrayList<>();
        node.store.next(Fault.first(() -> {
            detacher.start();
            await().until(() -> detacher.getState() == Thread.State.TIMED_WAITING || !detacher.isAlive());
            meanwhile.addAll(node.store.operations());
        }));

        node.pass(Duration.ofSeconds(15));
        detacher.join(TestRun.TIMEOUT.toMillis());

        assertThat(meanwhile).containsExactly(Operation.ACQUIRE, Operation.RENEW);
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.RENEW, Operation.RENEW);
        assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
    }

    @Test
    void leaseThatEndsBeforeDetachIsLost() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);
        assertThatThrownBy(lease::detach).isInstanceOf(LockStoreException.class);
        node.scheduler.freeze(Duration.ofMinutes(1));

        assertThatThrownBy(lease::detach).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void detachNeverExceedsMaxHold() throws InterruptedException {
        Instant acquired = node.time.instant();
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(40)));
        node.pass(Duration.ofSeconds(30));

        lease.detach();

        assertThat(node.row("job").expiresAt()).isBefore(acquired.plusSeconds(41));
    }

    @Test
    void clockOffByDecadesPreventsResumeFreeAndAcquire() {
        LeaseToken token = node.take("job").detach();
        ManualTime wrong = new ManualTime();
        wrong.stepWall(Duration.ofDays(-30 * 365));
        Node off = node.rival(wrong, Node.settings(Duration.ofSeconds(30)));

        assertThatThrownBy(() -> off.locks.tryAcquire("other"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("Set the clock");
        assertThatThrownBy(() -> off.locks.forceFree("job")).hasMessageContaining("Set the clock");
        assertThatThrownBy(() -> off.locks.resume(token)).hasMessageContaining("Set the clock");

        assertThat(off.store.operations()).containsOnly(Operation.READ);
        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }
}
