/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * Finds the beans of a closing context whose work still runs after all lifecycle phases, because they wait for it when
 * they are destroyed. {@link LockManagerLifecycle} closes the lock managers after them.
 */
final class LateShutdown {

    /** The bean name of Spring Boot's Quartz scheduler. */
    private static final String QUARTZ = "quartzScheduler";

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    LateShutdown(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Returns the names of these beans, without those that the lock managers need themselves. */
    Set<String> beansBeside(Iterable<String> managers) {
        Set<String> late = new LinkedHashSet<>();
        // Those that do not wait are paused by now
        addTo(late, ExecutorConfigurationSupport.class, ExecutorConfigurationSupport::isRunning);
        // Since JDK 19, Spring closes them, which waits for their tasks
        addTo(late, ExecutorService.class, pool -> pool instanceof AutoCloseable && !pool.isShutdown());
        boolean tasksWait = isSet("spring.task.execution.shutdown.await-termination");
        boolean jobsWait = isSet("spring.task.scheduling.shutdown.await-termination");
        addTo(
                late,
                SimpleAsyncTaskExecutor.class,
                pool -> pool instanceof SimpleAsyncTaskScheduler ? jobsWait : tasksWait);
        if (isSet("spring.quartz.wait-for-jobs-to-complete-on-shutdown") && beans.containsSingleton(QUARTZ)) {
            late.add(QUARTZ);
        }
        managers.forEach(manager -> late.removeAll(neededBy(manager)));
        return late;
    }

    private boolean isSet(String property) {
        return environment.getProperty(property, Boolean.class, false);
    }

    private <T> void addTo(Set<String> late, Class<T> type, Predicate<T> waits) {
        for (String found : beans.getBeanNamesForType(type, false, false)) {
            String name = BeanFactoryUtils.transformedBeanName(found);
            if (beans.containsSingleton(name) && waits.test(beans.getBean(found, type))) {
                late.add(name);
            }
        }
    }

    private Set<String> neededBy(String bean) {
        Set<String> needed = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(Set.of(bean));
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
