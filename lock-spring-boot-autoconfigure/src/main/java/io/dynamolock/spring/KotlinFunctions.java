/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KClassifier;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.KotlinReflectionParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Kotlin functions that are compiled to methods with other names, or to several methods.
 *
 * @since 0.1
 */
public final class KotlinFunctions {

    /** What the compiler appends: a hash for the types of value classes, the name of the module of an internal function. */
    private static final Pattern SUFFIX = Pattern.compile("(?<=.)(-[\\w-]{7})?([$].*)?$");

    private KotlinFunctions() {}

    /**
     * Returns the name that a function has in its source.
     *
     * @param method a method
     * @return the name of the method, unless it is a function of Kotlin whose name the compiler has made longer. Only
     *     Kotlin's reflection knows that, as a name in the source may look the same; without it, the name of the method
     */
    public static String sourceNameOf(Method method) {
        return mayBeLonger(method) && KotlinDetector.isKotlinReflectPresent()
                ? Reflection.nameOf(method)
                : method.getName();
    }

    /**
     * Returns whether only Kotlin's reflection, which is absent, would know the name that a function has in its source.
     *
     * @param method a method
     * @param name the supposed name
     * @return true also for another function, whose name in the source looks as if the compiler had made it longer
     */
    public static boolean mayBeNamed(Method method, String name) {
        return mayBeLonger(method)
                && !KotlinDetector.isKotlinReflectPresent()
                && nameOf(method).equals(name);
    }

    /**
     * Returns the value class that a parameter has in its source.
     *
     * @param method a method
     * @param index the index of its parameter
     * @return null if it has another type, or that is unknown, as without Kotlin's reflection
     */
    public static @Nullable Class<?> valueClass(Method method, int index) {
        return mayBeLonger(method) && KotlinDetector.isKotlinReflectPresent()
                ? Reflection.valueClass(method, index)
                : null;
    }

    private static boolean mayBeLonger(Method method) {
        return !nameOf(method).equals(method.getName());
    }

    /** Returns the name that a function may have in its source. */
    private static String nameOf(Method method) {
        String name = method.getName();
        return !Modifier.isStatic(method.getModifiers()) && KotlinDetector.isKotlinType(method.getDeclaringClass())
                ? SUFFIX.matcher(name).replaceFirst("")
                : name;
    }

    /**
     * Returns the method of a class that runs if a method is called: the most specific one. Spring takes a bridge for it
     * that leads to a function with another name or with a primitive parameter.
     *
     * @param method a method, possibly of an interface
     * @param type the class of the called object
     * @return the method of the class
     */
    public static Method called(Method method, Class<?> type) {
        Method called = AopUtils.getMostSpecificMethod(method, type);
        Class<?> declaring = called.getDeclaringClass();
        if (!called.isBridge() || !KotlinDetector.isKotlinType(declaring)) {
            return called;
        }
        return Stream.of(declaring.getDeclaredMethods())
                .filter(function -> isCompiledDifferently(function) && isReachedBy(called, function))
                .findFirst()
                .map(function -> AopUtils.getMostSpecificMethod(function, type))
                .orElse(called);
    }

    /**
     * Returns the bridges to a method that overrides a function of other parameters: one with a type variable that stands
     * for a value class or a primitive type. Spring does not find what they override by the method itself.
     *
     * @param method a method
     * @return the bridges; none if the method is not such a function
     */
    static Stream<Method> bridgesTo(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return isCompiledDifferently(method) && KotlinDetector.isKotlinType(declaring)
                ? Stream.of(declaring.getDeclaredMethods()).filter(bridge -> isReachedBy(bridge, method))
                : Stream.empty();
    }

    /** Returns whether a function may override one whose parameters have other types in bytecode. */
    private static boolean isCompiledDifferently(Method function) {
        return !function.isBridge()
                && (function.getName().indexOf('-') > 0
                        || Stream.of(function.getParameterTypes()).anyMatch(Class::isPrimitive));
    }

    private static boolean isReachedBy(Method bridge, Method function) {
        return bridge.isBridge() && bridge.getName().equals(nameOf(function)) && isOverridden(bridge, function);
    }

    /** Returns whether a method overrides what a bridge of its class does; the bridge may be that of another one. */
    private static boolean isOverridden(Method bridge, Method method) {
        return supertypes(method.getDeclaringClass())
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(each -> each.getName().equals(bridge.getName())
                        && Arrays.equals(each.getParameterTypes(), bridge.getParameterTypes()))
                .anyMatch(each -> takesArgumentsOf(each, method));
    }

    private static Stream<Class<?>> supertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .flatMap(each -> Stream.concat(Stream.of(each), supertypes(each)));
    }

    private static boolean takesArgumentsOf(Method overridden, Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length == overridden.getParameterCount()
                && IntStream.range(0, types.length)
                        .allMatch(i -> takes(
                                method,
                                i,
                                ResolvableType.forMethodParameter(overridden, i, method.getDeclaringClass())
                                        .toClass()));
    }

    private static boolean takes(Method method, int index, Class<?> type) {
        Class<?> value = valueClass(method, index);
        return value == null ? isCompiledTo(method.getParameterTypes()[index], type) : value == type;
    }

    private static boolean isCompiledTo(Class<?> compiled, Class<?> type) {
        Method content = content(type);
        return compiled == type || boxed(compiled) == boxed(content == null ? type : content.getReturnType());
    }

    /**
     * Returns the method of a value class that returns its content.
     *
     * @param type any class
     * @return null if it is not a value class
     */
    public static @Nullable Method content(Class<?> type) {
        return KotlinDetector.isInlineClass(type) ? ReflectionUtils.findMethod(type, "unbox-impl") : null;
    }

    /**
     * Returns whether a parameter takes a value.
     *
     * @param taken the type of the parameter
     * @param given the type of the value
     * @return true also if it takes only the content of a value class
     */
    public static boolean isAssignable(Class<?> taken, Class<?> given) {
        Method content = content(given);
        return ClassUtils.isAssignable(taken, given)
                || (content != null && ClassUtils.isAssignable(taken, content.getReturnType()));
    }

    private static Class<?> boxed(Class<?> type) {
        return ClassUtils.resolvePrimitiveIfNecessary(type);
    }

    /**
     * Returns whether a method is an overload that the compiler has made of a function that can be overridden, by
     * {@code @JvmOverloads}. It is final, has the function's annotations, and calls the function on the proxy.
     *
     * @param method a method
     * @return false also without Kotlin's reflection, as it may be a function of the source then
     */
    public static boolean isOverload(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return Modifier.isFinal(method.getModifiers())
                && KotlinDetector.isKotlinType(declaring)
                && KotlinDetector.isKotlinReflectPresent()
                && Stream.of(declaring.getDeclaredMethods()).anyMatch(each -> isOverload(method, each))
                && new KotlinReflectionParameterNameDiscoverer().getParameterNames(method) == null;
    }

    private static boolean isOverload(Method method, Method function) {
        return function.getName().equals(method.getName())
                && function.getParameterCount() > method.getParameterCount()
                && (function.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) == 0
                && Arrays.equals(function.getDeclaredAnnotations(), method.getDeclaredAnnotations());
    }

    /**
     * Returns whether Kotlin or its reflection has failed in a call of this library or of Spring.
     *
     * @param failure the exception
     * @return whether it was thrown there, by its stack trace
     */
    public static boolean isCause(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .map(StackTraceElement::getClassName)
                .takeWhile(code -> !code.startsWith("io.dynamolock."))
                .anyMatch(code -> code.startsWith("kotlin."));
    }

    /** What Kotlin's reflection knows; loaded only if it is present. */
    private static final class Reflection {

        static String nameOf(Method method) {
            KFunction<?> function = function(method);
            return function == null ? method.getName() : function.getName();
        }

        static @Nullable Class<?> valueClass(Method method, int index) {
            KFunction<?> function = function(method);
            List<KParameter> parameters = function == null
                    ? List.of()
                    : function.getParameters().stream()
                            .filter(parameter -> parameter.getKind() != KParameter.Kind.INSTANCE)
                            .toList();
            KClassifier type =
                    index < parameters.size() ? parameters.get(index).getType().getClassifier() : null;
            return type instanceof KClass<?> known && known.isValue() ? JvmClassMappingKt.getJavaClass(known) : null;
        }

        private static @Nullable KFunction<?> function(Method method) {
            try {
                return ReflectJvmMapping.getKotlinFunction(method);
            } catch (RuntimeException | Error unknown) { // of a class of the compiler, or without fitting metadata
                if (!isCause(unknown)) {
                    throw unknown;
                }
                return null;
            }
        }
    }
}
