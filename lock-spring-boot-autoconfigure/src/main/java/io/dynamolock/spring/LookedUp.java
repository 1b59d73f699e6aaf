/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What was first looked up in the bean factory of an application. Holds no lock during the lookup, which may wait for
 * that of the factory: the thread that has it creates a bean, which may need the same value. Several threads may look it
 * up at first; all get the same. Looks nothing up once the application is closed: the factory would create new beans,
 * which nobody closes. Thread-safe.
 *
 * @param <T> the type of the value
 * @since 0.1
 */
public final class LookedUp<T> implements Supplier<T> {

    private final ApplicationContext application;
    private final Supplier<T> lookup;
    private final Supplier<T> afterClose;
    private final AtomicReference<@Nullable T> first = new AtomicReference<>();

    /**
     * Creates the supplier.
     *
     * @param application the application context
     * @param lookup looks the value up
     * @param afterClose gives the value if it is needed for the first time when the application is closed
     */
    public LookedUp(ApplicationContext application, Supplier<T> lookup, Supplier<T> afterClose) {
        this.application = application;
        this.lookup = lookup;
        this.afterClose = afterClose;
    }

    @Override
    public T get() {
        T known = first.get();
        if (known != null) {
            return known;
        }
        T found = isClosed(application) ? afterClose.get() : lookup.get();
        T before = first.compareAndExchange(null, found);
        return before == null ? found : before;
    }

    /**
     * Returns whether the beans of an application are gone.
     *
     * @param application the application context
     * @return false while it closes, as its beans are still there; true after a startup that failed
     */
    public static boolean isClosed(ApplicationContext application) {
        return application instanceof ConfigurableApplicationContext context
                && context.getStartupDate() != 0
                && !context.isActive();
    }
}
