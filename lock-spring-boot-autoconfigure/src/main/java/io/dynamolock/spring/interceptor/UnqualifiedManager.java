/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockManager;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.MethodParameter;

/**
 * Dependency on the lock manager that constructors of a context get without a qualifier. A lookup by type would prefer
 * a manager of the context to that of its parent, even a fallback or one that needs a qualifier.
 */
final class UnqualifiedManager extends DependencyDescriptor {

    private static final long serialVersionUID = 1;

    private UnqualifiedManager() {
        super(new MethodParameter(BeanUtils.getResolvableConstructor(Injected.class), 0), true);
    }

    /**
     * Finds the manager.
     *
     * @throws NoUniqueBeanDefinitionException if there are several
     * @throws NoSuchBeanDefinitionException if each of them needs a qualifier
     */
    static NamedBeanHolder<LockManager> in(AutowireCapableBeanFactory beans) {
        Set<String> name = new LinkedHashSet<>();
        Object manager = Objects.requireNonNull(beans.resolveDependency(new UnqualifiedManager(), null, name, null));
        return new NamedBeanHolder<>(name.iterator().next(), (LockManager) manager);
    }

    /** Returns null, as it would decide between several managers. */
    @Override
    public @Nullable String getDependencyName() {
        return null;
    }

    /** Declares the dependency. */
    record Injected(LockManager manager) {}
}
