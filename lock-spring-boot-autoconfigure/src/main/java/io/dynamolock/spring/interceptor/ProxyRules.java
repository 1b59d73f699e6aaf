/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/** Detects methods that a bean's proxy cannot intercept, on which the annotation would have no effect. */
final class ProxyRules {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyRules.class);

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
        BeanProxy proxy = BeanProxy.of(beans, bean, type, made);
        ReflectionUtils.doWithMethods(
                type,
                method -> checkMethod(method, type, proxy),
                method -> !method.isSynthetic() && !method.isBridge() && method.getDeclaringClass() != Object.class);
        if (proxy.extendsClass()) {
            checkFinalMethods(type, proxy);
        }
    }

    private static void checkMethod(Method method, Class<?> type, BeanProxy proxy) {
        MergedAnnotation<DistributedLock> own = MergedAnnotations.from(method).get(DistributedLock.class);
        if (own.isPresent()) {
            reject(new AnnotatedMethod(method, type, own), proxy.obstacleOf(method));
        }
    }

    private static void reject(AnnotatedMethod annotated, BeanProxy.@Nullable Obstacle obstacle) {
        if (obstacle != null) {
            throw annotated.rejected(obstacle.problem(), obstacle.remedy(), null);
        }
    }

    private void checkFinalMethods(Class<?> type, BeanProxy proxy) {
        List<AnnotatedMethod> meant = lockedMethods(type);
        List<AnnotatedMethod> unlocked =
                meant.stream().filter(each -> isUnlocked(each.method())).toList();
        unlocked.stream()
                .filter(each -> !each.isByType())
                .forEach(each -> reject(each, proxy.obstacleOf(each.method())));
        if (!unlocked.isEmpty()
                && meant.stream()
                        .allMatch(each -> Modifier.isFinal(each.method().getModifiers()))) {
            throw unlocked.get(0)
                    .rejected(
                            "all methods that it would lock are final, so that a proxy cannot override one",
                            proxy.remedyForFinalMethods(unlocked.get(0).method()),
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
        if (BeanProxy.obstacleOf(type) != null) {
            BeanProxy proxy = BeanProxy.of(beans, bean, type, null);
            lockedMethods(type).stream()
                    .findFirst()
                    .ifPresent(annotated -> reject(annotated, proxy.obstacleOfClass(annotated.method())));
        }
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

    /** Final methods of Spring call, on the proxy, those that the type implements. */
    private static boolean isUnlocked(Method method) {
        return Modifier.isFinal(method.getModifiers())
                && !method.getDeclaringClass().getName().startsWith("org.springframework.")
                && Modifier.isPublic(method.getModifiers());
    }
}
