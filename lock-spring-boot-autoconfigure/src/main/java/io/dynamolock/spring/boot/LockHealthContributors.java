/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.spring.boot.LockManagerFactory.Made;
import io.dynamolock.spring.health.LockHealthIndicator;
import io.dynamolock.spring.health.ManagerVitals;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/**
 * Composes the health of locks: of each lock manager with its store, and of each store whose manager the application
 * built itself.
 */
final class LockHealthContributors {

    private final Map<String, LockManager> managers;
    private final Map<String, LockStore> others;
    private final Function<String, @Nullable Made> made;
    private final ManagerVitals vitals;
    private final Clock clock;

    LockHealthContributors(
            Map<String, LockManager> managers,
            Map<String, LockStore> stores,
            Function<String, @Nullable Made> made,
            ManagerVitals vitals,
            Clock clock) {
        this.managers = managers;
        this.others = new TreeMap<>(stores);
        this.made = made;
        this.vitals = vitals;
        this.clock = clock;
        for (String manager : managers.keySet()) {
            Made created = made.apply(manager);
            if (created != null) {
                others.values().removeIf(store -> store == created.store());
            }
        }
    }

    /** Returns one indicator for a single manager, else a composite with one for each. */
    HealthContributor contributor() {
        if (managers.size() == 1) {
            Map.Entry<String, LockManager> only = managers.entrySet().iterator().next();
            return indicator(only.getKey(), only.getValue(), others);
        }
        Map<String, LockHealthIndicator> all = new LinkedHashMap<>();
        managers.forEach((name, manager) -> all.put(name, indicator(name, manager, Map.of())));
        others.forEach((name, store) ->
                all.put(name, indicator(Map.of(name, store), prefixAt(name), List.of(), name, LockSettings.DEFAULTS)));
        LockHealthIndicator.group(all.values());
        return CompositeHealthContributor.fromMap(all);
    }

    /**
     * Returns the name prefix of the locks in a store of the application. Which of its managers uses the store is
     * unknown, unless the bean name identifies it or all these managers have the same prefix.
     */
    private String prefixAt(String store) {
        Map<String, String> prefixes = new LinkedHashMap<>();
        managers.forEach((name, manager) -> {
            if (made.apply(name) == null) {
                prefixes.put(
                        ManagerProperties.storeBean(name), settings(manager).namePrefix());
            }
        });
        boolean same = Set.copyOf(prefixes.values()).size() == 1;
        return prefixes.getOrDefault(store, same ? prefixes.values().iterator().next() : "");
    }

    private static LockSettings settings(LockManager manager) {
        return manager.diagnostics().map(LockDiagnostics::settings).orElse(LockSettings.DEFAULTS);
    }

    private LockHealthIndicator indicator(String name, LockManager manager, Map<String, LockStore> itsOthers) {
        Made created = made.apply(name);
        Map<String, LockStore> stores = new LinkedHashMap<>(itsOthers);
        if (created == null) {
            LockSettings settings = settings(manager);
            return indicator(stores, settings.namePrefix(), List.of(manager), name, settings);
        }
        stores.put(name, created.store());
        LockSettings settings = LockSettingsMapper.lockSettings(created.properties());
        return indicator(stores, settings.namePrefix(), List.of(manager), name, settings);
    }

    private LockHealthIndicator indicator(
            Map<String, LockStore> stores, String prefix, List<LockManager> of, String name, LockSettings settings) {
        Duration interval = settings.heartbeatIntervalFor(settings.leaseDuration());
        String probed = ManagerProperties.probedRow(prefix);
        return new LockHealthIndicator(stores, probed, of, vitals.of(name), interval, clock);
    }
}
