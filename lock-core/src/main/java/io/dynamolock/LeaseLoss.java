/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Finds out why one lease has ended before its holder released it, and tells it: to the log, the listener, whoever asked. */
final class LeaseLoss {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoss.class);

    /** Who notices an end so late must have stood still, and cannot know why it was not renewed. */
    private static final Duration LATE = Duration.ofMillis(250);

    private final Engine engine;
    private final HeldLease lease;
    private final Grant grant;
    private final LossNotice notice = new LossNotice();

    private volatile @Nullable LeaseLost known;

    LeaseLoss(Engine engine, HeldLease lease, Grant grant) {
        this.engine = engine;
        this.lease = lease;
        this.grant = grant;
    }

    LossNotice notice() {
        return notice;
    }

    /** The loss; null if there is none, or if its reason is still being found out. */
    @Nullable
    LeaseLost known() {
        return known;
    }

    /** Its time is over. The work must know at once, the reason may take a request. */
    void ranOut() {
        stopWork();
        if (!grant.autoRenew()) {
            lease.lose(Reason.EXPIRED, null);
        } else if (lease.hasReachedMaxHold()) {
            lease.lose(Reason.MAX_HOLD, null);
        } else if (lease.isRenewalMissing() && !lease.isPastItsEndBy(LATE)) {
            lease.lose(Reason.UNREACHABLE, null);
        } else {
            engine.tasks.beat(lease.endNanos(), this::lookWhy);
        }
    }

    private void lookWhy() {
        Refusals.Renewal.Gone gone;
        try {
            Duration timeout = engine.settings.attemptTimeoutFor(grant.lease());
            Answer answer = engine.gate.read(grant.name(), grant.stored(), true, timeout);
            gone = Refusals.gone(grant.leaseId(), answer.row());
        } catch (LockStoreException unreachable) {
            gone = new Refusals.Renewal.Gone(Reason.UNREACHABLE, null);
        }
        lease.lose(gone.reason(), gone.newHolder());
    }

    LeaseLost because(Reason reason, Instant at, @Nullable String newHolder) {
        LeaseLost loss = new LeaseLost(grant.name(), grant.owner(), reason, at, newHolder);
        known = loss;
        return loss;
    }

    private void stopWork() {
        if (grant.onLost() == OnLost.INTERRUPT && !lease.isGivenBack()) {
            lease.workers().interrupt();
        }
    }

    /** Tells it where code that is not ours may take its time. */
    void tell(LeaseLost loss) {
        stopWork();
        engine.tasks.tell(() -> {
            Level level = loss.reason() == Reason.CLOSED ? Level.DEBUG : Level.WARN;
            LOG.atLevel(level)
                    .log(
                            "Lost lock '{}' (owner '{}', token {}): {}",
                            grant.name(),
                            grant.owner(),
                            grant.token(),
                            loss.describe());
            engine.listener.onLost(lease, loss);
            notice.give(loss);
            if (grant.onLost() == OnLost.SHUTDOWN && !engine.isClosed()) {
                engine.emergency.declare(loss);
            }
        });
    }
}
