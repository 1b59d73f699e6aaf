/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the effective annotation of a method: on the method, on one that it implements or overrides, or on the type.
 */
final class LockAnnotations {

    private static final String SPRING = "org.springframework.";

    /** Names of methods that describe a bean. Those that return a boolean have other names, too. */
    private static final Pattern DESCRIPTION = Pattern.compile("(is|has|get|supports)\\p{Upper}.*");

    /**
     * Interfaces all of whose default methods do nothing, or reject a call that is meant for another method. Those of
     * others, such as {@code ConsumerAwareRebalanceListener}, call the bean's work.
     */
    private static final Pattern LISTENER = Pattern.compile("org\\.springframework\\.(amqp\\..*Listener"
            + "|batch\\..*(Listener|ItemStream)|kafka\\..*SeekAware|transaction\\..*ExecutionListener)");

    private static final List<Class<?>> CALLBACKS = List.of(
            Lifecycle.class,
            SmartLifecycle.class,
            Phased.class,
            Ordered.class,
            InitializingBean.class,
            DisposableBean.class,
            SmartInitializingSingleton.class,
            ExitCodeGenerator.class,
            FactoryBean.class,
            SmartFactoryBean.class,
            ApplicationListener.class,
            SmartApplicationListener.class,
            GenericApplicationListener.class);

    private LockAnnotations() {}

    static @Nullable MergedAnnotation<DistributedLock> find(Method method, Class<?> type) {
        Method called = AopUtils.getMostSpecificMethod(method, type);
        if (called.getDeclaringClass() == Object.class || Modifier.isStatic(called.getModifiers())) {
            return null;
        }
        MergedAnnotation<DistributedLock> onMethod = effective(called, type);
        if (onMethod.isPresent()) {
            return onMethod;
        }
        MergedAnnotation<DistributedLock> onType = onType(type);
        return onType.isPresent() && isMeantByType(called, type) ? onType : null;
    }

    private static boolean isMeantByType(Method called, Class<?> type) {
        return !Modifier.isPrivate(called.getModifiers())
                && !ReflectionUtils.isObjectMethod(called)
                && !isDescription(called, type)
                && !isLeftToListener(called)
                && !isContainerCallback(called, type)
                && !MergedAnnotations.from(called).isPresent(Bean.class);
    }

    /**
     * Returns whether a method is, or overrides, a default method by which the bean describes itself to Spring, such as
     * {@code isLongLived}, or one of Spring or Java that combines it with another, such as {@code andThen}. Other
     * default methods, such as {@code ThrowingSupplier.get}, may be work.
     */
    private static boolean isDescription(Method called, Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .map(each -> ClassUtils.getMethodIfAvailable(each, called.getName(), called.getParameterTypes()))
                .anyMatch(declared -> declared != null && declared.isDefault() && isDescription(declared));
    }

    private static boolean isDescription(Method declared) {
        Class<?> declaring = declared.getDeclaringClass();
        Class<?> result = declared.getReturnType();
        boolean combines = declaring.isAssignableFrom(result);
        if (declaring.getName().startsWith(SPRING)) {
            return combines
                    || (declared.getParameterCount() == 0
                            && (result == boolean.class
                                    || DESCRIPTION.matcher(declared.getName()).matches()));
        }
        return combines
                && declaring.getName().startsWith("java.")
                && declaring.isAnnotationPresent(FunctionalInterface.class);
    }

    /** Returns whether a bean that listens to Spring does not implement the method, such as {@code beforeStep}. */
    private static boolean isLeftToListener(Method called) {
        return called.isDefault()
                && LISTENER.matcher(called.getDeclaringClass().getName()).matches();
    }

    /** Returns whether Spring calls the method to manage the bean. An event is work. */
    private static boolean isContainerCallback(Method called, Class<?> type) {
        return !called.getName().equals("onApplicationEvent")
                && (isCallbackOf(type, called)
                        || Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                                .anyMatch(parent -> isContainerCallback(called, parent)));
    }

    /** An interface of the application that extends one of Spring may declare work. */
    private static boolean isCallbackOf(Class<?> type, Method called) {
        return type.isInterface()
                && type.getName().startsWith(SPRING)
                && (CALLBACKS.contains(type)
                        || Aware.class.isAssignableFrom(type)
                        || type.getName().endsWith("Configurer"))
                && ClassUtils.hasMethod(type, called.getName(), called.getParameterTypes());
    }

    /** Returns the manager of the annotation on a type, which also applies to annotated methods; empty if not set. */
    static String managerOf(Class<?> type) {
        return onType(type)
                .getValue("manager", String.class)
                .filter(manager -> !manager.isBlank())
                .orElse("");
    }

    /** Returns the annotation of a type; missing if it has none. */
    static MergedAnnotation<DistributedLock> onType(Class<?> type) {
        return effective(type, type);
    }

    /**
     * Returns the annotations of which only one is in effect: those beside this one, and different ones that the method
     * or type inherits from elsewhere.
     *
     * @param place the method or type that has or inherits it
     * @param type the class of the bean
     */
    static List<MergedAnnotation<DistributedLock>> rivals(
            MergedAnnotation<DistributedLock> annotation, AnnotatedElement place, Class<?> type) {
        return carriers(place, type).stream()
                .flatMap(carrier -> MergedAnnotations.from(carrier).stream(DistributedLock.class))
                .filter(other -> Objects.equals(other.getSource(), annotation.getSource())
                        || !other.synthesize().equals(annotation.synthesize()))
                .toList();
    }

    /** Returns how many managers the annotations of a type name, of which only one is in effect. */
    static long managersIn(MergedAnnotation<DistributedLock> annotation, Class<?> type) {
        return rivals(annotation, type, type).stream()
                .map(each -> each.getString("manager"))
                .distinct()
                .count();
    }

    private static MergedAnnotation<DistributedLock> effective(AnnotatedElement place, Class<?> type) {
        return carriers(place, type).stream()
                .findFirst()
                .map(carrier -> MergedAnnotations.from(carrier).get(DistributedLock.class))
                .orElseGet(MergedAnnotation::missing);
    }

    /**
     * Returns the elements that have an annotation for a method or type, nearest first. Of two related types, the more
     * specific one overrides the other, in whatever order a class implements them.
     */
    private static List<AnnotatedElement> carriers(AnnotatedElement place, Class<?> type) {
        List<AnnotatedElement> all = places(place, type)
                .map(each -> MergedAnnotations.from(each, SearchStrategy.TYPE_HIERARCHY))
                .filter(annotations -> annotations.isPresent(DistributedLock.class))
                .flatMap(annotations -> annotations.stream(DistributedLock.class))
                .map(annotation -> (AnnotatedElement) Objects.requireNonNull(annotation.getSource()))
                .distinct()
                .toList();
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> isOverridden(typeOf(one), typeOf(other))))
                .toList();
    }

    private static boolean isOverridden(Class<?> type, Class<?> by) {
        return type != by && type.isAssignableFrom(by);
    }

    private static Stream<AnnotatedElement> places(AnnotatedElement place, Class<?> type) {
        return place instanceof Method called
                ? Stream.concat(Stream.of(called), AnnotatedClasses.implementedBy(called, type, DistributedLock.class))
                : Stream.of(place);
    }

    /** Returns the type that has the annotation, or whose method has it. */
    static Class<?> typeOf(MergedAnnotation<DistributedLock> annotation) {
        return typeOf((AnnotatedElement) Objects.requireNonNull(annotation.getSource()));
    }

    private static Class<?> typeOf(AnnotatedElement carrier) {
        return carrier instanceof Method method ? method.getDeclaringClass() : (Class<?>) carrier;
    }
}
