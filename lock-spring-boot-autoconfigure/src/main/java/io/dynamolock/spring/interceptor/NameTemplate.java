/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NativeDetector;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateAwareExpressionParser;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Parsed template of a lock name: text with resolved placeholders, and expressions. The value of a placeholder is never
 * parsed as an expression, unless the placeholder is inside of one.
 */
final class NameTemplate {

    private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");

    private final List<Expression> parts;
    private final @Nullable String constant;

    private NameTemplate(List<Expression> parts) {
        this.parts = List.copyOf(parts);
        this.constant = parts.stream().allMatch(LiteralExpression.class::isInstance)
                ? String.join(
                        "", parts.stream().map(Expression::getExpressionString).toList())
                : null;
    }

    /**
     * Parses a template.
     *
     * @param source the template
     * @param placeholders resolves the placeholders in a text, or throws
     * @param knownVariable whether expressions can use a variable
     * @param loader loads the classes of the application, which compiled expressions refer to
     * @throws RuntimeException if the template cannot be parsed, or if a placeholder or variable is unknown
     */
    static NameTemplate parse(
            String source,
            UnaryOperator<String> placeholders,
            Predicate<String> knownVariable,
            @Nullable ClassLoader loader) {
        Expression whole = new Parser(placeholders, loader).parseExpression(source, ParserContext.TEMPLATE_EXPRESSION);
        List<Expression> parts = new ArrayList<>();
        for (Expression part : whole instanceof CompositeStringExpression several
                ? several.getExpressions()
                : new Expression[] {whole}) {
            if (part instanceof SpelExpression expression) {
                requireKnownVariables(expression.getAST(), knownVariable);
                parts.add(expression);
            } else {
                requireNoParameters(part.getExpressionString(), knownVariable);
                parts.add(new LiteralExpression(placeholders.apply(part.getExpressionString())));
            }
        }
        NameTemplate template = new NameTemplate(parts);
        if (template.constant != null && template.constant.isBlank()) {
            throw new IllegalArgumentException("it is blank");
        }
        return template;
    }

    /** Rejects {@code #id} outside of an expression, which would be text, and so one lock for all calls. */
    private static void requireNoParameters(String text, Predicate<String> known) {
        Matcher variables = VARIABLE.matcher(text);
        while (variables.find()) {
            if (known.test(variables.group(1))) {
                throw new IllegalArgumentException(
                        "%1$s outside of #{} is text, so that all calls share one lock: write #{%1$s}"
                                .formatted(variables.group()));
            }
        }
    }

    private static void requireKnownVariables(SpelNode node, Predicate<String> known) {
        if (node instanceof VariableReference && !known.test(node.toStringAST().substring(1))) {
            throw new IllegalArgumentException(node.toStringAST() + " is not a parameter of the method");
        }
        if (node instanceof FunctionReference) {
            throw new IllegalArgumentException(node.toStringAST() + " is not a function");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireKnownVariables(node.getChild(i), known);
        }
    }

    /**
     * Returns the name if it is the same for every call.
     *
     * @return null if the name depends on the call
     */
    @Nullable
    String constant() {
        return constant;
    }

    /** Returns whether an expression refers to the call: its arguments, its method or its target. */
    boolean dependsOnCall() {
        return parts.stream().anyMatch(part -> part instanceof SpelExpression value && dependsOnCall(value.getAST()));
    }

    private static boolean dependsOnCall(SpelNode node) {
        for (int i = 0; i < node.getChildCount(); i++) {
            if (dependsOnCall(node.getChild(i))) {
                return true;
            }
        }
        return node instanceof VariableReference;
    }

    /** Returns whether two expressions are adjacent, so that different values can give the same name. */
    boolean joinsValues() {
        boolean afterValue = false;
        for (Expression part : parts) {
            boolean isValue = !(part instanceof LiteralExpression);
            if (isValue && afterValue) {
                return true;
            }
            afterValue = isValue || (afterValue && part.getExpressionString().isEmpty());
        }
        return false;
    }

    /**
     * Returns the name for one call.
     *
     * @throws IllegalArgumentException if an expression fails, or evaluates to null or blank text; the message names
     *     the expression
     */
    String render(EvaluationContext call) {
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            name.append(part instanceof LiteralExpression ? part.getExpressionString() : evaluate(part, call));
        }
        return name.toString();
    }

    private static String evaluate(Expression part, EvaluationContext call) {
        try {
            return LockNameConverter.of(part.getValue(call));
        } catch (EvaluationException | IllegalArgumentException failure) {
            String what = "#{" + part.getExpressionString() + "} ";
            String why =
                    failure instanceof EvaluationException ? "fails: " + failure.getMessage() : failure.getMessage();
            throw new IllegalArgumentException(what + why, failure);
        }
    }

    /** Resolves the placeholders of an expression before it is parsed. */
    private static final class Parser extends TemplateAwareExpressionParser {

        /** Compiles an expression after several evaluations, and interprets it again if the compiled form fails. */
        private static final SpelCompilerMode MODE =
                NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;

        private final SpelExpressionParser spel;
        private final UnaryOperator<String> placeholders;

        Parser(UnaryOperator<String> placeholders, @Nullable ClassLoader loader) {
            this.placeholders = placeholders;
            this.spel = new SpelExpressionParser(new SpelParserConfiguration(MODE, loader));
        }

        @Override
        protected Expression doParseExpression(String text, @Nullable ParserContext context) {
            return spel.parseExpression(placeholders.apply(text));
        }
    }
}
