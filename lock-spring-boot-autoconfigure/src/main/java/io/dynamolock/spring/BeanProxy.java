/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * The proxy that a bean has, or that it will have by the configuration, and the methods that this proxy cannot
 * intercept. Creates no bean.
 *
 * @since 0.1
 */
public final class BeanProxy {

    /**
     * Why a proxy cannot intercept a method, or a bean has none.
     *
     * @param problem what is wrong, without a full stop
     * @param remedy how to fix it, without a full stop
     */
    public record Obstacle(String problem, String remedy) {}

    /** Remedy for Kotlin, whose classes and functions are final unless declared open. */
    private static final String OPEN =
            "Declare %s open: kotlin(\"plugin.spring\"), or kotlin-maven-allopen with the preset 'spring', does so in a"
                    + " class with an annotation of Spring, such as @Component, but not in one that only a @Bean method"
                    + " declares";

    private final Class<?> type;
    private final boolean extendsClass;
    private final Class<?> @Nullable [] interfaces;
    private final boolean byDefinition;
    private final boolean byProperty;

    private BeanProxy(
            Class<?> type,
            boolean extendsClass,
            Class<?> @Nullable [] interfaces,
            boolean byDefinition,
            boolean byProperty) {
        this.type = type;
        this.extendsClass = extendsClass;
        this.interfaces = interfaces;
        this.byDefinition = byDefinition;
        this.byProperty = byProperty;
    }

    /**
     * Finds out what proxy a bean has.
     *
     * @param beans the factory of the bean
     * @param bean its name
     * @param type its class behind proxies
     * @param made the bean; null if it does not exist yet. If it is no proxy, the result is the one that the
     *     configuration asks for, as far as that does not depend on interfaces that a subclass may have
     * @return what is known of the proxy
     */
    public static BeanProxy of(
            ConfigurableListableBeanFactory beans, String bean, Class<?> type, @Nullable Object made) {
        boolean preservesClass = AutoProxyUtils.shouldProxyTargetClass(beans, bean);
        Class<?>[] exposed = preservesClass ? null : exposedInterfaces(beans, bean);
        boolean byDefinition = preservesClass || exposed != null;
        boolean byProperty = !byDefinition && isByClass(beans);
        boolean extendsClass = false;
        Class<?>[] interfaces = null;
        if (made != null && AopUtils.isJdkDynamicProxy(made)) {
            interfaces = made.getClass().getInterfaces();
        } else if (AopUtils.isCglibProxy(made) || (isToBeExtended(type) && (preservesClass || byProperty))) {
            extendsClass = true;
        } else if (exposed != null && exposed.length > 0) {
            interfaces = exposed;
        } else if (made == null && isClassOf(beans, bean, type)) {
            interfaces = new ProxyInterfaces().of(type);
            extendsClass = interfaces == null;
        }
        return new BeanProxy(type, extendsClass, interfaces, byDefinition, byProperty);
    }

    /**
     * Returns the method of a proxy that delegates to one of the class behind it.
     *
     * @param proxy a proxy of Spring
     * @param method a method of the class
     * @return the method itself, or an interface's; null if the proxy cannot intercept it
     */
    public static @Nullable Method delegating(Object proxy, Method method) {
        Class<?>[] interfaces =
                AopUtils.isJdkDynamicProxy(proxy) ? proxy.getClass().getInterfaces() : null;
        BeanProxy of =
                new BeanProxy(AopProxyUtils.ultimateTargetClass(proxy), interfaces == null, interfaces, true, false);
        if (of.obstacleOf(method) != null) {
            return null;
        }
        return interfaces == null
                ? method
                : declarations(interfaces, method, of.type).findFirst().orElse(null);
    }

    /**
     * Returns the methods by which a proxy may call a method.
     *
     * @param type the class of a bean
     * @param method a method of the class
     * @return the method itself, and those of interfaces that the class implements by it
     */
    public static Stream<Method> invocable(Class<?> type, Method method) {
        return Stream.concat(Stream.of(method), declarations(ClassUtils.getAllInterfacesForClass(type), method, type));
    }

    /** Returns whether Spring creates a bean by a constructor of a class. Other code may return one of a subclass. */
    private static boolean isClassOf(ConfigurableListableBeanFactory beans, String bean, Class<?> type) {
        return beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition
                && definition.hasBeanClass()
                && definition.getBeanClass() == type
                && definition.getFactoryMethodName() == null
                && definition.getInstanceSupplier() == null;
    }

    private static boolean isByClass(ConfigurableListableBeanFactory beans) {
        return beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig config
                && config.isProxyTargetClass();
    }

    /** Returns what {@code @Proxyable} sets for a bean: an empty array means all interfaces of the class. */
    private static Class<?> @Nullable [] exposedInterfaces(ConfigurableListableBeanFactory beans, String bean) {
        Object exposed = beans.containsBeanDefinition(bean)
                ? beans.getBeanDefinition(bean).getAttribute(AutoProxyUtils.EXPOSED_INTERFACES_ATTRIBUTE)
                : null;
        return exposed instanceof Class<?>[] several
                ? several
                : exposed instanceof Class<?> one ? new Class<?>[] {one} : null;
    }

    /** Spring never extends a proxy or a lambda. */
    private static boolean isToBeExtended(Class<?> type) {
        return !type.isInterface() && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type);
    }

    /**
     * Returns whether the proxy extends the class, so that it cannot intercept final methods.
     *
     * @return false if the proxy implements interfaces only
     */
    public boolean extendsClass() {
        return extendsClass;
    }

    /**
     * Returns why the proxy cannot intercept a method.
     *
     * @param method a method of the class
     * @return null if it can
     */
    public @Nullable Obstacle obstacleOf(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            return new Obstacle(
                    "a proxy cannot intercept a %s method"
                            .formatted(Modifier.isStatic(modifiers) ? "static" : "private"),
                    "Make it a public method that other beans call");
        }
        if (KotlinFunctions.isOverload(method)) {
            return null;
        }
        if (extendsClass() && Modifier.isFinal(modifiers)) {
            return new Obstacle(
                    "a proxy cannot override a final method",
                    openOr("Remove final" + orByInterface(method), "it", method.getDeclaringClass()));
        }
        if (extendsClass() && !MethodOverrides.isOverridable(method, type)) { // a proxy is in the package of the type
            return new Obstacle(
                    "a proxy cannot override a package-private method of another package",
                    "Make it protected or public");
        }
        if (interfaces != null && !isIn(interfaces, method)) {
            return new Obstacle(
                    "the proxy implements interfaces only, and none of them declares the method",
                    "Declare it in one of the interfaces, or "
                            + (byDefinition ? "change @Proxyable" : "set spring.aop.proxy-target-class=true"));
        }
        return null;
    }

    /**
     * Returns why there can be no proxy that intercepts a method.
     *
     * @param method a method of the class
     * @return null if there can be one
     */
    public @Nullable Obstacle obstacleOfClass(Method method) {
        String obstacle = extendsClass() ? obstacleOf(type) : null;
        if (obstacle == null) {
            return null;
        }
        boolean isNameless = type.isAnonymousClass(); // also a lambda of Kotlin
        String remedy = (isNameless ? "Make it an open class with a name" : "Change that") + orByInterface(method);
        boolean mayBeOpened = Modifier.isFinal(type.getModifiers()) && !isNameless;
        return new Obstacle(
                "its class %s, so no proxy can extend it".formatted(obstacle),
                mayBeOpened ? openOr(remedy, "it and its methods", type) : remedy);
    }

    /**
     * Returns why no proxy can extend a class.
     *
     * @param type a class
     * @return an obstacle, such as "is final"; null if there is none
     */
    public static @Nullable String obstacleOf(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers())) {
            return "is final";
        }
        if (type.isSealed()) {
            return "is sealed";
        }
        Constructor<?>[] constructors = type.getDeclaredConstructors();
        boolean isExtensible = constructors.length == 0
                || Arrays.stream(constructors).anyMatch(constructor -> !Modifier.isPrivate(constructor.getModifiers()));
        return isExtensible ? null : "has only private constructors";
    }

    /**
     * Returns the remedy for several final methods.
     *
     * @param first one of them
     * @return a remedy, without a full stop
     */
    public String remedyForFinalMethods(Method first) {
        return openOr("Remove final from those to intercept" + orByInterface(first), "its methods", type);
    }

    private static String openOr(String remedy, String what, Class<?> type) {
        return KotlinDetector.isKotlinType(type) ? OPEN.formatted(what) : remedy;
    }

    /** Returns the other remedy, if the bean would get a proxy that implements interfaces. */
    private String orByInterface(Method method) {
        if (!byProperty) {
            return "";
        }
        if (!isIn(ClassUtils.getAllInterfacesForClass(type), method)) {
            return ", or declare the method in an interface and set spring.aop.proxy-target-class=false";
        }
        return new ProxyInterfaces().of(type) != null
                ? ", or set spring.aop.proxy-target-class=false, as an interface has the method"
                : "";
    }

    /** Returns whether one of the interfaces has a method that the type implements by this one, or by its override. */
    private boolean isIn(Class<?>[] interfaces, Method method) {
        return declarations(interfaces, method, type).findAny().isPresent();
    }

    private static Stream<Method> declarations(Class<?>[] interfaces, Method method, Class<?> type) {
        Method called = KotlinFunctions.called(method, type);
        return Stream.of(interfaces)
                .flatMap(each -> Stream.of(each.getMethods()))
                .filter(declared -> KotlinFunctions.called(declared, type).equals(called));
    }

    /** Spring's choice between the two kinds of proxies: some interfaces, such as AutoCloseable, do not count. */
    private static final class ProxyInterfaces extends ProxyProcessorSupport {

        /** Returns the interfaces of the proxy; null if it extends the class, as these do not suffice. */
        Class<?> @Nullable [] of(Class<?> type) {
            ProxyFactory proxy = new ProxyFactory();
            evaluateProxyInterfaces(type, proxy);
            return proxy.isProxyTargetClass() ? null : proxy.getProxiedInterfaces();
        }
    }
}
