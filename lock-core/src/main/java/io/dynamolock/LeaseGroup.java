/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One handle on the leases of several locks, which are released in reverse order. */
final class LeaseGroup implements Lease {

    /** States that one lease passes on to the group, the most important first. */
    private static final List<LeaseState> STATES = List.of(
            LeaseState.LOST,
            LeaseState.RELEASED,
            LeaseState.DETACHED,
            LeaseState.AT_RISK,
            LeaseState.UNLOCKED,
            LeaseState.HELD);

    private final List<Lease> leases;
    private @Nullable CompletionStage<LeaseLost> lost;

    LeaseGroup(List<Lease> leases) {
        this.leases = List.copyOf(leases);
    }

    private static List<Lease> reversed(List<Lease> leases) {
        List<Lease> reversed = new ArrayList<>(leases);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Closes leases that no work has used, the last one first. Their failures are added to the one that led here. */
    static void closeUnused(List<Lease> leases, Throwable failure) {
        for (Lease lease : reversed(leases)) {
            try {
                LeasedWork.markUnused(lease);
                lease.close();
            } catch (RuntimeException releaseFailure) {
                failure.addSuppressed(releaseFailure);
            }
        }
    }

    @Override
    public List<Lease> leases() {
        return leases;
    }

    @Override
    public String name() {
        return joined(Lease::name);
    }

    @Override
    public String id() {
        return joined(Lease::id);
    }

    private String joined(Function<Lease, String> text) {
        return leases.stream().map(text).collect(Collectors.joining(", "));
    }

    @Override
    public String owner() {
        return leases.get(0).owner();
    }

    @Override
    public long fencingToken() {
        throw new UnsupportedOperationException("Each of several locks has a fencing token of its own: see leases()");
    }

    @Override
    public Map<String, String> metadata() {
        return leases.get(0).metadata();
    }

    @Override
    public OnLost policy() {
        return leases.get(0).policy();
    }

    /** The moment since when all are held. */
    @Override
    public Instant acquiredAt() {
        return leases.get(leases.size() - 1).acquiredAt();
    }

    /** How long all are held. */
    @Override
    public Duration age() {
        return leases.get(leases.size() - 1).age();
    }

    @Override
    public Instant expiresAt() {
        return earliest(Lease::expiresAt);
    }

    @Override
    public Duration remaining() {
        return earliest(Lease::remaining);
    }

    private <T extends Comparable<? super T>> T earliest(Function<Lease, T> value) {
        return leases.stream().map(value).min(Comparator.naturalOrder()).orElseThrow();
    }

    @Override
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    @Override
    public void ensureHeld() {
        Leases.ensureAllHeld(leases);
    }

    @Override
    public boolean verify() {
        return leases.stream().allMatch(Lease::verify);
    }

    @Override
    public Instant renew() {
        ensureHeld();
        leases.forEach(Lease::renew);
        return expiresAt();
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        ensureHeld();
        leases.forEach(lease -> lease.renew(leaseDuration));
        return expiresAt();
    }

    @Override
    public void markFailed() {
        leases.forEach(Lease::markFailed);
    }

    /** Releases all, whatever fails; returns the outcome that says most. */
    @Override
    public ReleaseOutcome release() {
        return Leases.releaseAll(leases, Lease::release);
    }

    @Override
    public ReleaseOutcome release(Duration keep) {
        SettingsRules.requireKeep(keep);
        return Leases.releaseAll(leases, lease -> lease.release(keep));
    }

    @Override
    public void close() {
        var unused = Leases.releaseAll(leases, lease -> {
            lease.close();
            return ReleaseOutcome.RELEASED;
        });
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        CompletableFuture<?>[] all = reversed(leases).stream()
                .map(lease -> lease.closeAsync().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all).minimalCompletionStage();
    }

    @Override
    public void onAtRisk(Consumer<Lease> action) {
        Objects.requireNonNull(action, "action");
        leases.forEach(lease -> lease.onAtRisk(atRisk -> action.accept(this)));
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        Objects.requireNonNull(action, "action");
        AtomicBoolean first = new AtomicBoolean(true);
        leases.forEach(lease -> lease.onLost(loss -> {
            if (first.getAndSet(false)) {
                action.accept(loss);
            }
        }));
    }

    @Override
    public synchronized CompletionStage<LeaseLost> lost() {
        if (lost == null) {
            CompletableFuture<LeaseLost> first = new CompletableFuture<>();
            leases.forEach(lease -> {
                CompletionStage<Void> unused = lease.lost().thenAccept(first::complete);
            });
            lost = first.minimalCompletionStage();
        }
        return lost;
    }

    @Override
    public LeaseState state() {
        List<LeaseState> states = leases.stream().map(Lease::state).toList();
        Supplier<AssertionError> unknown = () -> new AssertionError(states);
        return STATES.stream().filter(states::contains).findFirst().orElseThrow(unknown);
    }

    @Override
    public LeaseToken detach() {
        throw new UnsupportedOperationException("Several locks cannot be detached together: detach each of leases()");
    }

    @Override
    public String toString() {
        return leases.toString();
    }
}
