/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/**
 * Validates every bean with an annotation that an advisor handles: at startup, including lazy beans, and those that are
 * created later on their creation. Creates no bean.
 *
 * @since 0.1
 */
public abstract class AnnotatedBeanValidator
        implements SmartInitializingSingleton,
                MergedBeanDefinitionPostProcessor,
                SmartInstantiationAwareBeanPostProcessor,
                ApplicationListener<ContextRefreshedEvent> {

    private final ConfigurableListableBeanFactory beans;
    private final PointcutAdvisor advisor;
    private final ProxiedBeans proxied;
    private final Map<String, Created> created = new ConcurrentHashMap<>();
    private final Set<Checked> checked = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    /** A bean that was created before the end of the startup; of several prototypes, one without a proxy if possible. */
    private record Created(
            Class<?> type,
            Object bean,
            ProxiedBeans.@Nullable Creation creation,
            BeanProxy.@Nullable Obstacle unproxied) {}

    /** A bean that is created again and again, such as a prototype. */
    private record Checked(String name, Class<?> type, BeanProxy.@Nullable Obstacle unproxied) {}

    /**
     * Creates the validator.
     *
     * @param beans the bean factory whose definitions are validated
     * @param advisor the advisor whose class filter matches the annotation
     * @param proxied the beans that get a proxy with the advisor
     */
    protected AnnotatedBeanValidator(
            ConfigurableListableBeanFactory beans, PointcutAdvisor advisor, ProxiedBeans proxied) {
        this.beans = beans;
        this.advisor = advisor;
        this.proxied = proxied;
    }

    /**
     * Validates a bean.
     *
     * @param name its name
     * @param type its class, which has the annotation, or that of the bean that it replaces
     * @param bean the bean, or one of several prototypes; null if none exists
     * @param unproxied why it has no proxy with the advisor; null if it has one or does not exist
     */
    protected abstract void check(
            String name, Class<?> type, @Nullable Object bean, BeanProxy.@Nullable Obstacle unproxied);

    /**
     * Creates a validator of the beans of a child context that get this advice.
     *
     * @param child the bean factory of the child context
     * @return a validator with the same advisor
     */
    protected abstract AnnotatedBeanValidator of(ConfigurableListableBeanFactory child);

    /**
     * Validates that a bean can have a proxy, before Spring tries to create one: that failure would not name the
     * annotation.
     *
     * @param name its name
     * @param type its class, which has the annotation and cannot be extended
     */
    protected abstract void checkClass(String name, Class<?> type);

    /**
     * Creates the exception for an annotation that cannot work.
     *
     * @param type the name of the class that has it
     * @param problem what is wrong, without a full stop
     * @param remedy how to fix it, without a full stop
     * @return the exception
     */
    protected abstract RuntimeException invalid(String type, String problem, String remedy);

    /**
     * Returns whether a class has the annotation anywhere.
     *
     * @param type a class
     * @return whether its beans are validated
     */
    protected final boolean concerns(Class<?> type) {
        return advisor.getPointcut().getClassFilter().matches(type);
    }

    /** Checks all beans. Those that are created meanwhile are checked on their creation. */
    @Override
    public final void afterSingletonsInstantiated() {
        started = true;
        Map<String, Class<?>> types = BeanTypes.of(beans);
        types.forEach(this::checkAtStartup);
        created.keySet().removeAll(types.keySet());
        created.forEach(this::checkMade); // such as inner beans
        created.clear();
        BeanTypes.parentsWithout(advisor.getClass(), beans)
                .forEach(parent -> refuse(parent, "a parent", "the parent context, or move the bean to this one"));
    }

    private void refuse(ConfigurableListableBeanFactory unadvised, String where, String remedy) {
        String problem = "bean '%s' has no proxy: it is in %s context without an advisor of its own";
        BeanTypes.of(unadvised).forEach((name, type) -> {
            if (concerns(type) && !BeanTypes.mayBeMocks(unadvised)) {
                throw invalid(
                        type.getName(), problem.formatted(name, where), "Add @EnableAutoConfiguration to " + remedy);
            }
        });
    }

    private void checkAtStartup(String name, Class<?> declared) {
        Created made = created.get(name);
        Class<?> type = made == null || concerns(declared) ? declared : made.type();
        if (!concerns(type)) {
            return;
        }
        Object bean = existing(name, type);
        if (bean != null) {
            check(name, type, bean, unproxied(name, type, bean, made == null ? null : made.creation()));
        } else if (made != null) {
            checkMade(name, made);
        } else {
            check(name, type, null, null);
        }
    }

    private void checkMade(String name, Created made) {
        check(name, made.type(), made.bean(), made.unproxied());
    }

    /** Returns a singleton, or that which its factory bean has made; null if a thread creates it at the moment. */
    private @Nullable Object existing(String name, Class<?> type) {
        Object bean = FactoryBean.class.isAssignableFrom(type)
                ? BeanTypes.existing(name, beans)
                : BeanTypes.made(name, beans);
        boolean isNull = !type.isInstance(bean) && Objects.equals(bean, null); // also what Spring has instead of null
        return isNull || bean instanceof AopInfrastructureBean ? null : bean;
    }

    /** Refuses annotated beans of child contexts that create no proxies for them; checks those that get this advice. */
    @Override
    public final void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext refreshed = event.getApplicationContext();
        ConfigurableListableBeanFactory child = BeanTypes.withoutAdvisor(refreshed, beans, advisor.getClass());
        if (child == null) {
            return;
        }
        if (!BeanTypes.appliesAdvisorsOfParents(refreshed)) {
            String where = "'%s', a child".formatted(refreshed.getDisplayName());
            refuse(child, where, "the child context, or move the bean to its parent");
            return;
        }
        AnnotatedBeanValidator validator = of(child);
        child.addBeanPostProcessor(new LaterBeans(validator));
        BeanTypes.of(child).forEach((name, type) -> {
            Object bean = concerns(type) ? validator.existing(name, type) : null;
            if (bean != null) { // how the child makes proxies of others is not known
                validator.check(name, type, bean, null);
            }
        });
    }

    /** A failure on another thread would not stop the child context. */
    @Override
    public final boolean supportsAsyncExecution() {
        return false;
    }

    /** Makes this a post-processor that runs after all others. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {}

    /** Runs before another post-processor can replace the bean. */
    @Override
    public final boolean postProcessAfterInstantiation(Object bean, String name) {
        proxied.forget(name);
        begin(bean, name);
        return true;
    }

    private void begin(Object bean, String name) {
        if (concerns(ClassUtils.getUserClass(bean)) && !(bean instanceof FactoryBean)) {
            proxied.begin(name, bean);
        }
    }

    @Override
    public final Object getEarlyBeanReference(Object bean, String name) {
        proxied.expose(name, bean);
        return bean;
    }

    @Override
    public final Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof Record) { // Spring sets no properties, and calls nobody before
            begin(bean, name);
        }
        if (concerns(bean.getClass()) && BeanProxy.obstacleOf(bean.getClass()) != null) {
            checkClass(name, bean.getClass());
        }
        return bean;
    }

    /** Of a circular reference, it does not get the proxy that was made before. */
    @Override
    public final Object postProcessAfterInitialization(Object bean, String name) {
        ProxiedBeans.Creation creation = proxied.end(name);
        checkCreated(name, creation == null ? bean : creation.result(bean), creation);
        return bean;
    }

    private void checkCreated(String name, Object bean, ProxiedBeans.@Nullable Creation creation) {
        Class<?> type = typeOf(bean, creation);
        boolean isScopedProxy = bean instanceof AopInfrastructureBean; // its target is checked
        if (isScopedProxy || !concerns(type)) {
            return;
        }
        BeanProxy.Obstacle unproxied = unproxied(name, type, bean, creation);
        if (!started) {
            Created made = new Created(type, bean, creation, unproxied);
            created.merge(name, made, (one, next) -> one.unproxied() == null ? next : one);
        }
        if (started) { // also if the check at startup has begun meanwhile, which may not see this bean
            Checked once = new Checked(name, type, unproxied);
            if (!checked.contains(once)) {
                check(name, type, bean, unproxied);
                checked.add(once);
            }
        }
    }

    /** Returns the class of a bean that has the annotation; if there is none, the class of what replaces it. */
    private Class<?> typeOf(Object bean, ProxiedBeans.@Nullable Creation creation) {
        Class<?> made = BeanTypes.behind(bean);
        if (creation == null || (concerns(made) && !isWrapper(bean, creation))) {
            return made;
        }
        return creation.proxied != null ? creation.proxied : Objects.requireNonNullElse(creation.type, made);
    }

    /** Returns whether an object may hide the proxy that was made: one of another class, or an opaque proxy. */
    private boolean isWrapper(Object bean, ProxiedBeans.Creation creation) {
        boolean isOpaque = bean instanceof SpringProxy && !(bean instanceof Advised) && creation.proxied != null;
        return !hasAdvisor(bean) && (isOpaque || creation.mayBeWrappedBy(BeanTypes.behind(bean)));
    }

    /** Returns whether a bean has a proxy with the advisor. */
    final boolean hasAdvisor(Object bean) {
        return Proxies.of(bean).stream().anyMatch(proxy -> proxy.indexOf(advisor) >= 0);
    }

    /** Returns why a bean has no proxy with the advisor; null if it has one, or may hide the one that was made. */
    private BeanProxy.@Nullable Obstacle unproxied(
            String name, Class<?> type, Object bean, ProxiedBeans.@Nullable Creation creation) {
        if (bean instanceof FactoryBean || hasAdvisor(bean) || (creation != null && isWrapper(bean, creation))) {
            return null;
        }
        Class<?> made = BeanTypes.behind(bean);
        boolean gotProxy = creation != null && creation.proxied != null;
        return !gotProxy && !type.isAssignableFrom(made)
                ? new BeanProxy.Obstacle(
                        "bean '%s' was replaced by a %s before its proxy was made".formatted(name, made.getName()),
                        "Let the bean post-processor that replaces it do so in postProcessAfterInitialization, and be"
                                + " Ordered with LOWEST_PRECEDENCE")
                : new BeanProxy.Obstacle(
                        "bean '%s' has no proxy, because it was created too early (as a dependency of a bean post-processor) or manually, is a mock, or has lost its proxy to a bean post-processor"
                                .formatted(name),
                        "Inject it later (ObjectProvider, @Lazy, a static @Bean method)");
    }
}
