/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work under a lease: the lease is released after the work has ended, never earlier, even if the manager closes, and a
 * lost lock reaches the caller, unless its policy is {@link OnLost#EVENT}. The methods of {@link LockManager} that run
 * work use this; other code needs it only for work that no thread runs from begin to end.
 *
 * @since 0.1
 */
public final class LeasedWork {

    private static final Logger LOG = LoggerFactory.getLogger(LeasedWork.class);

    private LeasedWork() {}

    static <T> T call(Lease lease, LockedWork<T> work) throws Exception {
        Throwable thrown = null;
        begin(lease);
        try {
            return work.run(lease);
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            end(lease, thrown);
        }
    }

    static void run(Lease lease, Runnable work) {
        Throwable thrown = null;
        begin(lease);
        try {
            work.run();
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            end(lease, thrown);
        }
    }

    private static void begin(Lease lease) {
        for (Lease one : lease.leases()) {
            HeldLease held = underneath(one);
            if (held != null) {
                held.workers().enter();
            }
        }
    }

    private static @Nullable HeldLease underneath(Lease lease) {
        return lease instanceof HeldLease held
                ? held
                : lease instanceof ReentrantLease reentrant ? reentrant.lease() : null;
    }

    /**
     * Closes the lease, and throws a LeaseLostException if it was lost. A failed release does not fail the work: it has
     * been logged, and the lease expires.
     */
    private static void end(Lease lease, @Nullable Throwable thrown) {
        boolean interrupted = leave(lease); // before the loss is determined, which may interrupt threads at work
        LeaseLostException lost = lossOf(lease);
        markFailure(lease, lost, thrown);
        try {
            lease.close();
        } catch (RuntimeException releaseFailure) {
            if (thrown != null) {
                thrown.addSuppressed(releaseFailure);
            }
        }
        LeaseLostException reported = reported(lease, lost, thrown);
        if (reported != null) {
            if (thrown instanceof InterruptedException && !interrupted) {
                Thread.currentThread().interrupt();
            }
            throw reported;
        }
    }

    /** Ends the work of the calling thread; returns whether a loss has interrupted it. */
    private static boolean leave(Lease lease) {
        boolean interrupted = false;
        for (Lease one : lease.leases()) {
            HeldLease held = underneath(one);
            if (held != null) {
                held.workers().leave();
                interrupted |= held.workers().areInterrupted();
            }
        }
        return interrupted;
    }

    /**
     * Ends work that has run asynchronously under a lease: closes the lease without blocking the calling thread.
     *
     * @param lease the lease, which was held when the work began; released, detached or lost meanwhile, or still held
     * @param failure the exception of the work; null if it succeeded
     * @return completes normally after the release if the caller gets the outcome of the work, also if the release
     *     failed; fails with {@link LeaseLostException}, with the exception of the work as suppressed, if the caller
     *     must get that instead
     */
    public static CompletionStage<Void> endAsync(Lease lease, @Nullable Throwable failure) {
        LeaseLostException lost = lossOf(lease);
        markFailure(lease, lost, failure);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletionStage<Void> unused = lease.closeAsync().whenComplete((closed, unreleased) -> {
            LeaseLostException reported = reported(lease, lost, failure);
            if (reported == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(reported);
            }
        });
        return ended.minimalCompletionStage();
    }

    /**
     * Ends a lease whose work has not begun and never will: the lock is free at once, without its
     * {@linkplain LockRequest#minHold minimum hold}, and no trace of the hold remains in the table. A lease that its
     * thread holds more than once ends so with its last handle, if no work has used any. Does not block the calling
     * thread, except after the manager has been closed, as {@link Lease#closeAsync()}.
     *
     * @param lease the lease
     * @return completes normally after the release, also if that failed
     */
    public static CompletionStage<Void> endUnusedAsync(Lease lease) {
        markUnused(lease);
        return lease.closeAsync().exceptionally(unreleased -> null);
    }

    /**
     * Ends a lease like {@link #endUnusedAsync}, on the calling thread. A failed release is logged only, as the lease
     * expires.
     *
     * @param lease the lease
     */
    public static void endUnused(Lease lease) {
        markUnused(lease);
        try {
            lease.close();
        } catch (RuntimeException unreleased) {
            LOG.debug("Lock '{}' is left to expire: {}", lease.name(), unreleased.getMessage());
        }
    }

    /** Marks a lease whose work has not begun, before it is closed. */
    static void markUnused(Lease lease) {
        for (Lease one : lease.leases()) {
            if (one instanceof GrantedLease granted) {
                granted.markUnused();
            }
        }
    }

    private static void markFailure(Lease lease, @Nullable LeaseLostException lost, @Nullable Throwable thrown) {
        if (lost != null || thrown != null) {
            lease.markFailed();
        }
    }

    /** Returns the loss of a lease whose work has just ended; null if it is held, or if the work released it. */
    private static @Nullable LeaseLostException lossOf(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException lost) {
            return lost;
        } catch (IllegalStateException releasedByTheWork) {
            return null;
        }
    }

    /**
     * Returns what the caller gets instead of the outcome of the work; null if it gets that.
     *
     * @param lost the loss that was known when the work ended; the release may have found another one, or the reason
     */
    private static @Nullable LeaseLostException reported(
            Lease lease, @Nullable LeaseLostException lost, @Nullable Throwable thrown) {
        LeaseLostException reported = lease.policy() == OnLost.EVENT ? null : lossAtLast(lease, lost, thrown);
        if (reported != null && thrown instanceof Error) {
            thrown.addSuppressed(reported);
            return null;
        }
        return reported;
    }

    private static @Nullable LeaseLostException lossAtLast(
            Lease lease, @Nullable LeaseLostException lost, @Nullable Throwable thrown) {
        for (Lease one : lease.leases()) {
            HeldLease held = underneath(one);
            LeaseLostException known = lost != null && lost.lockName().equals(one.name()) ? lost : null;
            boolean endedBefore = one.state() != LeaseState.LOST; // a handle that has no part in the loss
            LeaseLost found = held == null || endedBefore ? null : held.status().lossFoundByRelease();
            if (known != null || found != null) {
                LeaseLost loss = known == null ? found : lossKnown(held, known);
                return isLossOf(one, thrown) ? null : new LeaseLostException(one.name(), one.owner(), loss, thrown);
            }
        }
        return null;
    }

    /** Returns the loss, whose reason may have been found since the end of the work. */
    private static @Nullable LeaseLost lossKnown(@Nullable HeldLease held, LeaseLostException lost) {
        return held == null ? lost.loss() : held.status().loss();
    }

    /**
     * Returns the exception for a lease whose release did not find it in its row any more.
     *
     * @param lease the lease
     * @return its loss, with the reason if that is known
     */
    public static LeaseLostException lossAtRelease(Lease lease) {
        return new LeaseLostException(lease.name(), lease.owner(), lossFoundByRelease(lease));
    }

    /** Returns the loss that was not known before the release of the lease was rejected; null if there is none. */
    private static @Nullable LeaseLost lossFoundByRelease(Lease lease) {
        for (Lease one : lease.leases()) {
            HeldLease held = underneath(one);
            if (held != null && held.status().lossFoundByRelease() != null) {
                return held.status().lossFoundByRelease();
            }
        }
        return null;
    }

    private static boolean isLossOf(Lease lease, @Nullable Throwable thrown) {
        return thrown instanceof LeaseLostException lost && lost.lockName().equals(lease.name());
    }
}
