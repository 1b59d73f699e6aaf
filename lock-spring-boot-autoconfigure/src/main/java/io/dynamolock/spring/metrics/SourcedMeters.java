/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Meters that show the state of objects, and are removed with these. While the registry shows the same meter of another
 * object, such as a manager with the same name in another context, a meter waits until that one is removed.
 *
 * <p>Thread-safe. Holds no lock while it calls the registry, which calls back under one of its own.
 */
final class SourcedMeters {

    private final MeterRegistry registry;
    private final Map<Key, Meter> shown = new ConcurrentHashMap<>();
    private final Map<Key, Supplier<Meter>> waiting = new ConcurrentHashMap<>();
    private final AtomicBoolean listening = new AtomicBoolean();
    private volatile boolean ended;

    SourcedMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Registers a meter now, or when the same one of another object is removed; never if these meters have the same one
     * already.
     *
     * @param registering registers the meter in the registry, and returns it
     */
    void add(String name, Tags tags, Supplier<Meter> registering) {
        Key key = new Key(name, tags);
        Meter ours = shown.get(key);
        if (ours == null || !contains(registry.getMeters(), ours)) {
            waiting.putIfAbsent(key, registering);
            waiting.forEach(this::showNext);
        }
        if (!waiting.isEmpty() && listening.compareAndSet(false, true)) {
            // stays when these meters have ended, but refers to none of them then
            registry.config().onMeterRemoved(removed -> waiting.forEach(this::showNext));
        }
    }

    /**
     * Only the registry knows what its filters make of a name: it returns the meter of another object, if any. It is not
     * asked while it shows one of the name itself, because Micrometer would warn of a second registration.
     */
    private void showNext(Key key, Supplier<Meter> registering) {
        if (registry.find(key.name).tags(key.tags).meter() != null) {
            return;
        }
        try {
            List<Meter> before = registry.getMeters();
            Meter registered = registering.get();
            if (!contains(before, registered)) {
                shown.put(key, registered);
                if (!waiting.remove(key, registering) && ended) {
                    registry.remove(registered);
                }
            }
        } catch (RuntimeException rejected) {
            if (waiting.remove(key, registering)) {
                Registration.warn(key.name, rejected);
            }
        }
    }

    private static boolean contains(List<Meter> meters, Meter meter) {
        return meters.stream().anyMatch(each -> each == meter);
    }

    void removeAll() {
        ended = true; // first: a meter that is being registered then removes itself
        waiting.clear();
        shown.values().forEach(registry::remove);
        shown.clear();
    }

    private record Key(String name, Tags tags) {}
}
