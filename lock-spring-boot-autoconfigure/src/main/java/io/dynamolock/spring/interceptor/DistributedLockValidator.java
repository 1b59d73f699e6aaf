/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Validates every {@link DistributedLock} of every bean at startup, including lazy beans, so that an invalid one fails
 * the startup instead of a call. Creates no bean. A bean that is created later is validated on its creation.
 *
 * @since 0.1
 */
public final class DistributedLockValidator
        implements SmartInitializingSingleton,
                MergedBeanDefinitionPostProcessor,
                ApplicationListener<ContextRefreshedEvent> {

    private final ConfigurableListableBeanFactory beans;
    private final DistributedLockAdvisor advisor;
    private final ProxyRules rules;
    private final UnproxiedBeanCheck proxyCheck;
    private final AsyncOrderCheck asyncCheck;
    private final Set<CheckedBean> checked = ConcurrentHashMap.newKeySet();
    private final Map<String, Class<?>> created = new ConcurrentHashMap<>();
    private volatile boolean started;

    /** A bean that is created again and again, such as a prototype. */
    private record CheckedBean(String name, Class<?> type) {}

    /**
     * Creates the validator.
     *
     * @param beans the bean factory whose definitions are validated
     * @param advisor the advisor that reads the annotations
     */
    public DistributedLockValidator(ConfigurableListableBeanFactory beans, DistributedLockAdvisor advisor) {
        this.beans = beans;
        this.advisor = advisor;
        this.rules = new ProxyRules(beans);
        this.proxyCheck = new UnproxiedBeanCheck(advisor);
        this.asyncCheck = new AsyncOrderCheck(advisor);
    }

    @Override
    public void afterSingletonsInstantiated() {
        BeanTypes.of(beans).forEach((name, type) -> check(name, annotated(name, type), beans.getSingleton(name)));
        started = true;
    }

    /** Refuses annotated beans of child contexts that create no proxies for them. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext refreshed = event.getApplicationContext();
        BeanTypes.withoutAdvice(refreshed, beans, DistributedLockAdvisor.class).forEach((name, type) -> {
            if (advisor.concerns(type)) {
                throw new InvalidDistributedLockException(
                        type.getName(),
                        "bean '%s' has no proxy: it is in '%s', a child context without an advisor of its own"
                                .formatted(name, refreshed.getDisplayName()),
                        "Add @EnableAutoConfiguration to the child context, or move the bean to its parent",
                        null);
            }
        });
    }

    private void check(String name, Class<?> type, @Nullable Object bean) {
        if (!advisor.concerns(type)) {
            return;
        }
        rules.checkLifecycle(name, type);
        Map<Method, LockedMethod> locked = advisor.check(type);
        rules.checkClass(name, type);
        rules.check(name, type, bean);
        if (bean != null || created.containsKey(name)) {
            proxyCheck.check(name, bean, type, locked);
        }
        if (bean != null) {
            asyncCheck.check(bean, type, locked.keySet());
        }
    }

    /** Runs before the bean's init methods, and before another post-processor can replace the bean. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        Class<?> own = ClassUtils.getUserClass(type);
        if (advisor.concerns(own)) {
            rules.checkLifecycle(name, own);
            boolean isFactory = FactoryBean.class.isAssignableFrom(own);
            if (isFactory || MergedAnnotations.from(own).isPresent(Configuration.class)) {
                rules.checkFactory(name, own);
            }
            if (!isFactory) {
                created.put(name, own);
            }
        }
    }

    /** Runs before the proxy is created, whose failure would not name the annotation. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (advisor.concerns(bean.getClass()) && BeanProxy.obstacleOf(bean.getClass()) != null) {
            rules.checkClass(name, bean.getClass());
        }
        return bean;
    }

    /** Checks a bean that is created after the startup. Of a circular reference, it is not the proxy made before. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (started) {
            Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
            CheckedBean made = new CheckedBean(name, annotated(name, type));
            if (advisor.concerns(made.type()) && !checked.contains(made)) {
                check(name, made.type(), bean);
                checked.add(made);
            }
        }
        return bean;
    }

    /** Returns the class of a bean, or, if that has no annotation, the class of the bean that it replaces. */
    private Class<?> annotated(String name, Class<?> type) {
        return advisor.concerns(type) ? type : created.getOrDefault(name, type);
    }
}
