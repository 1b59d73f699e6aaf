/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

/** Expressions in lock names are compiled after several evaluations. */
class NameTemplateSpeedTests {

    private static final int ROUNDS = 5;
    private static final int CALLS = 100_000;

    private final Method method =
            Objects.requireNonNull(ReflectionUtils.findMethod(NameTemplateSpeedTests.class, "invoice", Order.class));
    private final LockExpressionVariables variables = new LockExpressionVariables(method, method);
    private final StandardEvaluationContext shared = new StandardEvaluationContext();

    @Test
    @Tag("proof") // on a busy machine the two may be measured at different speeds
    void isFasterThanTheSameExpressionInterpreted() {
        NameTemplate template = NameTemplate.parse(
                "order-#{#order.id}",
                text -> text,
                new TemplateRules("name", variables, bean -> true),
                new LockNameConverter(null));
        Expression expression = new SpelExpressionParser().parseExpression("#order.id");
        IntFunction<String> rendered = i -> template.render(callWith(i));
        IntFunction<String> interpreted = i -> "order-" + expression.getValue(callWith(i));

        long best = Long.MAX_VALUE;
        long yardstick = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            best = Math.min(best, time(rendered));
            yardstick = Math.min(yardstick, time(interpreted));
        }

        assertThat(rendered.apply(7)).isEqualTo("order-7");
        LoggerFactory.getLogger(NameTemplateSpeedTests.class)
                .info("A name takes {} ns, interpreted {} ns", best / CALLS, yardstick / CALLS);
        assertThat(best).isLessThan(yardstick);
    }

    @Test
    void followsTypesThatChangeAfterwards() {
        NameTemplate template = NameTemplate.parse(
                "order-#{#order.id}",
                text -> text,
                new TemplateRules("name", variables, bean -> true),
                new LockNameConverter(null));
        time(i -> template.render(callWith(i)));

        String other = template.render(callWith(new OtherOrder(9)));
        String again = template.render(callWith(8));

        assertThat(other).isEqualTo("order-9");
        assertThat(again).isEqualTo("order-8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.render(callWith((Object) null)))
                .withMessageContaining("#{#order.id} fails");
    }

    private LockEvaluationContext callWith(int number) {
        return callWith(new Order("" + number));
    }

    private LockEvaluationContext callWith(@Nullable Object argument) {
        return new LockEvaluationContext(
                shared, variables, new LockExpressionRoot(this, method, new @Nullable Object[] {argument}));
    }

    private static long time(IntFunction<String> makesText) {
        long total = 0;
        long started = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            total += makesText.apply(i).length();
        }
        long took = System.nanoTime() - started;
        assertThat(total).isPositive();
        return took;
    }

    /** Provides a method signature for name templates. */
    String invoice(Order order) {
        return order.id();
    }

    /** Public, because compiled expressions can access public types only. */
    public record Order(String id) {}

    /** Type with an id of another type. */
    public record OtherOrder(int id) {}
}
