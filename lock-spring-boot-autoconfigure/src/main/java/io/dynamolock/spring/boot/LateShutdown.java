/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
 * Keeps the lock managers of a closing context open while executors that are configured to await their tasks on
 * destruction, after all lifecycle phases, still run them. Ignores executors of the JDK: their {@code close()} waits for
 * a day, so a task that runs until its lease ends would block the shutdown.
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

    /** Returns the names of the beans that wait for their work when they are destroyed, and that no manager needs. */
    Set<String> waitingBeans() {
        boolean tasks = isSet("spring.task.execution.shutdown.await-termination");
        boolean jobs = isSet("spring.task.scheduling.shutdown.await-termination");
        Set<String> waiting = new HashSet<>();
        // Those that do not wait are paused by now
        addTo(waiting, ExecutorConfigurationSupport.class, ExecutorConfigurationSupport::isRunning);
        addTo(waiting, SimpleAsyncTaskExecutor.class, pool -> pool instanceof SimpleAsyncTaskScheduler ? jobs : tasks);
        if (isSet("spring.quartz.wait-for-jobs-to-complete-on-shutdown") && beans.containsSingleton(QUARTZ)) {
            waiting.add(QUARTZ);
        }
        if (!waiting.isEmpty()) {
            waiting.removeAll(neededByManagers());
        }
        return waiting;
    }

    private boolean isSet(String property) {
        return environment.getProperty(property, Boolean.class, false);
    }

    private <T> void addTo(Set<String> waiting, Class<T> type, Predicate<T> waits) {
        existing(type).forEach(name -> {
            try {
                if (waits.test(beans.getBean(name, type))) {
                    waiting.add(BeanFactoryUtils.transformedBeanName(name));
                }
            } catch (RuntimeException unknown) {
                LOG.debug("Cannot determine whether bean '{}' waits for its work", name, unknown);
            }
        });
    }

    private Stream<String> existing(Class<?> type) {
        return Stream.of(beans.getBeanNamesForType(type, false, false))
                .filter(name -> beans.containsSingleton(BeanFactoryUtils.transformedBeanName(name)));
    }

    /**
     * Makes a bean be destroyed after others, in whose order nothing changes, and before what lock managers need. Beans
     * that were created before the first of the others can be in use until then, and are destroyed later, as usual.
     *
     * @param last the name of a bean
     * @param others the names of the others; those that were created after the first of them are destroyed with them
     */
    void destroyAfter(String last, Set<String> others) {
        Set<String> needed = neededByManagers();
        List<String> before = Stream.of(beans.getSingletonNames())
                .dropWhile(name -> !others.contains(name))
                .filter(name -> !needed.contains(name) && !name.equals(last))
                .collect(Collectors.toList());
        Collections.reverse(before);
        before.forEach(name -> beans.registerDependentBean(last, name));
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
