/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.OnBusy;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;

/**
 * A method with its effective annotation. Reads single attributes, or throws {@link InvalidDistributedLockException}.
 *
 * @param method the method that runs
 * @param type the class of the bean
 * @param annotation the annotation of the method, of a method that it implements or overrides, or of the type
 */
record AnnotatedMethod(Method method, Class<?> type, MergedAnnotation<DistributedLock> annotation) {

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";
    private static final String SCHEDULES = "org.springframework.scheduling.annotation.Schedules";

    /**
     * Finds the annotation of a method.
     *
     * @return null if the method has none
     */
    static @Nullable AnnotatedMethod find(Method method, Class<?> type) {
        MergedAnnotation<DistributedLock> annotation = LockAnnotations.find(method, type);
        return annotation == null ? null : new AnnotatedMethod(KotlinFunctions.called(method, type), type, annotation);
    }

    /** Returns whether the annotation is that of a type, for each of its methods. */
    boolean isByType() {
        return !(annotation.getSource() instanceof Method);
    }

    /** Rejects several annotations of one method or type, also of a type that only chooses the manager. */
    void requireOne() {
        MergedAnnotation<DistributedLock> onType = LockAnnotations.onType(type);
        if (isByType()) {
            requireOne(onType, type, "its type", "type");
            return;
        }
        requireOne(annotation, method, "it", "method");
        if (onType.isPresent() && text("manager").isBlank() && LockAnnotations.managersIn(onType, type) > 1) {
            requireOne(onType, type, "its type", "type");
        }
    }

    private void requireOne(MergedAnnotation<DistributedLock> one, AnnotatedElement place, String what, String kind) {
        List<MergedAnnotation<DistributedLock>> all = LockAnnotations.rivals(one, place, type);
        if (all.size() > 1) {
            boolean inherited =
                    all.stream().map(LockAnnotations::typeOf).distinct().count() > 1;
            throw rejected(
                    "%s %s several lock annotations (%s), of which only one would take effect"
                            .formatted(
                                    what,
                                    inherited ? "inherits" : "has",
                                    all.stream()
                                            .map(each -> nameOf(each, inherited))
                                            .distinct()
                                            .collect(Collectors.joining(", "))),
                    inherited
                            ? annotateItself(kind)
                            : "Use one with names = {...}, or let the method call one of another bean that has the other"
                                    + " annotation",
                    null);
        }
    }

    private String annotateItself(String kind) {
        boolean isInherited = method.getDeclaringClass() != type;
        if (Proxy.isProxyClass(type) || (isInherited && Modifier.isFinal(method.getModifiers()))) {
            return "Annotate only one of them";
        }
        return kind.equals("method") && isInherited
                ? "Override the method in %s, and annotate it there, or annotate only one of them"
                        .formatted(type.isAnonymousClass() ? "a class with a name" : type.getSimpleName())
                : "Annotate the %s itself, or only one of them".formatted(kind);
    }

    private static String nameOf(MergedAnnotation<DistributedLock> annotation, boolean withType) {
        String name = "@" + annotation.getRoot().getType().getSimpleName();
        return withType ? name + " of " + LockAnnotations.typeOf(annotation).getSimpleName() : name;
    }

    String text(String attribute) {
        return annotation.getString(attribute);
    }

    /** Returns the name templates, one or several. */
    List<String> names() {
        String name = text("name");
        List<String> several = List.of(annotation.getStringArray("names"));
        if (several.isEmpty()) {
            several = List.of(name);
        } else if (!name.isEmpty()) {
            throw rejected("both name and names are set", "Move the name into names, or remove one of them", null);
        }
        if (several.stream().anyMatch(String::isBlank)) {
            throw several.size() == 1
                    ? rejected("the lock has no name", "Set one: @DistributedLock(\"some-name\")", null)
                    : rejected("one of names is blank", "Remove it, or give the lock a name", null);
        }
        return several;
    }

    /** Returns whether an expression may give the names of several locks. */
    boolean hasSeveralNames() {
        return annotation.getStringArray("names").length > 0;
    }

    @Nullable
    Duration duration(String attribute, UnaryOperator<String> placeholders) {
        String written = text(attribute);
        if (written.isEmpty()) {
            return null;
        }
        String resolved;
        try {
            resolved = placeholders.apply(written).strip();
        } catch (InvalidTemplateException unresolved) {
            throw rejected(
                    "%s = \"%s\": %s".formatted(attribute, written, unresolved.getMessage()),
                    unresolved.remedy(),
                    unresolved);
        }
        Duration duration;
        try {
            duration = DurationFormatterUtils.detectAndParse(resolved);
        } catch (IllegalArgumentException unreadable) {
            throw rejected(
                    "%s = \"%s\" %s not a duration".formatted(attribute, written, valueOf(written, resolved)),
                    "Use a format such as \"30s\", \"PT30S\" or \"${some.property}\"",
                    unreadable);
        }
        if (Character.isDigit(resolved.charAt(resolved.length() - 1))) {
            boolean isValue = !written.strip().equals(resolved);
            throw rejected(
                    isValue
                            ? "%s = \"%s\" has the value \"%s\", which has no unit"
                                    .formatted(attribute, written, resolved)
                            : "%s = \"%s\" has no unit".formatted(attribute, written),
                    "Give a unit%s: \"%ss\"".formatted(isValue ? " to the value of the property" : "", resolved),
                    null);
        }
        return duration;
    }

    /** Returns the beginning of a sentence about an attribute: shows its value if that is not what is written. */
    static String valueOf(String written, String value) {
        return written.strip().equals(value) ? "is" : "has the value \"%s\", which is".formatted(value);
    }

    /**
     * Returns the action for a busy lock. The argument applies to methods that do not set one and are not scheduled.
     */
    OnBusy onBusy(OnBusy elsewhere) {
        OnBusy said = annotation.getEnum("onBusy", OnBusy.class);
        if (said != OnBusy.DEFAULT) {
            return said;
        }
        return isScheduled() || elsewhere == OnBusy.SKIP ? OnBusy.SKIP : OnBusy.THROW;
    }

    /** Returns whether it is a job that another process does while this one finds the lock busy. */
    boolean isJob() {
        return isScheduled() && onBusy(OnBusy.THROW) == OnBusy.SKIP;
    }

    OnLost onLost() {
        return annotation.getEnum("onLost", OnLost.class);
    }

    /** Returns the bean name of the lock manager: the method's, else the type's; empty if neither sets one. */
    String manager() {
        String said = text("manager");
        return said.isBlank() ? LockAnnotations.managerOf(type) : said;
    }

    private boolean isScheduled() {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return all.isPresent(SCHEDULED) || all.isPresent(SCHEDULES);
    }

    /** Returns whether the method or its type has one of these annotations. */
    boolean hasAny(Set<Class<? extends Annotation>> annotations) {
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        return annotations.stream().anyMatch(one -> onMethod.isPresent(one) || onType.isPresent(one));
    }

    /** Returns the return type, with type variables resolved, and the actual one of a suspending Kotlin function. */
    Class<?> returnType() {
        return returned().getParameterType();
    }

    /** Returns the type of the body if the method returns an HTTP response, otherwise null. */
    @Nullable
    Class<?> bodyType() {
        return HttpBody.typeIn(ResolvableType.forMethodParameter(returned()));
    }

    private MethodParameter returned() {
        return new MethodParameter(method, -1).withContainingClass(type);
    }

    /** Proxies and lambdas have no names of parameters: those of the interface count. */
    LockExpressionVariables variables() {
        return new LockExpressionVariables(
                annotation.getSource() instanceof Method source
                        ? source
                        : isNameless() ? ClassUtils.getInterfaceMethodIfPossible(method, type) : null,
                method);
    }

    private boolean isNameless() {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Returns the end of a remedy for a method that does not fit the annotation of its type. */
    String orAnnotateMethods() {
        return isByType() ? ", or annotate the methods to lock instead of the type" : "";
    }

    /**
     * Returns the qualified name of the method: that of its interface if the class is a JDK proxy or a lambda, whose names
     * differ in each process, or does not implement it.
     */
    String where() {
        Object source = annotation.getSource();
        Class<?> declaring = source instanceof Method declared
                ? declared.getDeclaringClass()
                : source instanceof Class<?> annotated ? annotated : type;
        boolean byInterface = isNameless() || !declaring.isAssignableFrom(type);
        return (byInterface ? declaring : type).getName() + "." + KotlinFunctions.sourceNameOf(method);
    }

    /**
     * Reads what depends on Kotlin's reflection, whose exceptions do not say what it cannot read: Spring fails with them,
     * too, when it calls the method.
     *
     * @throws InvalidDistributedLockException if it fails
     */
    <T> T read(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (RuntimeException | Error failure) {
            if (!KotlinFunctions.isCause(failure)) {
                throw failure;
            }
            throw rejected(
                    "Kotlin's reflection cannot read it or its fallback (%s)".formatted(failure),
                    "Declare another type, such as Unit, for a suspend function that returns Nothing; let an obfuscator"
                            + " keep the names of functions and types that the class's metadata has",
                    failure);
        }
    }

    InvalidDistributedLockException rejected(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDistributedLockException(where(), problem, remedy, cause);
    }
}
