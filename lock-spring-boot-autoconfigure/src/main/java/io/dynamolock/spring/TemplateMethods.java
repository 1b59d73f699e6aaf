/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;

/**
 * Warns of annotated template methods: protected ones of a superclass in another package, which calls them on the bean
 * itself, so that the annotation has no effect. Others can hardly call them on the proxy.
 *
 * @since 0.1
 */
public final class TemplateMethods {

    private static final Logger LOG = LoggerFactory.getLogger(TemplateMethods.class);

    private static final int UNPROXIED = Modifier.PUBLIC | Modifier.FINAL;

    private final String annotation;
    private final Set<Method> warned = ConcurrentHashMap.newKeySet();

    /**
     * Creates the check for an annotation.
     *
     * @param annotation its name
     */
    public TemplateMethods(String annotation) {
        this.annotation = annotation;
    }

    /**
     * Logs a warning, once, if an annotated method is a template method.
     *
     * @param method the most specific method of a class
     * @param type the class of a bean
     */
    public void check(Method method, Class<?> type) {
        Class<?> caller = Modifier.isProtected(method.getModifiers()) ? callerOf(method, type) : null;
        if (caller != null && warned.add(method)) {
            LOG.warn(
                    "@{} on {}.{} has no effect if {} calls it: a superclass calls a protected method on the bean itself, not on its proxy. Annotate a public method that others call on the bean, or let this one call an annotated method of another bean",
                    annotation,
                    type.getName(),
                    KotlinFunctions.sourceNameOf(method),
                    caller.getName());
        }
    }

    /**
     * Returns the class whose method it overrides. A public final method of that, or of a class between, may be called
     * on a proxy, which does not override it, and call the template method there.
     */
    private static @Nullable Class<?> callerOf(Method method, Class<?> type) {
        Class<?> top = superclasses(method.getDeclaringClass().getSuperclass())
                .filter(each -> overrides(method, each, type))
                .reduce(null, (lower, upper) -> upper);
        boolean isCalledOnBean = top != null
                && !top.getPackageName().equals(method.getDeclaringClass().getPackageName())
                && superclasses(type).filter(top::isAssignableFrom).noneMatch(TemplateMethods::hasUnproxiedMethod);
        return isCalledOnBean ? top : null;
    }

    private static boolean overrides(Method method, Class<?> superclass, Class<?> type) {
        return Stream.of(superclass.getDeclaredMethods())
                .filter(each -> each.getName().equals(method.getName()) && !Modifier.isPrivate(each.getModifiers()))
                .anyMatch(each -> AopUtils.getMostSpecificMethod(each, type).equals(method));
    }

    private static boolean hasUnproxiedMethod(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .map(Method::getModifiers)
                .anyMatch(each -> (each & UNPROXIED) == UNPROXIED && !Modifier.isStatic(each));
    }

    private static Stream<Class<?>> superclasses(@Nullable Class<?> type) {
        return Stream.<@Nullable Class<?>>iterate(
                type, each -> each != null && each != Object.class, Class::getSuperclass);
    }
}
