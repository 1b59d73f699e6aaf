/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;

/**
 * The annotated beans that are being created, and whether they got a proxy with an advisor, which another bean
 * post-processor may hide or remove later. A creation begins and ends on one thread, so that none is taken for another
 * of the same name. Thread-safe.
 *
 * @since 0.1
 */
public final class ProxiedBeans {

    private final ThreadLocal<Map<String, Creation>> creations = ThreadLocal.withInitial(HashMap::new);

    /** The creation of a bean. */
    static final class Creation {

        /** The class of the bean before another post-processor could replace it. */
        final Class<?> type;

        /** Whether a proxy with the advisor was made. */
        boolean isProxied;

        /** What the other beans of a circular reference got; null without one. */
        @Nullable
        Object early;

        private Creation(Class<?> type) {
            this.type = type;
        }
    }

    /** Creates an empty object. */
    public ProxiedBeans() {}

    /** Notes that the current thread makes a proxy, if it does. To be called when the pointcut of the advisor matches. */
    public void add() {
        Creation creation = creations.get().get(ProxyCreationContext.getCurrentProxiedBeanName());
        if (creation != null) {
            creation.isProxied = true;
        }
    }

    /** Begins the creation of a bean. */
    void begin(String bean, Class<?> type) {
        creations.get().put(bean, new Creation(type));
    }

    /** Notes what the other beans of a circular reference get. */
    void expose(String bean, Object early) {
        Creation creation = creations.get().get(bean);
        if (creation != null) {
            creation.early = early;
        }
    }

    /**
     * Ends the creation of a bean.
     *
     * @return null if it is not known that it began, as for what a factory bean makes
     */
    @Nullable
    Creation end(String bean) {
        return creations.get().remove(bean);
    }
}
