/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LifecycleMethods;
import io.dynamolock.spring.OnlyOnLeader;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Validates every {@link OnlyOnLeader} at startup, including those of lazy beans, so that a method that would run on
 * each process fails the startup instead. Creates no bean. A bean that is created later is validated on its creation.
 *
 * @since 0.1
 */
public final class OnlyOnLeaderValidator
        implements SmartInitializingSingleton,
                MergedBeanDefinitionPostProcessor,
                ApplicationListener<ContextRefreshedEvent> {

    /** Meta-annotation of the fields of tests, such as {@code @MockitoBean}. */
    private static final String OVERRIDE = "org.springframework.test.context.bean.override.BeanOverride";

    private final ConfigurableListableBeanFactory beans;
    private final OnlyOnLeaderAdvisor advisor;
    private final LifecycleMethods lifecycle;
    private final Map<String, Class<?>> created = new ConcurrentHashMap<>();
    private volatile boolean started;

    /**
     * Creates the validator.
     *
     * @param beans the bean factory whose definitions are validated
     * @param advisor the advisor that finds the annotations
     */
    public OnlyOnLeaderValidator(ConfigurableListableBeanFactory beans, OnlyOnLeaderAdvisor advisor) {
        this.beans = beans;
        this.advisor = advisor;
        this.lifecycle = new LifecycleMethods(beans);
    }

    @Override
    public void afterSingletonsInstantiated() {
        BeanTypes.of(beans).forEach((name, type) -> check(name, annotated(name, type), beans.getSingleton(name)));
        started = true;
    }

    /** Runs before another post-processor can replace the bean. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        Class<?> own = ClassUtils.getUserClass(type);
        if (advisor.concerns(own) && !FactoryBean.class.isAssignableFrom(own)) {
            created.put(name, own);
        }
    }

    /** Returns the class of a bean, or, if that has no annotation, the class of the bean that it replaces. */
    private Class<?> annotated(String name, Class<?> type) {
        return advisor.concerns(type) ? type : created.getOrDefault(name, type);
    }

    /** Runs before the proxy is created, whose failure would not name the annotation. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = bean.getClass();
        if (advisor.concerns(type) && BeanProxy.obstacleOf(type) != null) {
            BeanProxy proxy = BeanProxy.of(beans, name, type, null);
            advisor.methodsOf(type).forEach(method -> reject(type, method, proxy.obstacleOfClass(method)));
        }
        return bean;
    }

    /** Checks a bean that is created after the startup. Of circular references, it is not the proxy made before. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (started) {
            check(name, annotated(name, ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean))), bean);
        }
        return bean;
    }

    /** Refuses annotated beans of child contexts that create no proxies for them. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext refreshed = event.getApplicationContext();
        BeanTypes.withoutAdvice(refreshed, beans, OnlyOnLeaderAdvisor.class).forEach((name, type) -> {
            if (advisor.concerns(type)) {
                throw new InvalidOnlyOnLeaderException(
                        type.getName(),
                        "bean '%s' has no proxy: it is in '%s', a child context without an advisor of its own"
                                .formatted(name, refreshed.getDisplayName()),
                        "Add @EnableAutoConfiguration to the child context, or move the bean to its parent");
            }
        });
    }

    private void check(String name, Class<?> type, @Nullable Object bean) {
        Set<Method> methods = checkMethods(name, type, bean);
        if (methods.isEmpty()) {
            return;
        }
        Method first = methods.iterator().next();
        require(
                isProxied(name, bean, type) || isReplaced(name),
                type,
                first,
                "bean '%s' has no proxy: it was created too early, as a dependency of a bean post-processor, or manually, is a mock, or was replaced by another bean post-processor"
                        .formatted(name),
                "Inject it later (ObjectProvider, @Lazy, a static @Bean method), replace it after its proxy was made, or mock it by a field with @MockitoBean");
    }

    private Set<Method> checkMethods(String name, Class<?> type, @Nullable Object bean) {
        Set<Method> methods = advisor.concerns(type) ? advisor.methodsOf(type) : Set.of();
        if (methods.isEmpty()) {
            return methods;
        }
        BeanProxy proxy = BeanProxy.of(beans, name, type, bean);
        methods.forEach(method -> checkMethod(name, type, method, proxy));
        require(
                hasLeadership(),
                type,
                methods.iterator().next(),
                "there is no Leadership bean",
                "Set dynamolock.leader.name to a name that all processes of the application share");
        return methods;
    }

    private boolean hasLeadership() {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Leadership.class, true, false).length > 0;
    }

    private boolean isProxied(String name, @Nullable Object bean, Class<?> type) {
        boolean isCreated = bean != null || created.containsKey(name);
        return !isCreated || bean instanceof FactoryBean || advisor.isIn(name, bean, type);
    }

    /** Whether a test replaces the bean, such as by a mock, which gets no proxy. */
    private boolean isReplaced(String name) {
        AnnotatedElement field =
                beans.containsBeanDefinition(name) && beans.getBeanDefinition(name) instanceof RootBeanDefinition root
                        ? root.getQualifiedElement()
                        : null;
        return field != null && MergedAnnotations.from(field).isPresent(OVERRIDE);
    }

    private void checkMethod(String name, Class<?> type, Method method, BeanProxy proxy) {
        require(
                method.getReturnType() == void.class,
                type,
                method,
                "it returns a value, which a skipped call could not return",
                "Make it void");
        reject(type, method, proxy.obstacleOf(method));
        require(
                !lifecycle.contains(name, type, method),
                type,
                method,
                "Spring calls an injection, init or destroy method on the bean itself, not on its proxy, on each process",
                "Annotate another method, for example with @EventListener(LeadershipEvent.Granted.class)");
    }

    private static void reject(Class<?> type, Method method, BeanProxy.@Nullable Obstacle obstacle) {
        if (obstacle != null) {
            require(false, type, method, obstacle.problem(), obstacle.remedy());
        }
    }

    private static void require(boolean right, Class<?> type, Method method, String problem, String remedy) {
        if (!right) {
            throw new InvalidOnlyOnLeaderException(
                    "%s.%s".formatted(type.getName(), method.getName()), problem, remedy);
        }
    }
}
