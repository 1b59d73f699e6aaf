/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;
import org.springframework.util.ClassUtils;

/**
 * The annotated beans that are being created, and whether they got a proxy with an advisor, which another bean
 * post-processor may hide or remove later. A creation begins and ends on one thread, so that none is taken for another
 * of the same name. Only the early proxy of a singleton may be made by another thread, which asks for it meanwhile.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class ProxiedBeans {

    private final ThreadLocal<Map<String, Creation>> creations = ThreadLocal.withInitial(HashMap::new);

    /** The early proxies that were made by other threads than those that create the beans. */
    private final Map<String, Creation> elsewhere = new ConcurrentHashMap<>();

    /** The creation of a bean. */
    static final class Creation {

        /**
         * The class of the bean before another post-processor could replace it; null for what a factory bean makes, whose
         * creation is noticed when it gets its proxy.
         */
        @Nullable
        final Class<?> type;

        /** The class for which a proxy with the advisor was made; null if none was. */
        @Nullable
        Class<?> proxied;

        private final WeakReference<Object> raw;

        /** What the other beans of a circular reference got; null without one. */
        @Nullable
        private Object early;

        private Creation(@Nullable Class<?> type, @Nullable Object raw) {
            this.type = type;
            this.raw = new WeakReference<>(raw);
        }

        /** Returns the bean that results: what was exposed early, unless a post-processor has replaced the bean since. */
        Object result(Object processed) {
            return processed == raw.get() ? Objects.requireNonNullElse(early, processed) : processed;
        }

        /** Returns whether an object that is no such proxy may wrap the one that was made: it is of another class. */
        boolean mayBeWrappedBy(Class<?> made) {
            return proxied != null && made != proxied && made != type;
        }

        /** Returns whether what was exposed early is a proxy of a bean. */
        private boolean isOf(Object bean) {
            Object target = early;
            while (target != null && target != bean) {
                target = AopProxyUtils.getSingletonTarget(target);
            }
            return target == bean;
        }

        private Creation withEarlyProxyOf(Creation other) {
            proxied = other.proxied;
            early = other.early;
            return this;
        }
    }

    /** Creates an empty object. */
    public ProxiedBeans() {}

    /**
     * Notes that the current thread makes a proxy, if it does. To be called when the pointcut of the advisor matches.
     *
     * @param type the class for which the proxy is made
     */
    public void add(Class<?> type) {
        String bean = ProxyCreationContext.getCurrentProxiedBeanName();
        if (bean != null) {
            creations.get().computeIfAbsent(bean, key -> new Creation(null, null)).proxied =
                    ClassUtils.getUserClass(type);
        }
    }

    /** Forgets a creation of the current thread that failed. */
    void forget(String bean) {
        creations.get().remove(bean);
    }

    /** Begins the creation of a bean, of which another thread may already have an early proxy. */
    void begin(String bean, Object raw) {
        creations.get().put(bean, new Creation(ClassUtils.getUserClass(raw), raw));
        elsewhere.computeIfPresent(bean, (name, other) -> other.isOf(raw) ? other : null); // else it failed
    }

    /** Notes what the other beans of a circular reference get. */
    void expose(String bean, Object early) {
        Creation creation = creations.get().get(bean);
        if (creation != null) {
            creation.early = early;
            if (creation.type == null) { // it was not begun by this thread
                creations.get().remove(bean);
                elsewhere.put(bean, creation);
            }
        }
    }

    /**
     * Ends the creation of a bean.
     *
     * @return null if nothing is known of it, as for what a factory bean makes and gets no proxy
     */
    @Nullable
    Creation end(String bean) {
        Creation creation = creations.get().remove(bean);
        Creation other = elsewhere.remove(bean);
        return creation == null || other == null ? creation : creation.withEarlyProxyOf(other);
    }
}
