/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.RaiseFloor;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ResumeTests {

    private final Node node = Node.alone();
    private final Node other = node.rival();

    @Test
    void anotherProcessCarriesTheLeaseOnWithANewIdAndAHigherToken() {
        Lease lease = node.take("job");
        String text = lease.detach().asText();

        Lease resumed = other.locks.resume(LeaseToken.parse(text));

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
        assertThat(resumed.isHeld()).isTrue();
        assertThat(resumed.name()).isEqualTo("job");
        assertThat(resumed.id()).isNotEqualTo(lease.id());
        assertThat(resumed.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(other.told.events).containsExactly("acquired job");
        resumed.renew();
        assertThat(resumed.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThatIllegalStateException().isThrownBy(lease::release);
        lease.close();
    }

    @Test
    void theResumedLeaseIsKeptAlive() {
        Lease resumed = other.locks.resume(node.take("job").detach());

        other.pass(Duration.ofMinutes(5));

        assertThat(resumed.isHeld()).isTrue();
    }

    @Test
    void aTokenServesOnce() {
        LeaseToken token = node.take("job").detach();
        other.locks.resume(token);

        assertThatThrownBy(() -> other.locks.resume(token))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("taken");
    }

    @Test
    void aTokenIsWorthlessAfterATakeover() {
        LeaseToken token = node.take("job").detach();
        node.tasks.freeze(Duration.ofMinutes(1));
        Lease taken = other.take("job");

        assertThatThrownBy(() -> other.locks.resume(token)).isInstanceOf(LeaseLostException.class);
        assertThat(taken.isHeld()).isTrue();
    }

    @Test
    void anUnansweredResumptionIsRecognised() {
        LeaseToken token = node.take("job").detach();
        other.store.next(Fault.LOSE_ANSWER);

        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void aResumptionThatIsOutbidByAnUndoBidsOnceMore() {
        LeaseToken token = node.take("job").detach();
        long usedUp = token.fencingToken() + (1L << 40);
        node.store.rows().raiseFloor(new RaiseFloor("job", "undone", usedUp, Instant.EPOCH), Duration.ofSeconds(1));

        Lease resumed = other.locks.resume(token);

        assertThat(resumed.isHeld()).isTrue();
        assertThat(resumed.fencingToken()).isEqualTo(usedUp + 1);
    }

    @Test
    void eachBidOfAResumptionHasAllItsAttempts() {
        LeaseToken token = node.take("job").detach();
        long usedUp = token.fencingToken() + (1L << 40);
        node.store.rows().raiseFloor(new RaiseFloor("job", "undone", usedUp, Instant.EPOCH), Duration.ofSeconds(1));
        other.store.next(Fault.LOSE_REQUEST, Supplier::get, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThat(other.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void allBidsOfAResumptionTogetherHaveTheCallTimeout() {
        LeaseToken token = node.take("job").detach();
        long usedUp = token.fencingToken() + (1L << 40);
        node.store.rows().raiseFloor(new RaiseFloor("job", "undone", usedUp, Instant.EPOCH), Duration.ofSeconds(1));
        other.store.next(request -> {
            node.time.pass(Duration.ofMillis(9_500));
            return request.get();
        });

        Lease resumed = other.locks.resume(token);

        assertThat(resumed.isHeld()).isTrue();
        assertThat(other.store.timeouts().get(1)).isBetween(Duration.ofMillis(1), Duration.ofMillis(500));
    }

    @Test
    void aTokenOfAnotherTableIsRefusedBeforeAnyRequest() {
        LeaseToken token = Node.alone().take("job").detach();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> node.locks.resume(token))
                .withMessageContaining("another store");
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void aTokenOfAReleasedLockIsWorthlessAndLeavesTheRowAlone() {
        LeaseToken token = node.take("job").detach();
        other.locks.resume(token).release();
        LockRow row = node.row("job");

        assertThatThrownBy(() -> other.locks.resume(token)).isInstanceOf(LeaseLostException.class);
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void aTokenThatIsTooOldIsWorthlessAndLeavesTheRowAlone() {
        LeaseToken token = node.take("job").detach();
        node.tasks.freeze(Duration.ofDays(3));
        other.take("job");
        LockRow row = node.row("job");

        assertThatThrownBy(() -> node.locks.resume(token))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("taken");
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void aTokenOfARowThatWasDeletedCreatesNone() {
        LeaseToken token = Node.on(node.time, node.store.rows(), Node.settings(Duration.ofSeconds(30)))
                .take("job")
                .detach();
        LeaseToken gone = new LeaseToken(token.store(), "never", token.leaseId(), 7, Duration.ofSeconds(30));

        assertThatThrownBy(() -> other.locks.resume(gone))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("deleted");
        assertThat(node.store.rows().read("never", true, Duration.ofSeconds(1)).row())
                .isNull();
    }

    @Test
    void whatStandsBesideTheLeaseGoesWithIt() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").metadata(Map.of("ticket", "42")));

        Lease resumed = other.locks.resume(lease.detach());

        assertThat(resumed.metadata()).containsExactly(Map.entry("ticket", "42"));
    }

    @Test
    void aManagerThatIsClosedMeanwhileGivesTheLockBack() {
        LeaseToken token = node.take("job").detach();
        other.store.next(Fault.then(other.locks::close));

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(other.told.events).isEmpty();
    }

    @Test
    void aManagerThatIsClosedBetweenTwoAttemptsGivesTheLockBack() {
        LeaseToken token = node.take("job").detach();
        other.store.next(request -> Fault.LOSE_ANSWER.strike(() -> {
            Answer answer = request.get();
            other.locks.close();
            return answer;
        }));

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void aClosedManagerResumesNothingAndLeavesTheRowAlone() {
        LeaseToken token = node.take("job").detach();
        LockRow row = node.row("job");
        other.locks.close();

        assertThatIllegalStateException().isThrownBy(() -> other.locks.resume(token));
        assertThat(other.store.operations()).isEmpty();
        assertThat(node.row("job")).isEqualTo(row);
        assertThat(node.locks.resume(token).isHeld()).isTrue();
    }

    @Test
    void nothingPrintsTheSecret() {
        Lease lease = node.take("job");
        LeaseToken token = lease.detach();

        assertThat(token.toString()).contains("job").doesNotContain(lease.id());
        assertThat(token.asText()).doesNotContain(lease.id());
        assertThat(lease.toString()).doesNotContain(lease.id());
    }

    @Test
    void aLeaseThatCannotBeRenewedIsNotDetached() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::detach).isInstanceOf(LockStoreException.class);
        assertThat(lease.isHeld()).isTrue();
    }
}
