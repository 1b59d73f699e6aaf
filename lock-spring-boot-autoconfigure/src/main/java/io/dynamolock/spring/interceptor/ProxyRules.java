/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Detects methods that a bean's proxy cannot intercept, on which the annotation would have no effect. */
final class ProxyRules {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyRules.class);

    /** Remedy for Kotlin, whose classes and functions are final unless declared open. */
    private static final String OPEN =
            "Declare %s open: kotlin(\"plugin.spring\"), or kotlin-maven-allopen with the preset 'spring', does so in a"
                    + " class with an annotation of Spring, such as @Component, but not in one that only a @Bean method"
                    + " declares";

    private final ConfigurableListableBeanFactory beans;
    private final LifecycleMethods lifecycle;
    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    ProxyRules(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.lifecycle = new LifecycleMethods(beans);
    }

    /**
     * Rejects annotated methods that no proxy of the bean can intercept, and an annotated type all of whose methods
     * are final. Logs a warning for final methods beside others of an annotated type.
     *
     * @param bean the bean's name
     * @param type its class behind proxies
     * @param made the bean; null if it does not exist yet, and the proxy is the one that the configuration asks for
     * @throws InvalidDistributedLockException if an annotated method cannot be intercepted
     */
    void check(String bean, Class<?> type, @Nullable Object made) {
        boolean byInterface = AopUtils.isJdkDynamicProxy(made);
        boolean byClass = !byInterface && (AopUtils.isCglibProxy(made) || mustExtend(bean, type));
        ReflectionUtils.doWithMethods(
                type,
                method -> checkMethod(method, type, byClass, byInterface),
                method -> !method.isSynthetic() && !method.isBridge() && method.getDeclaringClass() != Object.class);
        if (byClass) {
            checkFinalMethods(type);
        }
    }

    private void checkFinalMethods(Class<?> type) {
        List<AnnotatedMethod> meant = lockedMethods(type);
        List<AnnotatedMethod> unlocked =
                meant.stream().filter(each -> isUnlocked(each.method())).toList();
        if (!unlocked.isEmpty()
                && meant.stream()
                        .allMatch(each -> Modifier.isFinal(each.method().getModifiers()))) {
            throw unlocked.get(0)
                    .rejected(
                            "all methods that it would lock are final, so that a proxy cannot override one",
                            openOr("Remove final from those to lock", "its methods", type),
                            null);
        }
        unlocked.stream()
                .map(AnnotatedMethod::method)
                .filter(warned::add)
                .forEach(method -> LOG.warn(
                        "@DistributedLock on {} does not lock its final method {}: a proxy cannot override it",
                        type.getName(),
                        method.getName()));
    }

    private static String openOr(String remedy, String what, Class<?> type) {
        return KotlinDetector.isKotlinType(type) ? OPEN.formatted(what) : remedy;
    }

    /**
     * Rejects annotated init and destroy methods, on which the annotation would have no effect, and methods that
     * define a bean. An annotation on the type does not apply to them.
     */
    void checkLifecycle(String bean, Class<?> type) {
        ReflectionUtils.doWithMethods(type, method -> {
            MergedAnnotations annotations = MergedAnnotations.from(method);
            MergedAnnotation<DistributedLock> own = annotations.get(DistributedLock.class);
            if (own.isPresent() && annotations.isPresent(Bean.class)) {
                throw new AnnotatedMethod(method, type, own)
                        .rejected(
                                "it is a @Bean method: the lock would be for the creation of the bean, not for its methods",
                                "Annotate methods of the bean's own class, or acquire the lock in this method by LockManager",
                                null);
            }
            if (own.isPresent() && lifecycle.contains(bean, type, method)) {
                throw new AnnotatedMethod(method, type, own)
                        .rejected(
                                "Spring calls an init or destroy method on the bean itself, not on its proxy",
                                "Annotate another method, with @EventListener(ApplicationReadyEvent.class) if it is to run at"
                                        + " startup, or acquire the lock in this one: by LockManager, or by Once for work"
                                        + " that is done once for all processes",
                                null);
            }
        });
    }

    /** Rejects a class that its proxy would have to extend but cannot. */
    void checkClass(String bean, Class<?> type) {
        String obstacle = obstacle(type);
        if (obstacle == null || !mustExtend(bean, type)) {
            return;
        }
        lockedMethods(type).stream().findFirst().ifPresent(annotated -> {
            String remedy = "Change that" + orByInterface(annotated.method(), type);
            throw annotated.rejected(
                    "its class %s, so no proxy can extend it".formatted(obstacle),
                    Modifier.isFinal(type.getModifiers()) ? openOr(remedy, "it and its methods", type) : remedy,
                    null);
        });
    }

    private static String orByInterface(Method method, Class<?> type) {
        return isInAnInterface(method, type)
                ? ", or set spring.aop.proxy-target-class=false, as an interface has the method"
                : ", or declare the method in an interface and set spring.aop.proxy-target-class=false";
    }

    /** Returns the methods of a class, most specific ones only, that an annotation means to lock. */
    private static List<AnnotatedMethod> lockedMethods(Class<?> type) {
        Map<Method, AnnotatedMethod> all = new LinkedHashMap<>();
        ReflectionUtils.doWithMethods(type, method -> {
            AnnotatedMethod annotated = method.isSynthetic() ? null : AnnotatedMethod.find(method, type);
            if (annotated != null) {
                all.putIfAbsent(annotated.method(), annotated);
            }
        });
        return List.copyOf(all.values());
    }

    /** Returns why no proxy can extend a class; null if one can. */
    static @Nullable String obstacle(Class<?> type) {
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

    private void checkMethod(Method method, Class<?> type, boolean byClass, boolean byInterface) {
        MergedAnnotation<DistributedLock> own = MergedAnnotations.from(method).get(DistributedLock.class);
        int modifiers = method.getModifiers();
        if (own.isPresent()) {
            AnnotatedMethod annotated = new AnnotatedMethod(method, type, own);
            if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
                throw annotated.rejected(
                        "a proxy cannot intercept a %s method"
                                .formatted(Modifier.isStatic(modifiers) ? "static" : "private"),
                        "Make it a public method that other beans call",
                        null);
            }
            if (byClass && Modifier.isFinal(modifiers)) {
                throw annotated.rejected(
                        "a proxy cannot override a final method",
                        openOr("Remove final" + orByInterface(method, type), "it", method.getDeclaringClass()),
                        null);
            }
            if (byClass && isOutOfReach(method, type)) {
                throw annotated.rejected(
                        "a proxy cannot override a package-private method of another package",
                        "Make it protected or public",
                        null);
            }
            if (byInterface && !isInAnInterface(method, type)) {
                throw annotated.rejected(
                        "the proxy implements interfaces only, and none of them declares the method",
                        "Declare it in one of the interfaces, or set spring.aop.proxy-target-class=true",
                        null);
            }
        }
    }

    /** A proxy is in the package of the type. It can override what a class between has made public. */
    private static boolean isOutOfReach(Method method, Class<?> type) {
        String declaring = method.getDeclaringClass().getPackageName();
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0
                && !declaring.equals(type.getPackageName())
                && Stream.<Class<?>>iterate(type, each -> each != method.getDeclaringClass(), Class::getSuperclass)
                        .filter(each -> each.getPackageName().equals(declaring))
                        .noneMatch(each -> makesVisible(each, method));
    }

    private static boolean makesVisible(Class<?> type, Method method) {
        return Stream.of(type.getDeclaredMethods())
                .anyMatch(each -> each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())
                        && (each.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0);
    }

    /** Final methods of Spring call, on the proxy, those that the type implements. */
    private static boolean isUnlocked(Method method) {
        return Modifier.isFinal(method.getModifiers())
                && !method.getDeclaringClass().getName().startsWith("org.springframework.")
                && Modifier.isPublic(method.getModifiers());
    }

    private static boolean isInAnInterface(Method method, Class<?> type) {
        return ClassUtils.getInterfaceMethodIfPossible(method, type)
                .getDeclaringClass()
                .isInterface();
    }

    /**
     * Returns whether the configuration asks for a proxy that extends the class. Spring never extends a proxy or a
     * lambda.
     */
    private boolean mustExtend(String bean, Class<?> type) {
        boolean always = beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig config
                && config.isProxyTargetClass();
        return !type.isInterface()
                && !Proxy.isProxyClass(type)
                && !ClassUtils.isLambdaClass(type)
                && (always || AutoProxyUtils.shouldProxyTargetClass(beans, bean));
    }
}
