/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;

/**
 * Detects mistakes in a template at startup: a parameter as text, and references that fail in each call.
 *
 * @param attribute the attribute
 * @param variables the variables of its expressions
 * @param bean whether a bean exists
 */
record TemplateRules(String attribute, LockExpressionVariables variables, Predicate<String> bean) {

    /** The properties of the root object, {@link LockExpressionRoot}. */
    private static final Set<String> ROOT = Set.of("target", "method", "args", "class");

    /** The arguments of a method, of which each may call one, too. Possessive, as all here: a loop uses no stack. */
    private static final String ARGUMENTS = "\\((?:[^()]++|\\([^()]*+\\))*+\\)";

    /** The properties, methods and elements of a variable. */
    private static final String MEMBERS = "(?:\\??\\.[A-Za-z_]\\w*(?:%s)?|\\[[^\\]]*])*+".formatted(ARGUMENTS);

    /** An expression in braces without their {@code #}, such as <code>{#id}</code> or <code>${#id}</code>; not a list. */
    private static final Pattern WITHOUT_HASH =
            Pattern.compile("(?<!#)\\$?\\{(#(?:[^{},()]++|%s)*+)}".formatted(ARGUMENTS));

    /** An expression in its braces. It may contain placeholders and lists. */
    private static final Pattern EXPRESSION = Pattern.compile("#\\{(?:[^{}'\"]++|'[^']*+'|\"[^\"]*+\"|\\{[^{}]*+})*+}");

    /** A parameter in the syntax of other libraries, {@code {id}}, {@code {0}} or {@code $id}; not a placeholder. */
    private static final Pattern FOREIGN = Pattern.compile("(?<![$#])\\{(?:(\\d+)|(\\w+))}|\\$(\\w+)");

    /** A placeholder without dots, such as {@code ${user}}. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)(?::[^}]*)?}");

    /** A quoted text with {@code +} before or after it, as in an expression. */
    private static final Pattern CONCATENATED =
            Pattern.compile("\\s*\\+\\s*'([^']*)'(?:\\s*\\+\\s*)?|'([^']*)'\\s*\\+\\s*");

    /** Rejects what is meant as an expression, such as {@code #id}: it would be the same text for all calls. */
    void checkText(String text, String template) {
        variable().matcher(text).results().findFirst().ifPresent(found -> {
            throw isText(found.group(1) + " outside of #{}", corrected(template));
        });
        FOREIGN.matcher(text)
                .results()
                .filter(found -> foreign(found) != null)
                .findFirst()
                .ifPresent(found -> {
                    throw isText(found.group(), corrected(template));
                });
        PLACEHOLDER
                .matcher(text)
                .results()
                .filter(found -> variables.isParameter(found.group(1)))
                .findFirst()
                .ifPresent(found -> {
                    throw new InvalidTemplateException(
                            "%s is a property of the application, not the parameter of the same name"
                                    .formatted(found.group()),
                            "Write %s; if the property is meant, rename the parameter".formatted(corrected(template)),
                            null);
                });
        if (isCondition()
                && template.contains("#{")
                && !text.replaceAll("\\$\\{[^}]*}", "").isBlank()) {
            throw isText("'%s' outside of #{}".formatted(text.strip()), corrected(template));
        }
    }

    private boolean isCondition() {
        return attribute.equals("condition");
    }

    /** Rejects an expression that is written around others, such as {@code 'order-' + #{#id}}. */
    void checkWhole(String template) {
        String unquoted = unquoted(template);
        if (template.contains("#{") && !unquoted.equals(template)) {
            throw new InvalidTemplateException("quotes and + outside of #{} are text", "Write " + unquoted, null);
        }
    }

    /** Returns the pattern of a variable that exists, with its members. */
    private Pattern variable() {
        return Pattern.compile("(#(?:%s))(?!\\w)%s".formatted(variables.alternatives(), MEMBERS));
    }

    /** Returns the template as it is meant: text, and all parameters in expressions. A condition is one expression. */
    private String corrected(String template) {
        String text = isCondition() ? template : unquoted(template);
        text = replaced(WITHOUT_HASH, text, found -> found.group(1));
        if (!isCondition()) {
            text = replaced(variable(), text, MatchResult::group);
        }
        text = replaced(PLACEHOLDER, text, found -> parameter(found.group(1)));
        text = replaced(FOREIGN, text, this::foreign);
        return isCondition() ? single(text.strip()) : text;
    }

    /** Returns one expression for a condition that contains several. */
    private String single(String condition) {
        return EXPRESSION.matcher(condition).matches()
                ? condition
                : "#{%s}"
                        .formatted(EXPRESSION
                                .matcher(condition)
                                .replaceAll(found -> Matcher.quoteReplacement(operand(found.group()))));
    }

    private String operand(String expression) {
        String operand =
                expression.substring("#{".length(), expression.length() - 1).strip();
        return variable().matcher(operand).matches() ? operand : "(" + operand + ")";
    }

    private @Nullable String parameter(String name) {
        return variables.isParameter(name) ? "#" + name : null;
    }

    /** Returns the text of a concatenation; the template itself if it is none. */
    private static String unquoted(String template) {
        boolean isQuoted = template.startsWith("'") || template.endsWith("'") || !template.contains("#{");
        return !isQuoted
                ? template
                : CONCATENATED
                        .matcher(template)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(found.group(1) == null ? found.group(2) : found.group(1)));
    }

    /** Replaces matches outside of expressions by expressions; the function returns null for those to leave. */
    private static String replaced(Pattern pattern, String text, Function<MatchResult, @Nullable String> meant) {
        return Pattern.compile(EXPRESSION + "|" + pattern).matcher(text).replaceAll(found -> {
            String expression = found.group().startsWith("#{") ? null : meant.apply(found);
            return Matcher.quoteReplacement(expression == null ? found.group() : "#{" + expression + "}");
        });
    }

    /** Returns the variable that is meant; null if there is no such parameter. */
    private @Nullable String foreign(MatchResult found) {
        if (found.group(1) != null) {
            String indexed = "p" + found.group(1);
            return variables.knows(indexed) ? "#" + indexed : null;
        }
        return parameter(found.group(2) == null ? found.group(3) : found.group(2));
    }

    private InvalidTemplateException isText(String what, String corrected) {
        String consequence = switch (attribute) {
            case "condition" -> ", which is neither true nor false";
            case "manager" -> ", not the name of a lock manager";
            default -> ", so that all calls share one lock";
        };
        return new InvalidTemplateException(
                what + " is text" + consequence,
                isCondition() && !isExpression(corrected)
                        ? "Write one expression, such as #{@jobs.areOn() and #region == 'eu'}"
                        : "Write " + corrected,
                null);
    }

    /** Returns whether a corrected condition can be evaluated: the text around its expressions need not be code. */
    private boolean isExpression(String condition) {
        String code = condition.substring("#{".length(), condition.length() - 1);
        try {
            check(new SpelExpressionParser().parseRaw(code.replaceAll("\\$\\{[^}]*}", "true")));
            return true;
        } catch (ParseException | InvalidTemplateException invalid) {
            return false;
        }
    }

    /** Rejects variables, functions and beans that do not exist, and parameters without their {@code #}. */
    void check(SpelExpression expression) {
        checkReferences(expression.getAST());
        checkRoot(expression.getAST(), true);
    }

    private void checkReferences(SpelNode node) {
        String text = node.toStringAST();
        boolean isUnknown = node instanceof VariableReference && !variables.knows(text.substring(1));
        if (isUnknown && variables.areNone()) {
            throw new InvalidTemplateException(
                    text + " is not a parameter of the method, which has none",
                    "Remove it, or annotate only methods that have it",
                    null);
        }
        if (isUnknown) {
            throw new InvalidTemplateException(
                    text + " is not a parameter of the method",
                    variables.areUnnamed()
                            ? "%s, without which no parameter has a name, or write #p0, #p1 and so on"
                                    .formatted(
                                            variables.areOfKotlin()
                                                    ? "Add org.jetbrains.kotlin:kotlin-reflect, or compile its class with -java-parameters"
                                                    : "Compile its class with -parameters")
                            : "Correct it; parameters are known as #p0, #p1, ... and, if compiled with -parameters, by name: "
                                    + variables.names(),
                    null);
        }
        if (node instanceof FunctionReference) {
            throw new InvalidTemplateException(
                    text + " is not a function",
                    "Correct the expression; it can call methods of its parameters, of beans (@bean) and of types (T(...))",
                    null);
        }
        if (node instanceof BeanReference) {
            String name = text.substring(1).replace("'", "");
            if (!bean.test(name)) {
                throw new InvalidTemplateException(
                        "there is no bean named '%s'".formatted(name), "Correct the name, or add the bean", null);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkReferences(node.getChild(i));
        }
    }

    private void checkRootProperty(String name) {
        boolean isForgotten = variables.isParameter(name) && !ROOT.contains(name);
        if (isForgotten || !ROOT.contains(StringUtils.uncapitalize(name))) {
            throw new InvalidTemplateException(
                    name + " is not a property of the call",
                    isForgotten
                            ? "Write #%1$s, as in #{#%1$s}".formatted(name)
                            : "Use one of its properties target, method and args, as in #{#method.name}, or a parameter",
                    null);
        }
    }

    private void checkRootMethod(String name) {
        if (ROOT.stream().noneMatch(property -> name.equals("get" + StringUtils.capitalize(property)))) {
            throw new InvalidTemplateException(
                    name + "() is not a method of the call",
                    "Call it on the target, a parameter or a bean, as in #{#target.%s()}".formatted(name),
                    null);
        }
    }

    /** Checks members of the root object. Those in an indexer, a projection or a selection belong to others. */
    private void checkRoot(SpelNode node, boolean isOfRoot) {
        if (isOfRoot && node instanceof PropertyOrFieldReference property) {
            checkRootProperty(property.getName());
        }
        if (isOfRoot && node instanceof MethodReference method) {
            checkRootMethod(method.getName());
        }
        if (node instanceof Indexer || node instanceof Projection || node instanceof Selection) {
            return;
        }
        int ofRoot = !(node instanceof CompoundExpression)
                ? node.getChildCount()
                : node.getChild(0).toStringAST().equals("#root") ? 2 : 1; // the others belong to the one before them
        for (int i = 0; i < node.getChildCount(); i++) {
            boolean isKey = node instanceof InlineMap && i % 2 == 0; // a word there is text
            checkRoot(node.getChild(i), i < ofRoot && !isKey);
        }
    }
}
