/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LookedUp;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.PlaceholderResolutionException;

/** Parses the attributes that are evaluated for each call, and resolves placeholders. */
final class TemplateParser {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]*)");

    private final ConfigurableListableBeanFactory beans;
    private final LockNameConverter converter;
    private final EvaluationContext ofNames;
    private final EvaluationContext ofConditions;

    TemplateParser(ConfigurableListableBeanFactory beans, ApplicationContext application) {
        this.beans = beans;
        this.converter = new LockNameConverter(beans.getBeanClassLoader());
        BeanResolver existing = unlessClosed(new BeanFactoryResolver(beans), application);
        this.ofNames = context(beans, existing, converter);
        this.ofConditions = context(beans, existing, new StandardTypeConverter());
    }

    /** The factory of a closed application would create new beans, which nobody closes. */
    private static BeanResolver unlessClosed(BeanResolver beans, ApplicationContext application) {
        return (context, name) -> {
            if (LookedUp.isClosed(application)) {
                throw new IllegalArgumentException(
                        "needs the bean '%s', but the application context is closed".formatted(name));
            }
            return beans.resolve(context, name);
        };
    }

    private static EvaluationContext context(
            ConfigurableListableBeanFactory beans, BeanResolver resolver, TypeConverter converter) {
        StandardEvaluationContext context = new StandardEvaluationContext();
        context.setBeanResolver(resolver);
        context.setTypeLocator(new StandardTypeLocator(beans.getBeanClassLoader()));
        context.setTypeConverter(converter);
        return context;
    }

    /**
     * Parses an attribute of an annotation.
     *
     * @throws io.dynamolock.spring.InvalidDistributedLockException if it cannot be parsed, or cannot succeed in a call
     */
    AttributeTemplate parse(AnnotatedMethod annotated, String attribute, String source) {
        LockExpressionVariables variables = annotated.variables();
        TemplateRules rules = new TemplateRules(attribute, variables, beans::containsBean);
        try {
            NameTemplate parsed = NameTemplate.parse(source, this::resolve, rules, converter);
            return new AttributeTemplate(
                    annotated,
                    attribute,
                    source,
                    parsed,
                    variables,
                    attribute.equals("condition") ? ofConditions : ofNames);
        } catch (RuntimeException bad) {
            throw annotated.rejected(
                    "the %s template '%s' is invalid: %s".formatted(attribute, source, bad.getMessage()),
                    bad instanceof InvalidTemplateException invalid
                            ? invalid.remedy()
                            : "Correct the expression; text stands outside of #{...}, as in order-#{#order.id}",
                    bad);
        }
    }

    /**
     * Resolves the placeholders in a text.
     *
     * @throws InvalidTemplateException if one has no value
     */
    String resolve(String text) {
        return resolve(text, "default");
    }

    /** Resolves the placeholders in a duration, see {@link #resolve(String)}. */
    String resolveDuration(String text) {
        return resolve(text, "2s");
    }

    private String resolve(String text, String example) {
        try {
            String resolved = text.contains("${") ? beans.resolveEmbeddedValue(text) : text;
            if (resolved != null && !resolved.contains("${")) {
                return resolved;
            }
        } catch (PlaceholderResolutionException missing) {
            throw unresolved(missing.getPlaceholder(), example, missing);
        }
        Matcher placeholder = PLACEHOLDER.matcher(text);
        throw unresolved(placeholder.find() ? placeholder.group(1) : text, example, null);
    }

    private static InvalidTemplateException unresolved(String property, String example, @Nullable Throwable cause) {
        return new InvalidTemplateException(
                "the placeholder ${%s} has no value".formatted(property),
                "Set the property %1$s, or give it a default: ${%1$s:%2$s}".formatted(property, example),
                cause);
    }
}
