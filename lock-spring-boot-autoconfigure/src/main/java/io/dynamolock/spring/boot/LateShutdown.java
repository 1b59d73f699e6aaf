/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import io.dynamolock.coordination.LeaderElection;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.NotReadablePropertyException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.ClassUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Keeps the lock managers of a closing context open while executors that await their tasks on destruction, after all
 * lifecycle phases, still run some. Ignores executors of the JDK: their {@code close()} waits for a day, so a task that
 * runs until its lease ends would block the shutdown.
 */
final class LateShutdown {

    private static final Logger LOG = LoggerFactory.getLogger(LateShutdown.class);

    /** Optional at run time. */
    private static final String QUARTZ = "org.springframework.scheduling.quartz.SchedulerFactoryBean";

    /** What managers need until they are closed. */
    private static final List<Class<?>> PARTS = List.of(
            LockManager.class,
            LockStore.class,
            RetryPolicy.class,
            LockOwnerSupplier.class,
            LockManagerCustomizer.class,
            DynamoDbLockStoreCustomizer.class,
            DynamoDbClientBuilderCustomizer.class,
            DynamolockConnectionDetails.class,
            DynamoDbClient.class,
            DynamoDbAsyncClient.class);

    /** What ends with the managers, but may depend on an executor, without which they can be closed. */
    private static final List<Class<?>> COMPANIONS = List.of(LockListener.class, LeaderElection.class);

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    LateShutdown(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * Returns the names of the beans that wait for their work when they are destroyed, have some, and are not needed by
     * a manager.
     *
     * @param paused whether the context was stopped before it is closed, which pauses all executors; otherwise those
     *     that do not wait are paused by now
     */
    Set<String> waitingBeans(boolean paused) {
        Set<String> waiting = new HashSet<>();
        addTo(waiting, ExecutorConfigurationSupport.class, pool -> (paused || pool.isRunning()) && hasTasks(pool));
        addTo(waiting, SimpleAsyncTaskExecutor.class, this::awaitsThreads);
        if (ClassUtils.isPresent(QUARTZ, beans.getBeanClassLoader())) {
            addTo(waiting, ClassUtils.resolveClassName(QUARTZ, beans.getBeanClassLoader()), this::awaitsJobs);
        }
        if (!waiting.isEmpty()) {
            waiting.removeAll(withDependencies(PARTS.stream()));
        }
        return waiting;
    }

    /** An executor that cannot be asked may have some. */
    private static boolean hasTasks(ExecutorConfigurationSupport pool) {
        if (pool instanceof ThreadPoolTaskScheduler scheduler) {
            return scheduler.getActiveCount() > 0; // what is queued is due later
        }
        return !(pool instanceof ThreadPoolTaskExecutor executor)
                || executor.getActiveCount() > 0
                || executor.getQueueSize() > 0;
    }

    /** It tracks its threads only if it awaits them, and exposes neither. If they cannot be read, properties decide. */
    private boolean awaitsThreads(SimpleAsyncTaskExecutor pool) {
        Object target = AopProxyUtils.getSingletonTarget(pool);
        try {
            return new DirectFieldAccessor(target == null ? pool : target).getPropertyValue("activeThreads")
                            instanceof Collection<?> threads
                    && !threads.isEmpty();
        } catch (NotReadablePropertyException | LinkageError hidden) {
            return isSet("spring.task.execution.shutdown.await-termination")
                    || isSet("spring.task.scheduling.shutdown.await-termination");
        }
    }

    /** It does not expose the setting. If it cannot be read, the property decides. */
    private boolean awaitsJobs(Object quartz) {
        try {
            return Boolean.TRUE.equals(
                    new DirectFieldAccessor(quartz).getPropertyValue("waitForJobsToCompleteOnShutdown"));
        } catch (NotReadablePropertyException | LinkageError hidden) {
            return isSet("spring.quartz.wait-for-jobs-to-complete-on-shutdown");
        }
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
        Set<String> needed = withDependencies(Stream.concat(PARTS.stream(), COMPANIONS.stream()));
        needed.removeAll(reachable(others, beans::getDependentBeans)); // they are destroyed before the others anyway
        List<String> before = Stream.of(beans.getSingletonNames())
                .dropWhile(name -> !others.contains(name))
                .filter(name -> !needed.contains(name) && !name.equals(last))
                .collect(Collectors.toList());
        Collections.reverse(before);
        before.forEach(name -> beans.registerDependentBean(last, name));
        needed.forEach(part -> beans.registerDependentBean(part, last));
    }

    private Set<String> withDependencies(Stream<Class<?>> types) {
        Set<String> names = types.flatMap(this::existing)
                .map(BeanFactoryUtils::transformedBeanName)
                .collect(Collectors.toSet());
        return reachable(names, beans::getDependenciesForBean);
    }

    /** Returns some beans and, transitively, their neighbors. */
    private static Set<String> reachable(Set<String> names, Function<String, String[]> neighbors) {
        Set<String> reached = new HashSet<>(names);
        Deque<String> open = new ArrayDeque<>(names);
        while (!open.isEmpty()) {
            for (String neighbor : neighbors.apply(open.remove())) {
                if (reached.add(neighbor)) {
                    open.add(neighbor);
                }
            }
        }
        return reached;
    }
}
