/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
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
 * A lock name, parsed once: texts, in which placeholders are resolved already, and expressions. What a placeholder stands
 * for is never read as an expression, unless it stands inside one.
 */
final class NameTemplate {

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
     * Parses.
     *
     * @param source the template
     * @param placeholders resolves the placeholders in a text, or throws
     * @param knownVariable tells whether expressions may name a variable
     * @throws RuntimeException if it cannot be parsed, or a placeholder or variable is unknown
     */
    static NameTemplate parse(String source, UnaryOperator<String> placeholders, Predicate<String> knownVariable) {
        Expression whole = new Parser(placeholders).parseExpression(source, ParserContext.TEMPLATE_EXPRESSION);
        List<Expression> parts = new ArrayList<>();
        for (Expression part : whole instanceof CompositeStringExpression several
                ? several.getExpressions()
                : new Expression[] {whole}) {
            if (part instanceof SpelExpression expression) {
                requireKnownVariables(expression.getAST(), knownVariable);
                parts.add(expression);
            } else {
                parts.add(new LiteralExpression(placeholders.apply(part.getExpressionString())));
            }
        }
        NameTemplate template = new NameTemplate(parts);
        if (template.constant != null && template.constant.isBlank()) {
            throw new IllegalArgumentException("it is blank");
        }
        return template;
    }

    private static void requireKnownVariables(SpelNode node, Predicate<String> known) {
        if (node instanceof VariableReference && !known.test(node.toStringAST().substring(1))) {
            throw new IllegalArgumentException(node.toStringAST() + " is no parameter of the method");
        }
        if (node instanceof FunctionReference) {
            throw new IllegalArgumentException(node.toStringAST() + " is no function");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireKnownVariables(node.getChild(i), known);
        }
    }

    /**
     * Returns the name if it is the same for every call.
     *
     * @return null if it depends on the call
     */
    @Nullable
    String constant() {
        return constant;
    }

    /** Whether two expressions stand side by side, so that different values can give one name. */
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
     * Gives the name for one call.
     *
     * @throws IllegalArgumentException if an expression fails, or gives null or a blank text; the message says which
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

        /** What has been evaluated often is compiled, and interpreted again if that turns out not to fit. */
        private static final SpelCompilerMode MODE =
                NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;

        private final SpelExpressionParser spel =
                new SpelExpressionParser(new SpelParserConfiguration(MODE, Parser.class.getClassLoader()));

        private final UnaryOperator<String> placeholders;

        Parser(UnaryOperator<String> placeholders) {
            this.placeholders = placeholders;
        }

        @Override
        protected Expression doParseExpression(String text, @Nullable ParserContext context) {
            return spel.parseExpression(placeholders.apply(text));
        }
    }
}
