/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.SimTable.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the table contained and when, as it really was: tokens grow (2), and what callers are told is true (5). */
final class SimLedger {

    /** After a row was changed by hand, tokens grow again with what is asked for when the clocks are surely past the last one. */
    private static final long CLOCKS_APART = 6_000_000_000L;

    private static final long SOON = 40_000_000;

    /** What the row of one name was from some moment on. */
    record Version(long since, Map<String, AttributeValue> row) {

        @Nullable
        String leaseId() {
            AttributeValue id = row.get("leaseId");
            return id == null ? null : id.s();
        }

        long number(String attribute) {
            AttributeValue value = row.get(attribute);
            return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
        }
    }

    private static final class Name {
        final List<Version> versions = new ArrayList<>();
        long highest;
        long highestAt;
        long freedAt;
        int freedBy;
    }

    private final SimScheduler time;
    private final SimVerdict verdict;
    private final SimFaults faults;
    private final boolean tokensSurviveRows;
    private final Map<String, Name> names = new HashMap<>();
    private final Map<String, String> freed = new HashMap<>();
    private final Map<String, Long> asked = new HashMap<>();

    SimLedger(SimScheduler time, SimVerdict verdict, SimFaults faults, boolean tokensSurviveRows) {
        this.time = time;
        this.verdict = verdict;
        this.faults = faults;
        this.tokensSurviveRows = tokensSurviveRows;
    }

    private Name of(String name) {
        return names.computeIfAbsent(name, unused -> {
            Name fresh = new Name();
            fresh.versions.add(new Version(0, Map.of()));
            return fresh;
        });
    }

    void sent(SimCall call) {
        if (call.what.acquires()) {
            asked.putIfAbsent(call.what.leaseId(), call.from.madeAt());
        }
    }

    Version now(String name) {
        List<Version> versions = of(name).versions;
        return versions.get(versions.size() - 1);
    }

    void changed(Change change, @Nullable SimCall by) {
        Name name = of(change.name());
        Version before = now(change.name());
        Version after = new Version(time.now(), change.after());
        name.versions.add(after);
        if (by == null) {
            return;
        }
        String id = after.leaseId();
        if (id != null && !id.equals(before.leaseId())) {
            granted(change.name(), name, before, after, by);
        } else if (by.what.kind() == SimRequest.Kind.RELEASE || by.what.kind() == SimRequest.Kind.REST) {
            freed.put(by.what.leaseId(), "");
            name.freedAt = time.now();
            name.freedBy = by.from.number;
            if (by.what.kind() == SimRequest.Kind.REST) {
                verdict.reached(SimSometimes.RESTED_AFTER_RELEASE);
            }
        }
    }

    private void granted(String lock, Name name, Version before, Version after, SimCall by) {
        long token = after.number("fencingToken");
        boolean soon = asked.getOrDefault(after.leaseId(), time.now()) - name.highestAt < CLOCKS_APART;
        boolean promised = !faults.changedRow() || (tokensSurviveRows && !soon && !faults.brokeTime());
        if (token <= name.highest && promised) {
            verdict.broken(
                    2,
                    lock + " was granted with token " + token + " after " + name.highest + ", to " + after.leaseId());
        }
        if (token > name.highest) {
            name.highest = token;
            name.highestAt = time.now();
        }
        if (before.leaseId() == null && name.freedBy == by.from.number && time.now() - name.freedAt < SOON) {
            verdict.reached(SimSometimes.HANDED_OVER_IN_PROCESS);
        }
        if (before.leaseId() != null && by.what.kind() == SimRequest.Kind.ACQUIRE) {
            verdict.reached(SimSometimes.TAKEN_OVER_BY_EXPIRY);
        } else if (before.leaseId() != null && by.what.kind() == SimRequest.Kind.TAKE_OVER_STILL) {
            verdict.reached(SimSometimes.TAKEN_OVER_BY_OBSERVATION);
        }
    }

    /** Whether a lease of somebody's was in the row at some moment between these. */
    boolean wasHeld(String name, long from, long to) {
        List<Version> versions = of(name).versions;
        for (int i = versions.size() - 1; i >= 0; i--) {
            Version version = versions.get(i);
            if (version.since() <= to && version.leaseId() != null) {
                return true;
            }
            if (version.since() <= from) {
                return false;
            }
        }
        return false;
    }

    /** How often the row got another holder, or none, between these moments. */
    int changes(String name, long from, long to) {
        int count = 0;
        String before = null;
        for (Version version : of(name).versions) {
            boolean differs = !java.util.Objects.equals(before, version.leaseId());
            if (differs && version.since() >= from && version.since() <= to) {
                count++;
            }
            before = version.leaseId();
        }
        return count;
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
