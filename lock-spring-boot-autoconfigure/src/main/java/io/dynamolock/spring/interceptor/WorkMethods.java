/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LifecycleMethods;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
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
import org.springframework.context.event.EventListener;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.DecoratingProxy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Separates the work of an annotated type, which is locked, from methods that a framework calls to manage the bean. */
final class WorkMethods {

    private static final String SPRING = "org.springframework.";

    /** Names of methods that describe a bean. Those that return a boolean have other names, too. */
    private static final Pattern DESCRIPTION = Pattern.compile("(is|has|get|supports)\\p{Upper}.*");

    private static final Pattern PROPERTY = Pattern.compile("set\\p{Upper}.*");
    private static final Pattern GETTER = Pattern.compile("(is|get)\\p{Upper}.*");

    /**
     * Interfaces all of whose default methods do nothing, or reject a call that is meant for another method. Those of
     * others, such as {@code ConsumerAwareRebalanceListener}, call the bean's work.
     */
    private static final Pattern LISTENER = Pattern.compile(
            "org\\.springframework\\.(amqp\\..*Listener"
                    + "|batch\\..*(Listener|ItemStream)|kafka\\..*(SeekAware|MessageListener)|transaction\\..*ExecutionListener)");

    /** Methods that Spring calls before or after others of the same bean. */
    private static final Set<String> AROUND_OTHERS = Set.of(
            "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler",
            "org.springframework.web.bind.annotation.ExceptionHandler",
            "org.springframework.web.bind.annotation.InitBinder",
            "org.springframework.messaging.handler.annotation.MessageExceptionHandler");

    private static final String MODEL = "org.springframework.web.bind.annotation.ModelAttribute";
    private static final String REQUEST = "org.springframework.web.bind.annotation.RequestMapping";

    /** By these, and by events, Spring starts work, also in methods that a proxy cannot intercept. */
    private static final Set<String> STARTING = Set.of(
            REQUEST,
            "org.springframework.boot.actuate.endpoint.annotation.DeleteOperation",
            "org.springframework.boot.actuate.endpoint.annotation.ReadOperation",
            "org.springframework.boot.actuate.endpoint.annotation.WriteOperation",
            "org.springframework.integration.annotation.Aggregator",
            "org.springframework.integration.annotation.Filter",
            "org.springframework.integration.annotation.InboundChannelAdapter",
            "org.springframework.integration.annotation.Router",
            "org.springframework.integration.annotation.ServiceActivator",
            "org.springframework.integration.annotation.Splitter",
            "org.springframework.integration.annotation.Transformer",
            "org.springframework.messaging.handler.annotation.MessageMapping");

    /** The same, but an override needs the annotation itself. */
    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

    /** Interfaces whose methods Spring calls on the bean itself. */
    private static final Set<Class<?>> ON_BEAN =
            Set.of(InitializingBean.class, DisposableBean.class, AutoCloseable.class);

    private static final List<Class<?>> CALLBACKS = List.of(
            Lifecycle.class,
            SmartLifecycle.class,
            Phased.class,
            Ordered.class,
            SmartInitializingSingleton.class,
            ExitCodeGenerator.class,
            FactoryBean.class,
            SmartFactoryBean.class,
            ApplicationListener.class,
            SmartApplicationListener.class,
            GenericApplicationListener.class,
            SpringProxy.class,
            Advised.class,
            DecoratingProxy.class);

    private WorkMethods() {}

    /** Returns whether the annotation of a type is meant for a method. */
    static boolean contain(Method called, Class<?> type) {
        return !Modifier.isPrivate(called.getModifiers())
                && !ReflectionUtils.isObjectMethod(called)
                && !isDescription(called, type)
                && !isLeftToListener(called)
                && !isAroundOthers(called)
                && !managesBean(called, type)
                && !MergedAnnotations.from(called).isPresent(Bean.class);
    }

    /** Returns whether Spring calls a method as work for its annotation, whatever the method's modifiers. */
    static boolean isStartedBySpring(Method method) {
        return isStartedOnProxy(method) || inHierarchy(method).isPresent(EventListener.class);
    }

    private static boolean isStartedOnProxy(Method method) {
        return MergedAnnotations.from(method).isPresent(SCHEDULED)
                || STARTING.stream().anyMatch(inHierarchy(method)::isPresent);
    }

    private static MergedAnnotations inHierarchy(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    }

    /**
     * Returns whether Spring calls a method to manage the bean, and does not start it as work as well. A callback on the
     * proxy, such as {@code start} of a {@link Lifecycle}, may also be called on an event.
     */
    private static boolean managesBean(Method called, Class<?> type) {
        return isContainerCallback(called, type)
                ? !isStartedOnProxy(called)
                : (isCalledOnBean(called, type) || isPropertyOfJob(called, type)) && !isStartedBySpring(called);
    }

    private static boolean isCalledOnBean(Method called, Class<?> type) {
        return LifecycleMethods.isAnnotated(called) || isDeclaredBy(ON_BEAN::contains, called, type);
    }

    /**
     * Returns whether a method is one of Spring that may be work or not: the type neither declares it nor is known to
     * leave it to Spring. Final ones call, on the proxy, what the type implements.
     */
    static boolean areUnclear(Method called) {
        String declaring = called.getDeclaringClass().getName();
        return isOfSpring(called)
                && !declaring.startsWith("org.springframework.util.function.")
                && Modifier.isPublic(called.getModifiers())
                && !Modifier.isFinal(called.getModifiers())
                && !Modifier.isAbstract(called.getModifiers());
    }

    /** Returns whether a class of Spring has the method. Its sample applications are applications. */
    static boolean isOfSpring(Method method) {
        return isOfSpring(method.getDeclaringClass());
    }

    private static boolean isOfSpring(Class<?> type) {
        return type.getName().startsWith(SPRING) && !type.getName().startsWith("org.springframework.samples.");
    }

    /**
     * Returns whether a method describes the bean, as {@code isLongLived} does, or combines it with another bean, as
     * {@code andThen} does. It is a method of a Spring class, or a default method of an interface of Spring or Java.
     * Other default methods, such as {@code ThrowingSupplier.get}, may be work.
     */
    private static boolean isDescription(Method called, Class<?> type) {
        return (isOfSpring(called) && isQuestion(called))
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .map(each ->
                                ClassUtils.getMethodIfAvailable(each, called.getName(), called.getParameterTypes()))
                        .anyMatch(declared -> declared != null && declared.isDefault() && isDescription(declared));
    }

    private static boolean isDescription(Method declared) {
        Class<?> declaring = declared.getDeclaringClass();
        Class<?> result = declared.getReturnType();
        boolean combines = declaring.isAssignableFrom(result);
        if (isOfSpring(declaring)) {
            return combines || isQuestion(declared);
        }
        return combines
                && declaring.getName().startsWith("java.")
                && declaring.isAnnotationPresent(FunctionalInterface.class);
    }

    private static boolean isQuestion(Method method) {
        return method.getParameterCount() == 0
                && (method.getReturnType() == boolean.class
                        || DESCRIPTION.matcher(method.getName()).matches());
    }

    /** Returns whether a bean that listens to Spring does not implement the method, such as {@code beforeStep}. */
    private static boolean isLeftToListener(Method called) {
        return called.isDefault()
                && LISTENER.matcher(called.getDeclaringClass().getName()).matches();
    }

    /** Returns whether Spring calls the method on the proxy to manage the bean. An event is work. */
    private static boolean isContainerCallback(Method called, Class<?> type) {
        return !called.getName().equals("onApplicationEvent")
                && isDeclaredBy(each -> isCallbackOfSpring(each, called), called, type);
    }

    /** Returns whether a type has a method by an interface, its own or that of a supertype. */
    private static boolean isDeclaredBy(Predicate<Class<?>> interfaces, Method called, Class<?> type) {
        return (type.isInterface()
                        && interfaces.test(type)
                        && ClassUtils.hasMethod(type, called.getName(), called.getParameterTypes()))
                || Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                        .anyMatch(parent -> isDeclaredBy(interfaces, called, parent));
    }

    /** An interface of the application that extends one of Spring may declare work. */
    private static boolean isCallbackOfSpring(Class<?> type, Method called) {
        return isOfSpring(type)
                && (CALLBACKS.contains(type)
                        || Aware.class.isAssignableFrom(type)
                        || type.getName().endsWith("Configurer")
                        || (type.getSimpleName().equals("StoppableTasklet")
                                && called.getName().equals("stop")));
    }

    /** Returns whether Spring sets data of a Quartz job by the method, before it runs the job. */
    private static boolean isPropertyOfJob(Method called, Class<?> type) {
        return isProperty(called)
                && ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(each -> each.getName().equals("org.quartz.Job"));
    }

    /** Returns whether a method sets a property of a bean, by its name. */
    static boolean isProperty(Method method) {
        return method.getParameterCount() == 1
                && PROPERTY.matcher(method.getName()).matches();
    }

    /** Returns whether a method returns a property of a bean, by its name. */
    static boolean isGetter(Method method) {
        return method.getParameterCount() == 0
                && method.getReturnType() != void.class
                && GETTER.matcher(method.getName()).matches();
    }

    private static boolean isAroundOthers(Method called) {
        MergedAnnotations annotations = inHierarchy(called);
        return AROUND_OTHERS.stream().anyMatch(annotations::isPresent)
                || (annotations.isPresent(MODEL) && !annotations.isPresent(REQUEST));
    }
}
