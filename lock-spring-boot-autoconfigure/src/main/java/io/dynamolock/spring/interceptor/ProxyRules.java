/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.LifecycleMethods;
import io.dynamolock.spring.TemplateMethods;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.FactoryBean;
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

    private final ConfigurableListableBeanFactory beans;
    private final LifecycleMethods lifecycle;
    private final TemplateMethods templates = new TemplateMethods("DistributedLock");
    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    ProxyRules(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.lifecycle = new LifecycleMethods(beans);
    }

    /**
     * Rejects annotated methods that no proxy of the bean can intercept, and an annotated type none of whose methods it
     * would lock. Logs a warning for methods beside others of an annotated type that it does not lock, and for
     * template methods.
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
        List<AnnotatedMethod> work = work(bean, type);
        work.stream().filter(each -> !each.isByType()).forEach(each -> {
            reject(each, proxy.obstacleOf(each.method()));
            templates.check(each.method(), type);
        });
        if (LockAnnotations.onType(type).isPresent()) {
            checkType(type, work, proxy);
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

    private void checkType(Class<?> type, List<AnnotatedMethod> work, BeanProxy proxy) {
        List<AnnotatedMethod> locked = work.stream()
                .filter(each -> proxy.obstacleOf(each.method()) == null)
                .toList();
        List<AnnotatedMethod> unlocked =
                work.stream().filter(each -> !locked.contains(each)).toList();
        locked.stream()
                .filter(each -> each.isByType() && !type.isInterface() && WorkMethods.areUnclear(each.method()))
                .forEach(ProxyRules::rejectUnclear);
        if (locked.isEmpty()) {
            rejectType(type, unlocked, proxy);
        }
        if (work.stream().noneMatch(AnnotatedMethod::isByType)) {
            rejectUnused(type);
        }
        Stream<Method> visible = unlocked.stream()
                .map(AnnotatedMethod::method)
                .filter(method -> proxy.extendsClass() && !WorkMethods.isOfSpring(method) && !isHelper(method));
        Stream<Method> hidden = Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
                .filter(method -> Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers()))
                .filter(WorkMethods::isStartedBySpring);
        Stream.concat(visible, hidden)
                .filter(warned::add)
                .forEach(method -> LOG.warn(
                        "@DistributedLock on {} does not lock its method {}: {}",
                        type.getName(),
                        KotlinFunctions.sourceNameOf(method),
                        Objects.requireNonNull(proxy.obstacleOf(method)).problem()));
    }

    private static void rejectType(Class<?> type, List<AnnotatedMethod> unlocked, BeanProxy proxy) {
        if (unlocked.isEmpty()) {
            throw noneLocked(type.getName());
        }
        AnnotatedMethod first = unlocked.get(0);
        if (unlocked.stream().allMatch(each -> Modifier.isFinal(each.method().getModifiers()))) {
            throw allFinal(type, first.method(), proxy);
        }
        reject(first, proxy.obstacleOf(first.method()));
    }

    /** Rejects defaults for annotated methods, which take only their manager from the annotation of the type. */
    private static void rejectUnused(Class<?> type) {
        MergedAnnotation<DistributedLock> onType = LockAnnotations.onType(type);
        Set<String> unused = new TreeSet<>(onType.filterDefaultValues().asMap().keySet());
        unused.remove("manager");
        if (!unused.isEmpty() && !unused.contains("name") && !unused.contains("names")) {
            throw new InvalidDistributedLockException(
                    LockAnnotations.typeOf(onType).getName(),
                    "the annotation of the type locks no method, as it has no name, and the annotated methods take only"
                            + " their manager from it: its %s would have no effect"
                                    .formatted(String.join(", ", unused)),
                    "Set %s in the annotations of the methods".formatted(unused.size() == 1 ? "it" : "them"),
                    null);
        }
    }

    private static void rejectUnclear(AnnotatedMethod annotated) {
        Method method = annotated.method();
        throw annotated.rejected(
                "its type has the annotation, but inherits %s, which Spring may call for other reasons than to start work"
                        .formatted(ClassUtils.getQualifiedMethodName(method)
                                + Stream.of(method.getParameterTypes())
                                        .map(Class::getSimpleName)
                                        .collect(Collectors.joining(", ", "(", ")"))),
                "Annotate the methods to lock instead of "
                        + LockAnnotations.typeOf(annotated.annotation()).getSimpleName(),
                null);
    }

    private static InvalidDistributedLockException allFinal(Class<?> type, Method first, BeanProxy proxy) {
        return new InvalidDistributedLockException(
                ClassUtils.getQualifiedMethodName(first, type),
                "all methods that it would lock are final, so that a proxy cannot override one",
                proxy.remedyForFinalMethods(first),
                null);
    }

    private static InvalidDistributedLockException noneLocked(String where) {
        return new InvalidDistributedLockException(
                where,
                "the annotation of the type would lock none of its methods: they are private, static, or helpers of"
                        + " what makes beans, or Spring calls them to manage the bean",
                "Annotate a method that is called on the bean, or make it public; if the bean makes another one, as"
                        + " a FactoryBean and a @Configuration do, annotate the class of that",
                null);
    }

    /** A final method that only its own package and subclasses can call, and for which no framework has an annotation. */
    private static boolean isHelper(Method method) {
        return Modifier.isFinal(method.getModifiers())
                && !Modifier.isPublic(method.getModifiers())
                && method.getAnnotations().length == 0;
    }

    /** Rejects an annotated type that makes beans, but has no work itself: only what configures or helps it. */
    void checkFactory(String bean, Class<?> type) {
        if (LockAnnotations.onType(type).isPresent()
                && work(bean, type).stream().allMatch(ProxyRules::servesFactory)) {
            throw noneLocked(type.getName());
        }
    }

    /** What a configuration returns by a method that is named like a getter may be work. */
    private static boolean servesFactory(AnnotatedMethod annotated) {
        Method method = annotated.method();
        boolean isOfBeanOnly = !Modifier.isPublic(method.getModifiers())
                || WorkMethods.isProperty(method)
                || (FactoryBean.class.isAssignableFrom(annotated.type()) && WorkMethods.isGetter(method));
        return isOfBeanOnly && method.getAnnotations().length == 0;
    }

    private List<AnnotatedMethod> work(String bean, Class<?> type) {
        return lockedMethods(type).stream()
                .filter(each -> WorkMethods.isStartedBySpring(each.method()) || !isLifecycle(bean, each))
                .toList();
    }

    private boolean isLifecycle(String bean, AnnotatedMethod annotated) {
        return lifecycle.contains(bean, annotated.type(), annotated.method());
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
        });
        lockedMethods(type).stream()
                .filter(each -> !each.isByType() && isLifecycle(bean, each))
                .forEach(each -> {
                    throw each.rejected(
                            "Spring calls an injection, init or destroy method on the bean itself, not on its proxy",
                            "Annotate another method, with @EventListener(ApplicationReadyEvent.class) if it is to run at"
                                    + " startup, or acquire the lock in this one: by LockManager, or by Once for work"
                                    + " that is done once for all processes"
                                    + LifecycleMethods.orNotInferred(each.method()),
                            null);
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

    /** Returns whether the source has a method, maybe one that only Kotlin sees, such as a reified inline function. */
    private static boolean isInSource(Method method) {
        return !method.isBridge() && (!method.isSynthetic() || KotlinDetector.isKotlinType(method.getDeclaringClass()));
    }

    /** Returns the methods of a class, most specific ones only, that an annotation means to lock. */
    private static List<AnnotatedMethod> lockedMethods(Class<?> type) {
        Map<Method, AnnotatedMethod> all = new LinkedHashMap<>();
        ReflectionUtils.doWithMethods(type, method -> {
            AnnotatedMethod annotated = isInSource(method) ? AnnotatedMethod.find(method, type) : null;
            if (annotated != null) {
                all.putIfAbsent(annotated.method(), annotated);
            }
        });
        return List.copyOf(all.values());
    }
}
