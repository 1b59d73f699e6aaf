/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.interceptor.DistributedLockAdvisor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Logs a warning for each method whose lock is that of the leader: a scheduled one would be skipped by all processes,
 * without a word. Comes after the validation of all annotations, which reads them.
 */
final class LeaderLockCheck implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLockCheck.class);

    private final ObjectProvider<DistributedLockAdvisor> advisor;
    private final DynamolockProperties properties;
    private final Environment environment;
    private final ConfigurableListableBeanFactory beans;

    LeaderLockCheck(
            ObjectProvider<DistributedLockAdvisor> advisor,
            DynamolockProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        this.advisor = advisor;
        this.properties = properties;
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (properties.enabled()) {
            advisor.ifAvailable(locks ->
                    locks.declaredLocks().stream().filter(this::isOfLeader).forEach(this::warn));
        }
    }

    private boolean isOfLeader(DeclaredLock lock) {
        String manager = lock.manager();
        return lock.names().stream()
                        .map(environment::resolvePlaceholders)
                        .anyMatch(name -> name.equals(properties.leader().name()))
                && (manager == null || environment.resolvePlaceholders(manager).equals(ElectingManager.in(beans)));
    }

    private void warn(DeclaredLock lock) {
        LOG.warn(
                "@DistributedLock on {}: '{}' is the lock of the leader (dynamolock.leader.name), which holds it while it leads."
                        + " So the method finds it busy on each process, the leader included. Use another name, or"
                        + " @OnlyOnLeader without a lock",
                lock.method(),
                properties.leader().name());
    }
}
