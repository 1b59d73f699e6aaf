/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import software.amazon.awssdk.core.SdkClient;

/**
 * Lets the lock managers of a closing context outlive the beans that use them, if the work of some still runs after all
 * lifecycle phases, because they were told to wait for it when they are destroyed. Executors of the JDK do not count:
 * their {@code close()} waits for a day, and work that ends with its lease would wait for the managers.
 */
final class LateShutdown {

    private static final Logger LOG = LoggerFactory.getLogger(LateShutdown.class);

    /** The bean name of Spring Boot's Quartz scheduler. */
    private static final String QUARTZ = "quartzScheduler";

    /** What managers use until they are closed. */
    private static final List<Class<?>> PARTS = List.of(
            LockManager.class,
            LockStore.class,
            LockListener.class,
            LockManagerCustomizer.class,
            DynamoDbLockStoreCustomizer.class,
            DynamoDbClientBuilderCustomizer.class,
            SdkClient.class);

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    LateShutdown(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Returns whether a bean waits for its work when it is destroyed. */
    boolean isExpected() {
        boolean tasks = isSet("spring.task.execution.shutdown.await-termination");
        boolean jobs = isSet("spring.task.scheduling.shutdown.await-termination");
        boolean quartz = isSet("spring.quartz.wait-for-jobs-to-complete-on-shutdown");
        // Those that do not wait are paused by now
        return any(ExecutorConfigurationSupport.class, ExecutorConfigurationSupport::isRunning)
                || any(SimpleAsyncTaskExecutor.class, pool -> pool instanceof SimpleAsyncTaskScheduler ? jobs : tasks)
                || (quartz && beans.containsSingleton(QUARTZ));
    }

    private boolean isSet(String property) {
        return environment.getProperty(property, Boolean.class, false);
    }

    private <T> boolean any(Class<T> type, Predicate<T> waits) {
        return existing(type).anyMatch(name -> {
            try {
                return waits.test(beans.getBean(name, type));
            } catch (RuntimeException unknown) {
                LOG.debug("Bean '{}' does not tell whether it waits for its work", name, unknown);
                return false;
            }
        });
    }

    private Stream<String> existing(Class<?> type) {
        return Stream.of(beans.getBeanNamesForType(type, false, false))
                .filter(name -> beans.containsSingleton(BeanFactoryUtils.transformedBeanName(name)));
    }

    /**
     * Makes a bean be destroyed after all others, in whose order nothing changes, and before what lock managers use.
     *
     * @param last the name of a bean
     */
    void destroyLast(String last) {
        Set<String> needed = neededByManagers();
        List<String> others = new ArrayList<>(List.of(beans.getSingletonNames()));
        others.removeAll(needed);
        others.remove(last);
        Collections.reverse(others);
        others.forEach(other -> beans.registerDependentBean(last, other));
        needed.forEach(part -> beans.registerDependentBean(part, last));
    }

    private Set<String> neededByManagers() {
        Set<String> needed = new HashSet<>();
        PARTS.forEach(type ->
                existing(type).map(BeanFactoryUtils::transformedBeanName).forEach(needed::add));
        Deque<String> open = new ArrayDeque<>(needed);
        while (!open.isEmpty()) {
            for (String dependency : beans.getDependenciesForBean(open.remove())) {
                if (needed.add(dependency)) {
                    open.add(dependency);
                }
            }
        }
        return needed;
    }
}
