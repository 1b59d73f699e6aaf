/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockState;
import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Calls the fallback method, without the lock, if the lock is busy. */
final class FallbackHandler implements BusyHandler {

    private final Method method;
    private final Class<?> type;
    private final Function<MethodInvocation, Object> target;
    private final @Nullable Class<?> busyType;
    private final int busyAt;

    private FallbackHandler(Method method, Class<?> type, Function<MethodInvocation, Object> target, int parameters) {
        ReflectionUtils.makeAccessible(method);
        this.method = method;
        this.type = type;
        this.target = target;
        this.busyAt = parameters - (isSuspending(method) ? 1 : 0);
        this.busyType = method.getParameterCount() > parameters ? method.getParameterTypes()[busyAt] : null;
    }

    /**
     * Finds the fallback of a method.
     *
     * @throws InvalidDistributedLockException if no method with a compatible signature exists
     */
    static FallbackHandler of(AnnotatedMethod annotated, ConfigurableListableBeanFactory beans) {
        String name = annotated.text("fallback");
        if (!name.startsWith("@")) {
            Method method = find(annotated, annotated.type(), name);
            return new FallbackHandler(
                    method, annotated.type(), call -> Objects.requireNonNull(call.getThis()), parameters(annotated));
        }
        int dot = name.lastIndexOf('.');
        String bean = dot < 0 ? name.substring(1) : name.substring(1, dot);
        Class<?> made = beans.containsBean(bean) ? AutoProxyUtils.determineTargetClass(beans, bean) : null;
        if (made == null) {
            throw annotated.rejected(
                    "there is no bean named '%s' for its fallback".formatted(bean),
                    "Correct the name, or add the bean",
                    null);
        }
        String wanted = dot < 0 ? KotlinFunctions.sourceNameOf(annotated.method()) : name.substring(dot + 1);
        Class<?> type = ClassUtils.getUserClass(made);
        Method method = find(annotated, type, wanted);
        return new FallbackHandler(method, type, call -> beans.getBean(bean), parameters(annotated));
    }

    /** Returns the fallback method. */
    Method method() {
        return method;
    }

    /** Returns the class of the bean that has the fallback. */
    Class<?> type() {
        return type;
    }

    private static Method find(AnnotatedMethod annotated, Class<?> type, String name) {
        List<Method> named = new ArrayList<>(Stream.of(ReflectionUtils.getUniqueDeclaredMethods(
                        type, method -> isNamed(method, name) && !method.isBridge() && !method.isSynthetic()))
                .map(method -> KotlinFunctions.called(method, type)) // as one of them may override another
                .distinct()
                .toList());
        if (named.remove(annotated.method()) && named.isEmpty()) {
            boolean isStarted = annotated.isByType() && WorkMethods.isStartedBySpring(annotated.method());
            throw annotated.rejected(
                    "its fallback is the method itself"
                            + (isStarted ? ", which the annotation of its type locks, because Spring starts it" : ""),
                    "Name another method" + annotated.orAnnotateMethods(),
                    null);
        }
        List<Method> fitting =
                named.stream().filter(method -> fits(method, type, annotated)).toList();
        if (!fitting.isEmpty()) {
            return mostSpecific(fitting, type, annotated);
        }
        if (named.stream().noneMatch(other -> isSuspending(other) == isSuspending(annotated.method()))
                && !named.isEmpty()) {
            boolean suspends = isSuspending(annotated.method());
            throw annotated.rejected(
                    "its fallback %s.%s does not fit: it is %s suspend function"
                            .formatted(type.getName(), name, suspends ? "not a" : "a"),
                    suspends ? "Make it a suspend function, as the method is" : "Remove suspend from it",
                    null);
        }
        if (named.isEmpty()
                && Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
                        .anyMatch(method -> KotlinFunctions.mayBeNamed(method, name))) {
            throw annotated.rejected(
                    "its fallback %s.%s cannot be found without kotlin-reflect: the compiler made its name longer"
                            .formatted(type.getName(), name),
                    "Add org.jetbrains.kotlin:kotlin-reflect",
                    null);
        }
        throw annotated.rejected(
                named.isEmpty()
                        ? "its fallback %s has no method '%s'".formatted(type.getName(), name)
                        : "its fallback %s.%s does not fit: %s"
                                .formatted(type.getName(), name, misfit(named, type, annotated)),
                "Add a method '%2$s' to %1$s with the same return type and parameters, optionally followed by a"
                                .formatted(type.getName(), name)
                        + " LockBusyException or LockState" + annotated.orAnnotateMethods(),
                null);
    }

    /** Returns the only method, or the one that can take the arguments least freely, as a call in the source would. */
    private static Method mostSpecific(List<Method> fitting, Class<?> type, AnnotatedMethod annotated) {
        List<Class<?>> given = sourceTypes(annotated.method(), annotated.type());
        List<Method> exact = fitting.stream()
                .filter(one -> sourceTypes(one, type).equals(given))
                .toList();
        List<Method> best = exact.isEmpty()
                ? fitting.stream()
                        .filter(one -> fitting.stream()
                                .allMatch(other -> areAssignable(sourceTypes(other, type), sourceTypes(one, type))))
                        .toList()
                : exact;
        if (best.size() == 1) {
            return best.get(0);
        }
        throw annotated.rejected(
                "several methods fit as its fallback: "
                        + fitting.stream()
                                .map(method -> method.getName() + shown(sourceTypes(method, type)))
                                .collect(Collectors.joining(", ")),
                "Give the one to call a name of its own",
                null);
    }

    private static boolean areAssignable(List<Class<?>> taken, List<Class<?>> given) {
        return taken.size() >= given.size()
                && IntStream.range(0, given.size())
                        .allMatch(i -> KotlinFunctions.isAssignable(taken.get(i), given.get(i)));
    }

    /** Returns the types of the parameters, with value classes, which are compiled to their content. */
    private static List<Class<?>> sourceTypes(Method method, Class<?> type) {
        List<Class<?>> types = parameterTypes(method, type);
        return IntStream.range(0, types.size())
                .<Class<?>>mapToObj(
                        i -> Objects.requireNonNullElse(KotlinFunctions.valueClass(method, i), types.get(i)))
                .toList();
    }

    /** Returns whether a method has a name, in its class or in its source. */
    static boolean isNamed(Method method, String name) {
        return method.getName().equals(name)
                || KotlinFunctions.sourceNameOf(method).equals(name);
    }

    private static String misfit(List<Method> named, Class<?> type, AnnotatedMethod annotated) {
        return named.stream()
                .filter(fallback -> takes(fallback, type, annotated))
                .findFirst()
                .map(fallback -> "it returns %s instead of %s"
                        .formatted(
                                returnType(fallback, type).getSimpleName(),
                                annotated.returnType().getSimpleName()))
                .orElseGet(() -> "it takes %s instead of %s"
                        .formatted(
                                shown(sourceTypes(named.get(0), type)),
                                shown(sourceTypes(annotated.method(), annotated.type()))));
    }

    private static String shown(List<Class<?>> parameters) {
        return parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns the types of the parameters, with the type variables of superclasses resolved. */
    private static List<Class<?>> parameterTypes(Method method, Class<?> type) {
        return IntStream.range(0, method.getParameterCount())
                .<Class<?>>mapToObj(index -> new MethodParameter(method, index)
                        .withContainingClass(type)
                        .getParameterType())
                .toList();
    }

    private static Class<?> returnType(Method fallback, Class<?> type) {
        return new MethodParameter(fallback, -1).withContainingClass(type).getParameterType();
    }

    private static int parameters(AnnotatedMethod annotated) {
        return annotated.method().getParameterCount();
    }

    private static boolean isSuspending(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Returns whether a method of a type can replace a locked one. */
    static boolean fits(Method fallback, Class<?> type, AnnotatedMethod locked) {
        return takes(fallback, type, locked) && gives(fallback, type, locked);
    }

    /** Returns whether a fallback can be called with the arguments of a method. */
    private static boolean takes(Method fallback, Class<?> type, AnnotatedMethod locked) {
        boolean suspends = isSuspending(locked.method());
        if (isSuspending(fallback) != suspends) {
            return false;
        }
        List<Class<?>> taken = new ArrayList<>(parameterTypes(fallback, type));
        List<Class<?>> given = parameterTypes(locked.method(), locked.type());
        int last = given.size() - (suspends ? 1 : 0);
        if (taken.size() == given.size() + 1) {
            Class<?> busy = taken.remove(last);
            if (busy != LockBusyException.class && busy != LockState.class) {
                return false;
            }
        }
        if (taken.size() != given.size()) {
            return false;
        }
        List<Class<?>> inSource = sourceTypes(locked.method(), locked.type());
        for (int i = 0; i < given.size(); i++) {
            Class<?> value = KotlinFunctions.valueClass(fallback, i);
            if (!ClassUtils.isAssignable(taken.get(i), given.get(i)) || (value != null && value != inSource.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean gives(Method fallback, Class<?> type, AnnotatedMethod annotated) {
        Class<?> wanted = annotated.returnType();
        Class<?> given = returnType(fallback, type);
        return wanted == void.class || (given != void.class && ClassUtils.isAssignable(wanted, given));
    }

    /** A fallback that takes the holder is called only if there is one. */
    @Override
    public boolean handles(RuntimeException notAcquired) {
        return notAcquired instanceof LockBusyException
                || (notAcquired instanceof LockManagerDrainingException && busyType == null);
    }

    @Override
    public @Nullable Object instead(MethodInvocation invocation, RuntimeException notAcquired) throws Throwable {
        if (!handles(notAcquired)) {
            throw notAcquired;
        }
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(ValueClasses.arguments(invocation, method)));
        if (busyType != null && notAcquired instanceof LockBusyException busy) {
            arguments.add(busyAt, busyType == LockState.class ? busy.holder() : busy);
        }
        return invoke(target.apply(invocation), arguments.toArray());
    }

    /** Calls the bean through its proxy, or behind it if the proxy, on which fields are not set, cannot delegate. */
    private @Nullable Object invoke(Object bean, @Nullable Object[] arguments) throws Throwable {
        if (!(AopUtils.isAopProxy(bean) && bean instanceof Advised proxy)) {
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            return AopUtils.invokeJoinpointUsingReflection(bean, invocable, arguments);
        }
        Method delegating = BeanProxy.delegating(bean, method);
        if (delegating != null) {
            return AopUtils.invokeJoinpointUsingReflection(bean, delegating, arguments);
        }
        TargetSource source = proxy.getTargetSource();
        Object behind = Objects.requireNonNull(source.getTarget());
        try {
            return invoke(behind, arguments);
        } finally {
            if (!source.isStatic()) {
                source.releaseTarget(behind);
            }
        }
    }
}
