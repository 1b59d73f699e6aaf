/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds all lock managers of an application, including those that are injected by name only. */
final class LockManagerBeans {

    private LockManagerBeans() {}

    /** Returns the managers by bean name; the one that is injected without a qualifier comes first. */
    static Map<String, LockManager> in(ListableBeanFactory beans) {
        Map<String, LockManager> all = beans.getBeansOfType(LockManager.class);
        LockManager first = beans.getBeanProvider(LockManager.class).getIfUnique();
        Map<String, LockManager> ordered = new LinkedHashMap<>();
        all.forEach((name, manager) -> {
            if (manager == first) {
                ordered.put(name, manager);
            }
        });
        ordered.putAll(all);
        return ordered;
    }
}
