/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Each rejection of an annotation names the mistake, and a remedy that fits it. */
class AnnotationMessageTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withPropertyValues("user=root", "app.lease=30", "app.on=ja", "app.wait=soon", "app.empty=");

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake(BrokenExpression.class, "ran out of input", "Correct the expression"),
                mistake(NoEnd.class, "No ending suffix '}'", "Correct the expression"),
                mistake(UnknownVariable.class, "#ordr is not a parameter", "#order", "#p0"),
                mistake(UnknownPlaceholder.class, "app.missing", "Set the property app.missing", "${app.missing:"),
                mistake(UnknownPlaceholderOfTime.class, "app.missing", "Set the property app.missing"),
                mistake(PropertyAsText.class, "all calls share one lock", "Write order-#{#order.id}"),
                mistake(Braces.class, "{id} is text, so that all calls share one lock", "Write order-#{#id}"),
                mistake(Index.class, "{1} is text, so that all calls share one lock", "Write order-#{#p1}"),
                mistake(Dollar.class, "$id is text, so that all calls share one lock", "Write order-#{#id}"),
                mistake(PlaceholderAroundVariable.class, "#id outside of #{} is text", "Write order-#{#id}/"),
                mistake(BracesAroundVariable.class, "#id outside of #{} is text", "Write order-#{#id}/"),
                mistake(Element.class, "#root outside of #{} is text", "Write order-#{#root.args[0]}/x"),
                mistake(SafeNavigation.class, "#order outside of #{} is text", "Write order-#{#order?.id}/x"),
                mistake(
                        MethodWithArguments.class,
                        "#id outside of #{} is text",
                        "Write order-#{#id.substring(0, 3)}/x"),
                mistake(
                        NestedCall.class,
                        "#id outside of #{} is text",
                        "Write order-#{#id.substring(0, #id.indexOf('-'))}/x"),
                mistake(
                        PlaceholderAroundExpression.class,
                        "#order outside of #{} is text",
                        "Write order-#{#order.id ?: 'none'}"),
                mistake(
                        UnknownAroundVariable.class,
                        "#id outside of #{} is text, so that all calls share one lock",
                        "Write #orders[#{#id}]/x"),
                mistake(
                        PlaceholderWithin.class,
                        "#id outside of #{} is text",
                        "Write #{'${user}-' + #id + \"'\"}/#{#id}"),
                mistake(Concatenation.class, "#id outside of #{} is text", "Write order-#{#id}/#{#order.id}"),
                mistake(QuotesAroundExpression.class, "quotes and + outside of #{} are text", "Write order-#{#id}"),
                mistake(
                        PlaceholderForParameter.class,
                        "${user} is a property of the application",
                        "parameter of the same name",
                        "Write doc-#{#user}",
                        "rename the parameter"),
                mistake(NoHash.class, "id is not a property of the call", "Write #id, as in #{#id}"),
                mistake(
                        NoHashInCapitals.class,
                        "Method is not a property of the call",
                        "Write #Method, as in #{#Method}"),
                mistake(RootProperty.class, "methodName is not a property of the call", "#{#method.name}"),
                mistake(RootPropertyWithoutRoot.class, "user is not a property of the call", "target, method and args"),
                mistake(NoHashInside.class, "id is not a property of the call", "Write #id"),
                mistake(
                        ConditionAsText.class,
                        "#x outside of #{} is text, which is neither true nor false",
                        "Write #{#x}"),
                mistake(ConditionWithOperator.class, "neither true nor false", "Write #{#x == 'a' + #y}"),
                mistake(ConditionWithForeignSyntax.class, "neither true nor false", "Write #{!#x.isEmpty()}"),
                mistake(
                        ConditionAroundExpression.class,
                        "neither true nor false",
                        "Write #{!#x.isEmpty() and (#x != 'a')}"),
                mistake(
                        ConditionOfOperators.class,
                        "neither true nor false",
                        "Write #{!(#x == 'a' or #x == 'b') and #y}"),
                mistake(ConditionOfList.class, "neither true nor false", "Write #{!({'a', #y}.contains(#x))}"),
                mistake(
                        ConditionWithPlaceholder.class,
                        "neither true nor false",
                        "Write #{!(@environment.containsProperty('${user}'))}"),
                mistake(
                        ConditionOfPlaceholder.class,
                        "${app.on}",
                        "\"ja\"",
                        "neither true nor false",
                        "on, off, yes, no"),
                mistake(
                        ManagerAsText.class,
                        "#x outside of #{} is text, not the name of a lock manager",
                        "Write #{#x}"),
                mistake(BeanInName.class, "there is no bean named 'nobean'", "Correct the name, or add the bean"),
                mistake(BeanInCondition.class, "there is no bean named 'no.bean'", "Correct the name, or add the bean"),
                mistake(BeanInManager.class, "there is no bean named 'nobean'", "Correct the name, or add the bean"),
                mistake(
                        NoUnit.class,
                        "leaseDuration = \"${app.lease}\" has the value \"30\", which has no unit",
                        "\"30s\""),
                mistake(
                        EmptyTime.class,
                        "leaseDuration = \"${app.empty}\" has the value \"\", which is not a duration"),
                mistake(NoTime.class, "waitTime = \"${app.wait}\" has the value \"soon\", which is not a duration"),
                mistake(UnknownPlaceholderOfTime.class, "give it a default: ${app.missing:2s}"),
                mistake(LongMinHold.class, "minHold must not exceed maxHold", "Lower minHold, or raise maxHold"),
                mistake(NegativeTime.class, "waitTime must not be negative", "Correct waitTime"),
                mistake(BlankAmongNames.class, "one of names is blank", "Remove it"),
                mistake(ControlCharacter.class, "control characters", "U+0007", "Correct the name"),
                mistake(ControlCharacterAmongNames.class, "control characters", "U+0007", "Correct the name"),
                mistake(ControlCharacterInTemplate.class, "control characters", "U+0007", "Correct the name"),
                mistake(LaterWork.class, "java.lang.Runnable", "the lock would be released while the work still runs"));
    }

    private static Arguments mistake(Class<?> bean, String... parts) {
        return Arguments.of(bean, parts);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void messageNamesTheMistakeAndItsRemedy(Class<?> mistake, String[] parts) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(mistake.getName() + ".work")
                        .hasMessageContainingAll(parts));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void onlyUnknownVariablesGetTheHintAtIndexes(Class<?> mistake, String[] parts) {
        contexts.withBean(mistake)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class)
                                .toString()
                                .contains("#p0"))
                        .isEqualTo(mistake == UnknownVariable.class));
    }

    @Test
    void textThatOnlyResemblesMistakesIsAccepted() {
        contexts.withPropertyValues("app.id=seven").withBean(Fine.class).run(context -> {
            assertThat(context).hasNotFailed();
            Fine fine = context.getBean(Fine.class);
            assertThat(fine.placeholder("x")).isEqualTo("job-seven");
            assertThat(fine.others("x")).isEqualTo("{ids}-$idx-{method}-{ id }-{1}-$0-%s");
            assertThat(fine.keys(Map.of("id", "1"), List.of(new Order("2")), "x"))
                    .isEqualTo("1-2-keys");
            assertThat(fine.inlineMap("3")).isEqualTo("3");
            assertThat(fine.ofRoot("3")).isEqualTo("ofRoot-3-fine");
        });
    }

    @Test
    void typesWhoseContentMayBeThereAreAccepted() {
        contexts.withBean(MayBeThere.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void blankManagerIsNone() {
        contexts.withBean(BlankManager.class).run(context -> {
            assertThat(context.getBean(BlankManager.class).work()).isEqualTo("ran");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("job");
        });
    }

    record Order(String id) {}

    static class BrokenExpression {
        @DistributedLock("a-#{#id.}")
        public void work(String id) {}
    }

    static class NoEnd {
        @DistributedLock("a-#{#id")
        public void work(String id) {}
    }

    static class UnknownVariable {
        @DistributedLock("a-#{#ordr.id}")
        public void work(Order order) {}
    }

    static class UnknownPlaceholder {
        @DistributedLock("a-${app.missing}")
        public void work(String id) {}
    }

    static class UnknownPlaceholderOfTime {
        @DistributedLock(name = "a", waitTime = "${app.missing}")
        public void work(String id) {}
    }

    static class PropertyAsText {
        @DistributedLock("order-#order.id")
        public void work(Order order) {}
    }

    static class Braces {
        @DistributedLock("order-{id}")
        public void work(String id) {}
    }

    static class Index {
        @DistributedLock("order-{1}")
        public void work(String tenant, String id) {}
    }

    static class Dollar {
        @DistributedLock("order-$id")
        public void work(String id) {}
    }

    static class PlaceholderAroundVariable {
        @DistributedLock("order-${#id}/")
        public void work(String id) {}
    }

    static class BracesAroundVariable {
        @DistributedLock("order-{#id}/")
        public void work(String id) {}
    }

    static class Element {
        @DistributedLock("order-#root.args[0]/x")
        public void work(String id) {}
    }

    static class SafeNavigation {
        @DistributedLock("order-#order?.id/x")
        public void work(Order order) {}
    }

    static class MethodWithArguments {
        @DistributedLock("order-#id.substring(0, 3)/x")
        public void work(String id) {}
    }

    static class NestedCall {
        @DistributedLock("order-#id.substring(0, #id.indexOf('-'))/x")
        public void work(String id) {}
    }

    static class PlaceholderAroundExpression {
        @DistributedLock("order-${#order.id ?: 'none'}")
        public void work(Order order) {}
    }

    static class UnknownAroundVariable {
        @DistributedLock("#orders[#id]/x")
        public void work(String id) {}
    }

    static class PlaceholderWithin {
        @DistributedLock("#{'${user}-' + #id + \"'\"}/#id")
        public void work(String id) {}
    }

    static class Concatenation {
        @DistributedLock("'order-' + #id + '/' + #order.id")
        public void work(String id, Order order) {}
    }

    static class QuotesAroundExpression {
        @DistributedLock("'order-' + #{#id}")
        public void work(String id) {}
    }

    static class PlaceholderForParameter {
        @DistributedLock("doc-${user}")
        public void work(String user) {}
    }

    static class NoHash {
        @DistributedLock("order-#{id}")
        public void work(String id) {}
    }

    static class NoHashInCapitals {

        @DistributedLock("job-#{Method}")
        @SuppressWarnings("ParameterName") // what the test rejects
        public void work(String Method) {
            assertThat(Method).isNotEmpty();
        }
    }

    static class RootProperty {
        @DistributedLock("order-#{#root.methodName}")
        public void work(String id) {}
    }

    static class RootPropertyWithoutRoot {
        @DistributedLock("order-#{user.name}")
        public void work(String id) {}
    }

    static class NoHashInside {
        @DistributedLock("order-#{id.length() + 1}")
        public void work(String id) {}
    }

    static class ConditionAsText {
        @DistributedLock(name = "a", condition = "#x")
        public void work(boolean x) {}
    }

    static class ConditionWithOperator {
        @DistributedLock(name = "a", condition = "#x == 'a' + #y")
        public void work(String x, String y) {}
    }

    static class ConditionWithForeignSyntax {
        @DistributedLock(name = "a", condition = "!${#x.isEmpty()}")
        public void work(String x) {}
    }

    static class ConditionAroundExpression {
        @DistributedLock(name = "a", condition = "!#{#x.isEmpty()} and #{#x != 'a'}")
        public void work(String x) {}
    }

    static class ConditionOfOperators {
        @DistributedLock(name = "a", condition = "!${#x == 'a' or #x == 'b'} and #{#y}")
        public void work(String x, boolean y) {}
    }

    static class ConditionOfList {
        @DistributedLock(name = "a", condition = "!#{ {'a', #y}.contains(#x) }")
        public void work(String x, String y) {}
    }

    static class ConditionWithPlaceholder {
        @DistributedLock(name = "a", condition = "!#{@environment.containsProperty('${user}')}")
        public void work() {}
    }

    static class ConditionOfPlaceholder {
        @DistributedLock(name = "a", condition = "${app.on}")
        public void work() {}
    }

    static class ManagerAsText {
        @DistributedLock(name = "a", manager = "#x")
        public void work(String x) {}
    }

    static class BeanInName {
        @DistributedLock("a-#{'b' + @nobean.x}")
        public void work() {}
    }

    static class BeanInCondition {
        @DistributedLock(name = "a", condition = "#{!@'no.bean'.isOn()}")
        public void work() {}
    }

    static class BeanInManager {
        @DistributedLock(name = "a", manager = "#{@nobean.of(#id)}")
        public void work(String id) {}
    }

    static class NoUnit {
        @DistributedLock(name = "a", leaseDuration = "${app.lease}")
        public void work() {}
    }

    static class EmptyTime {
        @DistributedLock(name = "a", leaseDuration = "${app.empty}")
        public void work() {}
    }

    static class NoTime {
        @DistributedLock(name = "a", waitTime = "${app.wait}")
        public void work() {}
    }

    static class LongMinHold {
        @DistributedLock(name = "a", minHold = "2m", maxHold = "1m")
        public void work() {}
    }

    static class NegativeTime {
        @DistributedLock(name = "a", waitTime = "-1s")
        public void work() {}
    }

    static class BlankAmongNames {
        @DistributedLock(names = {"b", ""})
        public void work() {}
    }

    static class ControlCharacter {
        @DistributedLock("a\u0007b")
        public void work() {}
    }

    static class ControlCharacterAmongNames {
        @DistributedLock(names = {"a", "a\u0007b"})
        public void work() {}
    }

    static class ControlCharacterInTemplate {
        @DistributedLock("a\u0007b-#{#id}")
        public void work(String id) {}
    }

    static class LaterWork {
        @DistributedLock("a")
        public @Nullable Runnable work() {
            return null;
        }
    }

    static class Fine {
        @DistributedLock("job-${app.id}")
        public String placeholder(String id) {
            return name();
        }

        @DistributedLock("{ids}-$idx-{method}-{ id }-{1}-$0-%s")
        public String others(String id) {
            return name();
        }

        @DistributedLock("#{#root.method.name}-#{#root.args[0]}-#{target.name}")
        public String ofRoot(String id) {
            return name();
        }

        public String getName() {
            return "fine";
        }

        @DistributedLock("#{#map[id]}-#{#orders.![id].get(0)}-#{method.name}")
        public String keys(Map<String, String> map, List<Order> orders, String id) {
            return name();
        }

        @DistributedLock("#{{id: #id}['id']}")
        public String inlineMap(String id) {
            return name();
        }

        private static String name() {
            return io.dynamolock.spring.Locks.current().orElseThrow().name();
        }
    }

    static class MayBeThere {
        @DistributedLock("a")
        public Optional<Stream<String>> work() {
            return Optional.empty();
        }

        @DistributedLock("a")
        public Function<String, String> function() {
            return Function.identity();
        }

        @DistributedLock("a")
        public List<CompletableFuture<String>> futures() {
            return List.of();
        }

        @DistributedLock("a")
        public Job job() {
            return new Job();
        }
    }

    /** An object of the application that can also be run. */
    static class Job implements Runnable {
        @Override
        public void run() {}
    }

    static class BlankManager {
        @DistributedLock(name = "job", manager = " ")
        public String work() {
            return "ran";
        }
    }
}
