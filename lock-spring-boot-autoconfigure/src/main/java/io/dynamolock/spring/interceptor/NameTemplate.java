/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Parsed template of a lock name: text with resolved placeholders, and expressions. The value of a placeholder is never
 * parsed as an expression, unless the placeholder is inside of one.
 */
final class NameTemplate {

    private final List<Expression> parts;
    private final LockNameConverter converter;
    private final @Nullable String constant;

    private NameTemplate(List<Expression> parts, LockNameConverter converter) {
        this.parts = List.copyOf(parts);
        this.converter = converter;
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
     * @param rules detects mistakes
     * @param converter converts values to text, and loads the classes that compiled expressions refer to
     * @throws RuntimeException if the template cannot be parsed, or if a placeholder or variable is unknown
     */
    static NameTemplate parse(
            String source, UnaryOperator<String> placeholders, TemplateRules rules, LockNameConverter converter) {
        Parser parser = new Parser(placeholders, converter.loader());
        Expression whole = parser.parseExpression(source, ParserContext.TEMPLATE_EXPRESSION);
        rules.checkWhole(source);
        List<Expression> parts = new ArrayList<>();
        for (Expression part : whole instanceof CompositeStringExpression several
                ? several.getExpressions()
                : new Expression[] {whole}) {
            if (part instanceof SpelExpression expression) {
                rules.check(expression);
                parts.addAll(parser.split(expression));
            } else {
                rules.checkText(part.getExpressionString(), source);
                parts.add(new LiteralExpression(placeholders.apply(part.getExpressionString())));
            }
        }
        NameTemplate template = new NameTemplate(parts, converter);
        if (template.constant != null && template.constant.isBlank()) {
            throw new InvalidTemplateException("it is blank", "Give it a text that is not blank", null);
        }
        return template;
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
            name.append(text(part, value(part, call)));
        }
        return name.toString();
    }

    /**
     * Returns the names for one call: one, or one for each element of a collection or an array that an expression gives.
     *
     * @throws IllegalArgumentException as of {@link #render}, also if a value or an element may stand for several, or if
     *     two expressions give several
     */
    List<String> renderAll(EvaluationContext call) {
        List<String> names = List.of("");
        Expression expanded = null;
        for (Expression part : parts) {
            Object value = value(part, call);
            Collection<?> several = several(part, value);
            if (several == null) {
                String text = text(part, value);
                names = names.stream().map(name -> name + text).toList();
            } else if (expanded != null) {
                throw failed(part, new IllegalArgumentException("and another expression evaluate to several values"));
            } else {
                expanded = part;
                String before = names.get(0);
                names = several.stream()
                        .map(element -> before + text(part, element))
                        .toList();
            }
        }
        return names;
    }

    private static @Nullable Collection<?> several(Expression part, @Nullable Object value) {
        try {
            return SeveralValues.of(value);
        } catch (IllegalArgumentException unclear) {
            throw failed(part, unclear);
        }
    }

    /** Exceptions that the application throws in the expression are those of the call. */
    private static @Nullable Object value(Expression part, EvaluationContext call) {
        try {
            return part.getValue(call);
        } catch (EvaluationException | IllegalArgumentException failure) {
            throw failed(part, failure);
        }
    }

    private String text(Expression part, @Nullable Object value) {
        if (part instanceof LiteralExpression) {
            return part.getExpressionString();
        }
        try {
            if (part instanceof Operand) {
                return converter.ofOperand(value);
            }
            String text = converter.of(value);
            if (text.isBlank()) {
                throw new IllegalArgumentException("evaluates to blank text");
            }
            return text;
        } catch (RuntimeException | StackOverflowError failure) {
            throw failed(part, failure);
        }
    }

    private static IllegalArgumentException failed(Expression part, Throwable failure) {
        String what = "#{" + part.getExpressionString() + "} ";
        return new IllegalArgumentException(what + describe(failure), failure);
    }

    private static boolean isNotBlank(Expression part) {
        return part instanceof LiteralExpression && !part.getExpressionString().isBlank();
    }

    private static @Nullable String describe(Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            return failure.getMessage();
        }
        return "fails: " + (failure instanceof EvaluationException ? failure.getMessage() : failure);
    }

    /** Operand of a concatenation; its text may be blank. */
    private static final class Operand extends SpelExpression {

        Operand(SpelNodeImpl node, SpelParserConfiguration configuration) {
            super(node.toStringAST(), node, configuration);
        }
    }

    /** Resolves the placeholders of an expression before it is parsed. */
    private static final class Parser extends TemplateAwareExpressionParser {

        /** Compiles an expression after several evaluations, and interprets it again if the compiled form fails. */
        private static final SpelCompilerMode MODE =
                NativeDetector.inNativeImage() ? SpelCompilerMode.OFF : SpelCompilerMode.MIXED;

        private final SpelParserConfiguration configuration;
        private final SpelExpressionParser spel;
        private final UnaryOperator<String> placeholders;

        Parser(UnaryOperator<String> placeholders, ClassLoader loader) {
            this.placeholders = placeholders;
            this.configuration = new SpelParserConfiguration(MODE, loader);
            this.spel = new SpelExpressionParser(configuration);
        }

        /** Splits {@code 'x-' + #id} as if it were {@code x-#{#id}}: SpEL itself would make null the text "null". */
        List<Expression> split(SpelExpression expression) {
            List<Expression> operands = new ArrayList<>();
            if (isText(expression.getAST())) {
                addOperands(expression.getAST(), operands);
            }
            boolean named = operands.stream().anyMatch(NameTemplate::isNotBlank);
            return named ? operands : List.of(expression); // what has no text of its own must not be blank
        }

        private void addOperands(SpelNode node, List<Expression> operands) {
            if (node instanceof StringLiteral text) {
                operands.add(new LiteralExpression(
                        String.valueOf(text.getLiteralValue().getValue())));
            } else if (isText(node)) {
                addOperands(node.getChild(0), operands);
                addOperands(node.getChild(1), operands);
            } else {
                operands.add(new Operand((SpelNodeImpl) node, configuration));
            }
        }

        /** Returns whether a node is a concatenation for sure; without a literal it may add numbers. */
        private static boolean isText(SpelNode node) {
            return node instanceof StringLiteral
                    || (node instanceof OpPlus
                            && node.getChildCount() == 2
                            && (isText(node.getChild(0)) || isText(node.getChild(1))));
        }

        @Override
        protected Expression doParseExpression(String text, @Nullable ParserContext context) {
            return spel.parseExpression(placeholders.apply(text));
        }
    }
}
