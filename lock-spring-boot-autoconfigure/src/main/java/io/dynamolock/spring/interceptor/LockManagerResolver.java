/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LookedUp;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.context.ApplicationContext;

/**
 * Finds the lock manager of a method, and rejects requests that the manager would reject on each call.
 *
 * @param beans the factory of the managers
 * @param replacement the manager of all methods; null for the managers that they name
 * @param schedules checks the minimum hold of scheduled methods
 * @param application the application context
 */
record LockManagerResolver(
        ConfigurableListableBeanFactory beans,
        @Nullable LockManager replacement,
        ScheduleCheck schedules,
        ApplicationContext application) {

    /**
     * Resolves the lock manager.
     *
     * @param annotated the method
     * @param name the bean name; empty for the one that is injected without a qualifier
     * @param example a request of the method
     * @return the manager; the request is validated immediately if all managers exist already, else when the manager is
     *     first used
     * @throws InvalidDistributedLockException if there is no such manager, or if it does not support the request
     */
    Supplier<NamedBeanHolder<LockManager>> of(AnnotatedMethod annotated, String name, LockRequest example) {
        if (replacement != null) {
            NamedBeanHolder<LockManager> only = new NamedBeanHolder<>("unlocked", replacement);
            return () -> only;
        }
        List<String> known =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockManager.class, true, false));
        requireKnown(annotated, name, known);
        if (known.stream().allMatch(bean -> BeanTypes.isCreated(bean, beans))) {
            NamedBeanHolder<LockManager> made = fitting(annotated, name, example, known);
            return () -> made;
        }
        return new LookedUp<>(application, () -> fitting(annotated, name, example, known), () -> {
            throw new IllegalStateException(annotated.where() + " cannot be locked: the application context is closed");
        });
    }

    private NamedBeanHolder<LockManager> fitting(
            AnnotatedMethod annotated, String name, LockRequest example, List<String> known) {
        NamedBeanHolder<LockManager> manager = find(annotated, name, known);
        manager.getBeanInstance().diagnostics().map(LockDiagnostics::settings).ifPresent(settings -> {
            validate(annotated, example, manager.getBeanName(), settings);
            schedules.check(annotated, example, settings);
        });
        return manager;
    }

    private void requireKnown(AnnotatedMethod annotated, String name, List<String> known) {
        if (known.isEmpty()) {
            throw annotated.rejected(
                    "there is no LockManager bean", "Define one, or a LockStore bean to create one from", null);
        }
        if (!name.isEmpty() && (!beans.containsBean(name) || !beans.isTypeMatch(name, LockManager.class))) {
            throw annotated.rejected(
                    "there is no LockManager bean named '%s', only %s".formatted(name, sorted(known)),
                    "Correct the name, set dynamolock.managers.%s.table.name, or add a bean of that name"
                            .formatted(name),
                    null);
        }
    }

    private NamedBeanHolder<LockManager> find(AnnotatedMethod annotated, String name, List<String> known) {
        if (!name.isEmpty()) {
            return new NamedBeanHolder<>(name, beans.getBean(name, LockManager.class));
        }
        // Neither exception becomes a cause: Spring Boot would report it with another remedy.
        try {
            return UnqualifiedManager.in(beans);
        } catch (NoUniqueBeanDefinitionException several) {
            throw annotated.rejected(
                    "there are several LockManager beans: " + sorted(known),
                    "Select one, for example with manager = \"%s\", or mark one of them as @Primary"
                            .formatted(new TreeSet<>(known).first()),
                    null);
        } catch (NoSuchBeanDefinitionException none) {
            throw annotated.rejected(
                    "no LockManager bean is injected without a qualifier, only with one: " + sorted(known),
                    "Select one, for example with manager = \"%s\"".formatted(new TreeSet<>(known).first()),
                    null);
        }
    }

    private static String sorted(List<String> names) {
        return String.join(", ", new TreeSet<>(names));
    }

    private static void validate(
            AnnotatedMethod annotated, LockRequest example, String manager, LockSettings settings) {
        String problem = misfit(example, settings);
        if (problem != null) {
            throw annotated.rejected(
                    "the lock manager '%s' rejects this lock: %s".formatted(manager, problem),
                    "Correct the annotation, name another manager in it, or change the settings of this one",
                    null);
        }
    }

    private static @Nullable String misfit(LockRequest example, LockSettings settings) {
        try {
            settings.validate(example);
        } catch (InvalidSettingException rejected) {
            return rejected.getMessage();
        }
        Duration lease = example.leaseDuration();
        Duration interval = settings.heartbeatInterval();
        return lease == null || interval == null || lease.compareTo(interval.multipliedBy(2)) >= 0
                ? null
                : "leaseDuration (%s) must not be shorter than twice the heartbeat interval (%s), so that one renewal may fail"
                        .formatted(ScheduleCheck.shown(lease), ScheduleCheck.shown(interval));
    }
}
