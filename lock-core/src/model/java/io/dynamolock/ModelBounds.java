/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The scope of one search. All times are milliseconds, which are the ticks of the search. */
final class ModelBounds {

    static final String LOCK = "job";

    private final String name;
    private final List<LeaseTime> times;
    private List<List<Integer>> offsets;
    private List<Integer> durations = List.of(2);
    private List<Integer> renewalDurations = List.of(2);
    private int halfWidth;
    private int horizon;
    private int leases = 1;
    private int renewals;
    private int unanswered;
    private int minHold;
    private int lockDelay;
    private int pauses;
    private int revocations;
    private boolean observes;
    private boolean readsRow;
    private boolean detaches;
    private boolean forges;
    private boolean claims;
    private boolean samples;
    private int step = 1;
    private int leap;
    private int leaps;
    private List<Integer> rates = List.of();
    private boolean small;

    /**
     * Begins a scope.
     *
     * @param name what it is about
     * @param times which time each process goes by: as many as there are processes
     */
    ModelBounds(String name, LeaseTime... times) {
        this.name = name;
        this.times = List.of(times);
        this.offsets = List.of(Collections.nCopies(times.length, 0));
    }

    String name() {
        return name;
    }

    List<LeaseTime> times() {
        return times;
    }

    int processes() {
        return times.size();
    }

    /** Which wall clocks are tried: for each try, one offset per process. */
    List<List<Integer>> offsets() {
        return offsets;
    }

    /** By how much the second of two wall clocks is tried to be ahead. */
    ModelBounds apart(Integer... ticks) {
        offsets = Stream.of(ticks).map(ahead -> List.of(0, ahead)).toList();
        return this;
    }

    /**
     * Whether processes know the store's time by the dates of its responses only. Wall clocks agree then; the front ends that
     * date the responses of each process are off by the offsets.
     */
    boolean samples() {
        return samples;
    }

    /** Whether each build explores it. */
    boolean isSmall() {
        return small;
    }

    ModelBounds small() {
        small = true;
        return this;
    }

    ModelBounds sampling() {
        samples = true;
        return this;
    }

    /** How long a move is in which time passes. */
    int step() {
        return step;
    }

    ModelBounds step(int ticks) {
        step = ticks;
        return this;
    }

    /** How long a move is in which much time passes, and how many of these there are. */
    int leap() {
        return leap;
    }

    int leaps() {
        return leaps;
    }

    ModelBounds leaps(int number, int ticks) {
        leaps = number;
        leap = ticks;
        return this;
    }

    /** By how much the clocks of two processes gain in each leap. */
    ModelBounds gaining(int one, int other) {
        rates = List.of(one, other);
        return this;
    }

    int gainOf(int process) {
        return rates.isEmpty() ? 0 : rates.get(process);
    }

    /** How often the time has leapt, at a tick. */
    int leapsAt(int tick) {
        return leap == 0 ? 0 : tick / leap;
    }

    /** Whether less than all of its time has passed, leaps aside. */
    boolean goesOnAt(int tick) {
        return tick - leapsAt(tick) * leap < horizon;
    }

    /** The durations of acquisitions. */
    List<Integer> durations() {
        return durations;
    }

    ModelBounds durations(Integer... ticks) {
        durations = List.of(ticks);
        return this;
    }

    /** The durations of renewals. */
    List<Integer> renewalDurations() {
        return renewalDurations;
    }

    ModelBounds renewalDurations(Integer... ticks) {
        renewalDurations = List.of(ticks);
        return this;
    }

    /** Half of the allowed clock skew. */
    int halfWidth() {
        return halfWidth;
    }

    ModelBounds halfWidth(int wanted) {
        halfWidth = wanted;
        return this;
    }

    /** How long it lasts. */
    int horizon() {
        return horizon;
    }

    ModelBounds horizon(int wanted) {
        horizon = wanted;
        return this;
    }

    /** How many proposals each process may make. */
    int leases() {
        return leases;
    }

    ModelBounds leases(int wanted) {
        leases = wanted;
        return this;
    }

    /** How many renewals each lease may send. */
    int renewals() {
        return renewals;
    }

    ModelBounds renewals(int wanted) {
        renewals = wanted;
        return this;
    }

    /** How many acquisitions can stay without a response. */
    int unanswered() {
        return unanswered;
    }

    ModelBounds unanswered(int wanted) {
        unanswered = wanted;
        return this;
    }

    /** How long a lock stays taken at least. */
    int minHold() {
        return minHold;
    }

    ModelBounds minHold(int wanted) {
        minHold = wanted;
        return this;
    }

    /** How much longer than the holder a rival must wait. */
    int lockDelay() {
        return lockDelay;
    }

    ModelBounds lockDelay(int wanted) {
        lockDelay = wanted;
        return this;
    }

    /** How often a machine may stand still for a tick. */
    int pauses() {
        return pauses;
    }

    ModelBounds pauses(int wanted) {
        pauses = wanted;
        return this;
    }

    /** How often an operator may revoke a lease. */
    int revocations() {
        return revocations;
    }

    ModelBounds revocations(int wanted) {
        revocations = wanted;
        return this;
    }

    /** Whether processes remember the rows that they saw. */
    boolean observes() {
        return observes;
    }

    ModelBounds observing() {
        observes = true;
        return this;
    }

    /** Whether they read the row between their attempts, too. */
    boolean readsRow() {
        return readsRow;
    }

    ModelBounds looking() {
        observes = true;
        readsRow = true;
        return this;
    }

    /** Whether leases are handed from process to process. */
    boolean detaches() {
        return detaches;
    }

    ModelBounds detaching() {
        detaches = true;
        return this;
    }

    /** Whether a later version may write the row, and whether lease tokens are written that nobody was given. */
    boolean forges() {
        return forges;
    }

    ModelBounds forging() {
        forges = true;
        return this;
    }

    /** Whether waiters claim the next turn. */
    boolean claims() {
        return claims;
    }

    ModelBounds claiming() {
        claims = true;
        return this;
    }

    LockDelay lockDelayInRow() {
        return new LockDelay(Duration.ofMillis(lockDelay));
    }

    /** The lease id of the {@code nth} proposal of a process. */
    String leaseId(int process, int nth) {
        return "p" + process + "." + nth;
    }

    int processOf(String leaseId) {
        return leaseId.charAt(1) - '0';
    }

    int indexOf(String leaseId) {
        return processOf(leaseId) * leases + leaseId.charAt(3) - '0';
    }

    String leaseIdAt(int index) {
        return leaseId(index / leases, index % leases);
    }
}
