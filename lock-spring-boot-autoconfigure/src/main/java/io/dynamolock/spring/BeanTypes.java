/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** Finds out the classes of beans, behind their proxies, without creating a bean. */
public final class BeanTypes {

    /** The bean that Spring registers if a test replaces others, such as by {@code @MockitoBean}. */
    private static final String OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private BeanTypes() {}

    /**
     * Returns whether a test replaces beans, such as by mocks, which need no proxy. By default, it does so in each
     * context of a hierarchy, even in one without such a bean.
     *
     * @param beans the factory, whose parents are ignored
     * @return whether some of its beans may be mocks
     */
    public static boolean mayBeMocks(ConfigurableListableBeanFactory beans) {
        return beans.containsLocalBean(OVERRIDES);
    }

    /**
     * Returns the classes of all beans of a factory.
     *
     * @param beans the factory, whose parents are ignored
     * @return the classes by bean name, without those that are unknown until the bean is created
     */
    public static Map<String, Class<?>> of(ConfigurableListableBeanFactory beans) {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name, beans);
            if (type != null) {
                types.put(name, type);
            }
        }
        return types;
    }

    /**
     * Returns the parents that have no advisor, so that no proxy of theirs has one.
     *
     * @param advisor the type of the advisor
     * @param beans the factory whose parents are meant
     * @return the factories below the nearest one that has an advisor
     */
    static List<ConfigurableListableBeanFactory> parentsWithout(
            Class<? extends Advisor> advisor, ConfigurableListableBeanFactory beans) {
        List<ConfigurableListableBeanFactory> parents = new ArrayList<>();
        BeanFactory parent = beans.getParentBeanFactory();
        while (parent instanceof ConfigurableListableBeanFactory factory
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, advisor, true, false).length == 0) {
            parents.add(factory);
            parent = factory.getParentBeanFactory();
        }
        return parents;
    }

    private static @Nullable Class<?> typeOf(String name, ConfigurableListableBeanFactory beans) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException unknown) {
            return null; // the type is unknown until the bean is created
        }
    }

    /** Returns the class behind proxies. One whose target may change counts as a bean of its own, as its target does. */
    static Class<?> behind(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return target == null ? ClassUtils.getUserClass(bean) : behind(target);
    }

    /**
     * Returns the bean factory of a child context whose nearest advisor is that of its parent.
     *
     * @param refreshed a context
     * @param parent the factory of the advisor
     * @param advisor the type of the advisor
     * @return the factory; null for the parent itself, for a context that has an advisor, or one nearer to it, and for
     *     one that has been closed since
     */
    public static @Nullable ConfigurableListableBeanFactory withoutAdvisor(
            ApplicationContext refreshed, BeanFactory parent, Class<? extends Advisor> advisor) {
        if (!(refreshed instanceof ConfigurableApplicationContext context) || !context.isActive()) {
            return null;
        }
        ApplicationContext nearest = context;
        while (nearest.getParent() != null && nearest.getBeanNamesForType(advisor, true, false).length == 0) {
            nearest = nearest.getParent();
        }
        return context != nearest && nearest.getAutowireCapableBeanFactory() == parent
                ? context.getBeanFactory()
                : null;
    }

    /**
     * Returns whether a child context applies the advisors of its parents. Each creator of proxies does, except the one
     * that Spring itself registers without AspectJ.
     *
     * @param context a context
     * @return whether its beans get the advice
     */
    public static boolean appliesAdvisorsOfParents(ApplicationContext context) {
        return context.getBeansOfType(AbstractAdvisorAutoProxyCreator.class, false, false).values().stream()
                .anyMatch(creator -> !(creator instanceof InfrastructureAdvisorAutoProxyCreator));
    }

    /**
     * Returns a singleton that exists. Makes no early reference to one that another thread creates at the moment, whose
     * proxy Spring would discard later.
     *
     * @param name the name of a bean
     * @param beans the factory, whose parents are ignored
     * @return the singleton; null if there is none yet
     */
    public static @Nullable Object existing(String name, ConfigurableListableBeanFactory beans) {
        return beans.containsSingleton(name) ? beans.getSingleton(name) : null;
    }

    /**
     * Returns a singleton that exists, or what exists of a factory bean.
     *
     * @param name the name of a bean
     * @param beans the factory, whose parents are ignored
     * @return the singleton; null if there is none yet, or if its factory bean has made none yet
     */
    public static @Nullable Object made(String name, ConfigurableListableBeanFactory beans) {
        Object bean = existing(name, beans);
        if (bean instanceof FactoryBean<?> factory) {
            boolean isMade = factory.isSingleton()
                    && Stream.of(beans.getDependentBeans(name)).anyMatch(beans::containsSingleton);
            return isMade ? beans.getBean(name) : null;
        }
        return bean;
    }

    /**
     * Returns whether a singleton exists, which asking for would not create.
     *
     * @param name the name of a bean
     * @param where the factory, whose parents may have the bean
     * @return whether one of them has created it
     */
    public static boolean isCreated(String name, @Nullable BeanFactory where) {
        return where instanceof ConfigurableListableBeanFactory here
                && (here.containsLocalBean(name)
                        ? here.containsSingleton(name)
                        : isCreated(name, here.getParentBeanFactory()));
    }
}
