/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

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
import java.util.TreeMap;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/**
 * Puts the health of locks together: of each lock manager with its store, and of each store that belongs to a manager that the
 * application made itself.
 */
final class LockHealthContributors {

    private static final String PROBED = "dynamolock";

    private final Map<String, LockManager> managers;
    private final Map<String, LockStore> others;
    private final LockManagerFactory factory;
    private final ManagerVitals vitals;
    private final Clock clock;

    LockHealthContributors(
            Map<String, LockManager> managers,
            Map<String, LockStore> stores,
            LockManagerFactory factory,
            ManagerVitals vitals,
            Clock clock) {
        this.managers = managers;
        this.others = new TreeMap<>(stores);
        this.factory = factory;
        this.vitals = vitals;
        this.clock = clock;
        for (String manager : managers.keySet()) {
            Made made = factory.made(manager);
            if (made != null) {
                others.values().removeIf(store -> store == made.store());
            }
        }
    }

    /** One if that is all there is, else one for each. */
    HealthContributor contributor() {
        if (managers.size() == 1) {
            Map.Entry<String, LockManager> only = managers.entrySet().iterator().next();
            return indicator(only.getKey(), only.getValue(), others);
        }
        Map<String, LockHealthIndicator> all = new LinkedHashMap<>();
        managers.forEach((name, manager) -> all.put(name, indicator(name, manager, Map.of())));
        others.forEach((name, store) ->
                all.put(name, indicator(Map.of(name, store), PROBED, List.of(), name, LockSettings.DEFAULTS)));
        LockHealthIndicator.group(all.values());
        return CompositeHealthContributor.fromMap(all);
    }

    private LockHealthIndicator indicator(String name, LockManager manager, Map<String, LockStore> itsOthers) {
        Made made = factory.made(name);
        Map<String, LockStore> stores = new LinkedHashMap<>(itsOthers);
        if (made == null) {
            LockSettings settings = manager.settings().orElse(LockSettings.DEFAULTS);
            return indicator(stores, PROBED, List.of(manager), name, settings);
        }
        stores.put(name, made.store());
        LockSettings settings = CoreSettings.lockSettings(made.properties());
        return indicator(stores, settings.namePrefix() + PROBED, List.of(manager), name, settings);
    }

    private LockHealthIndicator indicator(
            Map<String, LockStore> stores, String probed, List<LockManager> of, String name, LockSettings settings) {
        Duration interval = settings.heartbeatIntervalFor(settings.leaseDuration());
        return new LockHealthIndicator(stores, probed, of, vitals.of(name), interval, clock);
    }
}
