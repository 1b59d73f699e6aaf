/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockState;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the method that replaces a locked one while its lock is busy, by its name and its signature. */
final class FallbackMethods {

    private FallbackMethods() {}

    /**
     * Finds the fallback of a method.
     *
     * @param type the class that has it
     * @param name its name
     * @throws InvalidDistributedLockException if no method with a compatible signature exists, or several, or if it
     *     throws what the method does not declare
     */
    static Method find(AnnotatedMethod annotated, Class<?> type, String name) {
        return declared(choose(annotated, type, name), type, annotated);
    }

    /** Finds the fallback of a method, whatever it throws; throws if there is none, or several. */
    static Method choose(AnnotatedMethod annotated, Class<?> type, String name) {
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

    /** Rejects checked exceptions that the proxy would wrap, as the method does not declare them. */
    private static Method declared(Method fallback, Class<?> type, AnnotatedMethod annotated) {
        Method method = annotated.method();
        if (!ReturnTypes.isIncomplete(annotated.returnType())
                && !annotated.hasAny(Set.of(Async.class))
                && !KotlinDetector.isKotlinType(method.getDeclaringClass())) {
            Stream.of(fallback.getExceptionTypes())
                    .filter(thrown -> !ReflectionUtils.declaresException(method, thrown) && isChecked(thrown))
                    .findFirst()
                    .ifPresent(thrown -> {
                        throw annotated.rejected(
                                "its fallback %s.%s does not fit: it throws %s, which the method does not declare"
                                        .formatted(type.getName(), fallback.getName(), thrown.getSimpleName()),
                                "Handle it in the fallback, or declare it on the method",
                                null);
                    });
        }
        return fallback;
    }

    private static boolean isChecked(Class<?> thrown) {
        return !RuntimeException.class.isAssignableFrom(thrown) && !Error.class.isAssignableFrom(thrown);
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
                                .map(method -> KotlinFunctions.sourceNameOf(method) + shown(sourceTypes(method, type)))
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
}
