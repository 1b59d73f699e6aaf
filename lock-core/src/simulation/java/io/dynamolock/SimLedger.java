/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable.Change;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The true contents of the table over time: tokens increase (2), and results of calls are true (5). */
final class SimLedger {

    /** After a manual change of a row, tokens increase again from requests whose clocks are certainly past the last token. */
    private static final long CLOCKS_APART = 6_000_000_000L;

    private static final long SOON = 40_000_000;

    /** The window of a claim, and the widths of the wall clocks by which it is known to be over. */
    private static final long LONGEST_RESERVATION = 5_500_000_000L;

    /** The same without a common time, after one observation. */
    private static final long LONGEST_OBSERVED_RESERVATION = 62_000_000_000L;

    /** A version of the row of one name, its start, and the kind of request that wrote it; null if it was none. */
    record Version(long since, Map<String, AttributeValue> row, SimRequest.@Nullable Kind by) {

        @Nullable
        String leaseId() {
            AttributeValue id = row.get("leaseId");
            return id == null ? null : Objects.requireNonNullElse(id.s(), "of another type");
        }

        long number(String attribute) {
            AttributeValue value = row.get(attribute);
            return value == null || value.n() == null ? 0 : new BigDecimal(value.n()).longValue();
        }
    }

    private static final class Name {
        final List<Version> versions = new ArrayList<>();
        long highest;
        long highestAt;
        long freedAt;
        int freedBy;
    }

    /** The requester of a lease, and the start of the request. */
    private record Acquire(SimCall call, long sent, long made) {}

    private final SimScheduler time;
    private final SimVerdict verdict;
    private final SimFaults faults;
    private final boolean tokensSurviveRows;
    private final Map<String, Name> names = new HashMap<>();
    private final Map<String, String> freed = new HashMap<>();
    private final Map<String, Integer> claimants = new HashMap<>();
    private final Map<String, Acquire> acquires = new HashMap<>();

    SimLedger(SimScheduler time, SimVerdict verdict, SimFaults faults, boolean tokensSurviveRows) {
        this.time = time;
        this.verdict = verdict;
        this.faults = faults;
        this.tokensSurviveRows = tokensSurviveRows;
    }

    private Name of(String name) {
        return names.computeIfAbsent(name, unused -> {
            Name fresh = new Name();
            fresh.versions.add(new Version(0, Map.of(), null));
            return fresh;
        });
    }

    void sent(SimCall call) {
        if (call.what.acquires()) {
            acquires.putIfAbsent(call.what.leaseId(), new Acquire(call, time.now(), call.from.madeAt()));
        }
    }

    Version now(String name) {
        List<Version> versions = of(name).versions;
        return versions.get(versions.size() - 1);
    }

    void changed(Change change, @Nullable SimCall by) {
        Name name = of(change.name());
        Version before = now(change.name());
        Version after = new Version(time.now(), change.after(), by == null ? null : by.what.kind());
        name.versions.add(after);
        if (by == null) {
            return;
        }
        if (SimForger.isLater(change.before())) {
            verdict.broken(1, change.name() + " is of a later version, and was changed by " + by.what.text());
        }
        String id = after.leaseId();
        if (id != null && !id.equals(before.leaseId())) {
            granted(change.name(), name, before, after, by);
        } else if (by.what.kind() == SimRequest.Kind.CLAIM) {
            claimants.put(claimIn(after), by.from.number);
            verdict.reached(SimSometimes.CLAIMED);
        } else if (by.what.kind() == SimRequest.Kind.RELEASE || by.what.kind() == SimRequest.Kind.REST) {
            freed.put(by.what.leaseId(), "");
            name.freedAt = time.now();
            name.freedBy = by.from.number;
            if (by.what.kind() == SimRequest.Kind.REST) {
                verdict.reached(SimSometimes.RESTED_AFTER_RELEASE);
            }
        }
    }

    private void granted(String lock, Name name, Version before, Version after, SimCall call) {
        long token = after.number("fencingToken");
        Acquire by = acquires.get(after.leaseId());
        boolean soon = (by == null ? time.now() : by.made()) - name.highestAt < CLOCKS_APART;
        boolean promised = !faults.changedRow(lock) || (tokensSurviveRows && !soon && !faults.brokeTime());
        if (token <= name.highest && promised) {
            verdict.broken(
                    2,
                    lock + " was granted with token " + token + " after " + name.highest + ", to " + after.leaseId());
        }
        if (token > name.highest) {
            name.highest = token;
            name.highestAt = time.now();
        }
        Integer claimant = claimants.get(claimIn(before));
        if (before.leaseId() == null && claimant != null && claimant == call.from.number) {
            verdict.reached(SimSometimes.CLAIMANT_SERVED);
        }
        if (before.leaseId() == null && name.freedBy == call.from.number && time.now() - name.freedAt < SOON) {
            verdict.reached(SimSometimes.HANDED_OVER_IN_PROCESS);
        }
        if (before.leaseId() != null && call.what.kind() == SimRequest.Kind.ACQUIRE) {
            verdict.reached(SimSometimes.TAKEN_OVER_BY_EXPIRY);
        } else if (before.leaseId() != null && call.what.kind() == SimRequest.Kind.TAKE_OVER_STILL) {
            verdict.reached(SimSometimes.TAKEN_OVER_BY_OBSERVATION);
        }
    }

    /**
     * Whether a lease that somebody else has tried to acquire was in the row at some moment since then.
     *
     * @param by the thread that acquires, and sends its own requests
     * @param began when it began to acquire
     * @param owner by which requests are known that others have sent for it; empty if none did
     */
    boolean wasHeldByAnother(String name, long from, SimThread by, long began, String owner) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1; i >= 0; i--) {
            Version version = versions.get(i);
            boolean held = version.leaseId() != null || SimForger.isLater(version.row());
            if (held && !isOwn(acquires.get(version.leaseId()), by, began, owner)) {
                return true;
            }
            if (version.since() <= from) {
                return false;
            }
        }
        return false;
    }

    /** Whether a free lock was reserved for the claimant in another process at some moment since then. */
    boolean wasReservedForAnother(String name, long from, SimProcess process) {
        long longest = process.mode == LeaseTime.SYSTEM ? LONGEST_RESERVATION : LONGEST_OBSERVED_RESERVATION;
        return wasClaimed(
                name,
                from,
                process,
                version -> faults.brokeTime()
                        || from - version.since() <= longest
                        || wasReleasedNow(version, from, longest, process));
    }

    /** Whether the row seems to have been released recently, as the wall clock of a holder without a common time says. */
    private boolean wasReleasedNow(Version version, long from, long longest, SimProcess process) {
        long elapsedMillis = process.context.clock.now().earliestMillis() - version.number("lastEndedAt");
        return Math.abs(elapsedMillis) * 1_000_000 <= longest + time.now() - from;
    }

    /** Whether a free lock had a claim at some moment since then, even if that was over, or withdrawn by then. */
    boolean wasClaimed(String name, long from) {
        return wasClaimed(name, from, null, version -> true);
    }

    private boolean wasClaimed(String name, long from, @Nullable SimProcess except, Predicate<Version> seemsFresh) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1; i >= 0; i--) {
            Version version = versions.get(i);
            Integer claimant = claimants.get(claimIn(version));
            if (version.leaseId() == null
                    && claimant != null
                    && (except == null || claimant != except.number)
                    && seemsFresh.test(version)) {
                verdict.reached(SimSometimes.RESERVED_FOR_CLAIMANT);
                return true;
            }
            if (version.since() <= from) {
                return false;
            }
        }
        return false;
    }

    static String claimIn(Version version) {
        return SimRequest.text(version.row(), "claim");
    }

    /** An acquire answered too late because of a pause is undone, and may block its own process until then. */
    private static boolean isOwn(@Nullable Acquire sent, SimThread by, long began, String owner) {
        return sent != null
                && ((sent.call().waiting == by && sent.sent() >= began)
                        || sent.call().what.owner().equals(owner))
                && !sent.call().from.hasPausedSince(sent.sent());
    }

    /** Returns whether the row has been unchanged since it last contained this lease. */
    boolean hasSince(String name, String leaseId, Predicate<Version> like) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1;
                i >= 0 && !leaseId.equals(versions.get(i).leaseId());
                i--) {
            if (like.test(versions.get(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the row has belonged to another holder since this lease got it, or was freed outside the library, or was
     * created again after its deletion, which leaves no trace of this lease.
     */
    boolean wasTaken(String name, String leaseId) {
        boolean replaced = since(name, leaseId)
                .anyMatch(version -> version.leaseId() == null
                        ? version.by() == null && !version.row().isEmpty()
                        : !leaseId.equals(version.leaseId()));
        return replaced
                || since(name, leaseId).anyMatch(version -> SimForger.isLater(version.row()))
                || since(name, leaseId)
                        .dropWhile(version -> !version.row().isEmpty())
                        .anyMatch(version -> !version.row().isEmpty());
    }

    /** Returns whether something else than the library has written the row since this lease got it. */
    boolean wasForged(String name, String leaseId) {
        return since(name, leaseId).anyMatch(version -> version.by() == null);
    }

    /** Returns whether the row has been absent since this lease got it. */
    boolean wasDeleted(String name, String leaseId) {
        return since(name, leaseId).anyMatch(version -> version.row().isEmpty());
    }

    /** Returns whether this lease was revoked in its row, or freed by force. */
    boolean wasRevoked(String name, String leaseId) {
        return since(name, leaseId)
                .anyMatch(version -> leaseId.equals(version.leaseId())
                        ? version.row().containsKey("revoked")
                        : version.by() == SimRequest.Kind.FORCE_FREE
                                && leaseId.equals(SimRequest.text(version.row(), "lastLeaseId")));
    }

    /** Returns the versions since this lease got the row. */
    private Stream<Version> since(String name, String leaseId) {
        return of(name).versions.stream().dropWhile(version -> !leaseId.equals(version.leaseId()));
    }

    /** Returns whether another lease replaced this one in its row while it was marked as detached. */
    boolean wasResumed(String name, String leaseId) {
        List<Version> versions = of(name).versions;
        for (int i = 1; i < versions.size(); i++) {
            Version before = versions.get(i - 1);
            String next = versions.get(i).leaseId();
            boolean detached = leaseId.equals(before.leaseId()) && before.row().containsKey("detached");
            if (detached && next != null && !next.equals(leaseId)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how often the holder of the row has changed since a moment, except to the lease that this thread got. */
    int otherChanges(String name, long from, SimThread by) {
        int count = isSentBy(now(name), by, from) ? -1 : 0;
        String before = null;
        for (Version version : of(name).versions) {
            boolean differs = !Objects.equals(before, version.leaseId());
            count += differs && version.since() >= from ? 1 : 0;
            before = version.leaseId();
        }
        return count;
    }

    /** Returns whether the row was written since a moment, or was held then, except for a lease of this thread. */
    boolean wasUsedByOthers(String name, long from, SimThread by) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1; i >= 0; i--) {
            Version version = versions.get(i);
            boolean written = version.since() >= from;
            if ((written || version.leaseId() != null) && !isSentBy(version, by, from)) {
                return true;
            }
            if (!written) {
                return false;
            }
        }
        return false;
    }

    /** Returns how often the token floor has risen since a moment, except by an acquisition. */
    int floorRaises(String name, long from) {
        int count = 0;
        List<Version> versions = of(name).versions;
        for (int i = 1; i < versions.size(); i++) {
            Version before = versions.get(i - 1);
            Version after = versions.get(i);
            boolean sameHolder = Objects.equals(before.leaseId(), after.leaseId());
            boolean raised = after.number("tokenFloor") > before.number("tokenFloor");
            count += after.since() >= from && sameHolder && raised ? 1 : 0;
        }
        return count;
    }

    private boolean isSentBy(Version version, SimThread by, long from) {
        Acquire lease = acquires.get(version.leaseId());
        return lease != null && lease.call().waiting == by && lease.sent() >= from;
    }

    Map<String, AttributeValue> rowAt(String name, long moment) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1; i > 0; i--) {
            if (versions.get(i).since() <= moment) {
                return versions.get(i).row();
            }
        }
        return Map.of();
    }

    boolean wasFreed(String leaseId) {
        return freed.containsKey(leaseId);
    }
}
