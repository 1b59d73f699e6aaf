/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Registers the reflection hints of a bean's locked methods for ahead-of-time processing: the methods, their fallbacks,
 * and the types that the expressions in their names can use. A fallback with an incompatible signature fails the
 * processing.
 */
final class LockedBeanAotProcessor implements BeanRegistrationAotProcessor {

    private static final String EXPRESSION = "#{";
    private static final Pattern BEAN = Pattern.compile("@(?:(['\"])(.+?)\\1|([\\w$]+))");
    private static final Pattern TYPE = Pattern.compile("T\\(\\s*([\\w.$]+)\\s*\\)");

    private final LockPointcut pointcut = new LockPointcut();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        if (!pointcut.getClassFilter().matches(type)) {
            return null;
        }
        Map<Method, AnnotatedMethod> locked =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<AnnotatedMethod>)
                        method -> AnnotatedMethod.find(method, type));
        return locked.isEmpty()
                ? null
                : (generation, code) -> locked.values()
                        .forEach(method -> new Hints(
                                        generation.getRuntimeHints().reflection(), bean.getBeanFactory(), method)
                                .register());
    }

    /** The hints of one method. */
    private record Hints(ReflectionHints hints, ConfigurableListableBeanFactory beans, AnnotatedMethod annotated) {

        void register() {
            hints.registerType(annotated.type());
            register(annotated.type(), annotated.method());
            if (!annotated.text("fallback").isBlank()) {
                FallbackHandler fallback = FallbackHandler.of(annotated, beans);
                register(fallback.type(), fallback.method());
            }
            String expressions = String.join("", annotated.names()) + annotated.text("condition") + annotated.manager();
            if (expressions.contains(EXPRESSION)) {
                named(expressions).forEach(type -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
                registerParameters();
            }
        }

        private void register(Class<?> type, Method method) {
            BeanProxy.invocable(type, method)
                    .forEach(invocable -> hints.registerMethod(invocable, ExecutableMode.INVOKE));
        }

        /** Registers the types of the parameters and their properties, and the content of those that are value classes. */
        private void registerParameters() {
            Type[] parameters = annotated.method().getGenericParameterTypes();
            BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();
            registrar.registerReflectionHints(hints, parameters);
            ReflectionHints reached = new ReflectionHints();
            registrar.registerReflectionHints(reached, parameters);
            reached.typeHints()
                    .map(type -> ClassUtils.resolveClassName(type.getType().getName(), beans.getBeanClassLoader()))
                    .forEach(this::registerContent);
            registerArguments(ResolvableType.forClass(annotated.type()));
        }

        /** Registers the content of value classes for type variables, of which a caller by a supertype has boxed values. */
        private void registerArguments(ResolvableType type) {
            Stream.concat(Stream.of(type.getSuperType()), Stream.of(type.getInterfaces()))
                    .filter(supertype -> !supertype.equals(ResolvableType.NONE))
                    .forEach(supertype -> {
                        Stream.of(supertype.resolveGenerics(Object.class)).forEach(this::registerContent);
                        registerArguments(supertype);
                    });
        }

        private void registerContent(Class<?> type) {
            Method content = KotlinFunctions.content(type);
            if (content != null) {
                hints.registerMethod(content, ExecutableMode.INVOKE);
                registerContent(content.getReturnType());
            }
        }

        /** Returns the types that an expression refers to directly. */
        private Set<Class<?>> named(String expression) {
            Set<Class<?>> types = new LinkedHashSet<>(List.of(annotated.method().getParameterTypes()));
            types.add(annotated.type());
            BEAN.matcher(expression).results().forEach(bean -> {
                String name = bean.group(2) == null ? bean.group(3) : bean.group(2);
                if (beans.containsBean(name)) {
                    Class<?> type = beans.getType(name);
                    if (type != null) {
                        types.add(ClassUtils.getUserClass(type));
                    }
                }
            });
            TYPE.matcher(expression)
                    .results()
                    .flatMap(type -> Stream.of(type.group(1), "java.lang." + type.group(1)))
                    .filter(type -> ClassUtils.isPresent(type, beans.getBeanClassLoader()))
                    .forEach(type -> types.add(ClassUtils.resolveClassName(type, beans.getBeanClassLoader())));
            types.removeIf(Class::isPrimitive);
            return types;
        }
    }
}
