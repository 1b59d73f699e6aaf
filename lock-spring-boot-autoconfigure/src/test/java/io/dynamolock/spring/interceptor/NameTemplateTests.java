/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlin.text.Regex;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

/** Templates of lock names. */
@ExtendWith(LogCapture.class)
class NameTemplateTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withBean(Names.class)
            .withBean("tenants", Tenants.class)
            .withPropertyValues("app.name=shop", "app.danger=#{1+1}");

    @Test
    void takesTextAsItIs() {
        contexts.run(context -> {
            context.getBean(Names.class).text();

            assertThat(names(context)).containsExactly("order#1 {a} $b '#p0'");
        });
    }

    @Test
    void ofAnyLengthIsCheckedForExpressionsInItsText() {
        LockExpressionVariables variables = new LockExpressionVariables(
                null,
                Objects.requireNonNull(ReflectionUtils.findMethod(Names.class, "byName", String.class, int.class)));
        TemplateRules rules = new TemplateRules("name", variables, bean -> true);

        for (String text : List.of("#p0" + ".a".repeat(100_000), "{#p0.a(" + "b".repeat(100_000) + ")}")) {
            assertThatThrownBy(() -> rules.checkText(text, text))
                    .isInstanceOf(InvalidTemplateException.class)
                    .hasMessageContaining("#p0 outside of #{} is text");
        }
    }

    @Test
    void knowsParametersByNameAndByIndex() {
        contexts.run(context -> {
            Names bean = context.getBean(Names.class);

            bean.byName("x", 7);
            bean.byIndex("x", 7);

            assertThat(names(context)).containsExactly("x/7", "x-7-x");
        });
    }

    @Test
    void mixesTextPlaceholdersAndExpressions() {
        contexts.run(context -> {
            context.getBean(Names.class).mixed(new Order(42));

            assertThat(names(context)).containsExactly("shop:order-42-shop/9");
        });
    }

    @Test
    void knowsBeansTargetMethodAndArguments() {
        contexts.run(context -> {
            Names bean = context.getBean(Names.class);

            bean.bean();
            bean.target();
            bean.method("a", "b");

            assertThat(names(context)).containsExactly("acme", "region-1", "region-1 method 2");
        });
    }

    @Test
    void readsNoExpressionOutOfAPlaceholder() {
        contexts.run(context -> {
            context.getBean(Names.class).danger();

            assertThat(names(context)).containsExactly("job-#{1+1}");
        });
    }

    @Test
    void unwrapsOptionals() {
        contexts.run(context -> {
            context.getBean(Names.class).optional(Optional.of("x"));

            assertThat(names(context)).containsExactly("o-x");
        });
    }

    @Test
    void prefersTheNamesOfTheAnnotatedMethod() {
        contexts.withBean(Swapped.class).run(context -> {
            ((Transfers) context.getBean(Swapped.class)).transfer("a", "b");

            assertThat(names(context)).containsExactly("a>b");
        });
    }

    @Test
    void rejectsWhatWouldBeOneLockForAll() {
        contexts.run(context -> {
            Names bean = context.getBean(Names.class);

            assertThatIllegalStateException()
                    .isThrownBy(() -> bean.byName(null, 7))
                    .withMessageContaining(Names.class.getName() + ".byName")
                    .withMessageContaining("'#{#id}/#{#number}'")
                    .withMessageContaining("#{#id} evaluates to null");
            assertThatIllegalStateException()
                    .isThrownBy(() -> bean.byName(" ", 7))
                    .withMessageContaining("#{#id} evaluates to blank text");
            assertThatIllegalStateException()
                    .isThrownBy(() -> bean.optional(Optional.empty()))
                    .withMessageContaining("evaluates to null");
            assertThat(bean.runs()).isZero();
            assertThat(names(context)).isEmpty();
        });
    }

    @Test
    void namesTheExpressionThatFails() {
        contexts.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Names.class).mixed(null))
                .withMessageContaining("#{#order.id} fails")
                .withMessageContaining("Names.mixed"));
    }

    /** The JDK is compiled without -parameters. */
    @Test
    void unknownParameterOfClassWithoutParameterNamesNamesTheReason() throws Exception {
        TemplateRules unnamed = new TemplateRules(
                "name", new LockExpressionVariables(null, String.class.getMethod("charAt", int.class)), bean -> true);

        assertThatThrownBy(() -> NameTemplate.parse("a-#{#index}", text -> text, unnamed, new LockNameConverter(null)))
                .isInstanceOfSatisfying(
                        InvalidTemplateException.class,
                        unknown -> assertThat(unknown.remedy())
                                .isEqualTo(
                                        "Compile its class with -parameters, without which no parameter has a name, or write #p0,"
                                                + " #p1 and so on"));
    }

    /** Kotlin's reflection does not know the synthetic method, and its class is compiled without -java-parameters. */
    @Test
    void unknownParameterOfKotlinFunctionWithoutNamesNamesItsReason() {
        Method unnamed = Stream.of(Regex.class.getDeclaredMethods())
                .filter(method -> method.getName().equals("find$default"))
                .findFirst()
                .orElseThrow();
        TemplateRules rules = new TemplateRules("name", new LockExpressionVariables(null, unnamed), bean -> true);

        assertThatThrownBy(() -> NameTemplate.parse("a-#{#input}", text -> text, rules, new LockNameConverter(null)))
                .isInstanceOfSatisfying(
                        InvalidTemplateException.class,
                        unknown -> assertThat(unknown.remedy()).contains("kotlin-reflect", "-java-parameters", "#p0"));
    }

    @Test
    void methodOfNothingIsRejected() throws Exception {
        TemplateRules rules = new TemplateRules(
                "name", new LockExpressionVariables(null, Names.class.getMethod("text")), bean -> true);

        for (String unknown : List.of("key('a')", "#root.key()", "key().length()", "'a'.concat(key())")) {
            assertThatThrownBy(() -> NameTemplate.parse(
                            "a-#{" + unknown + "}", text -> text, rules, new LockNameConverter(null)))
                    .isInstanceOfSatisfying(
                            InvalidTemplateException.class,
                            rejected -> assertThat(rejected.remedy()).contains("as in #{#target.key()}"))
                    .hasMessage("key() is not a method of the call");
        }
        for (String known : List.of("getMethod().name", "#root.getTarget().key()", "#args.?[isEmpty()].size()")) {
            assertThat(NameTemplate.parse("#{" + known + "}", text -> text, rules, new LockNameConverter(null)))
                    .isNotNull();
        }
    }

    /** That of a suspend function has a continuation, which its source does not show. */
    @Test
    void unknownParameterOfMethodWithoutAnyIsReportedAsSuch() throws Exception {
        for (Method method :
                List.of(Names.class.getMethod("text"), KotlinWork.class.getMethod("nothing", Continuation.class))) {
            TemplateRules rules = new TemplateRules("name", new LockExpressionVariables(null, method), bean -> true);

            assertThatThrownBy(() -> NameTemplate.parse("a-#{#id}", text -> text, rules, new LockNameConverter(null)))
                    .isInstanceOfSatisfying(
                            InvalidTemplateException.class,
                            unknown -> assertThat(unknown.remedy())
                                    .isEqualTo("Remove it, or annotate only methods that have it"))
                    .hasMessage("#id is not a parameter of the method, which has none");
        }
    }

    @Test
    void parsesOnceAndEvaluatesForEachCall() {
        AtomicInteger parsed = new AtomicInteger();
        NameTemplate template = NameTemplate.parse(
                "#{#n}",
                text -> {
                    parsed.incrementAndGet();
                    return text;
                },
                rules(),
                new LockNameConverter(null));
        StandardEvaluationContext call = new StandardEvaluationContext();

        for (int i = 0; i < 1000; i++) {
            call.setVariable("n", i);
            assertThat(template.render((EvaluationContext) call)).isEqualTo("" + i);
        }

        assertThat(parsed).hasValue(1);
    }

    @Test
    void compiledExpressionsUseLoaderOfApplication() {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                asked.add(name);
                return super.loadClass(name, resolve);
            }
        };
        NameTemplate template =
                NameTemplate.parse("#{#order.id()}", text -> text, rules(), new LockNameConverter(loader));
        StandardEvaluationContext call = new StandardEvaluationContext();
        call.setVariable("order", new CompiledOrder("7"));

        for (int i = 0; i < 1000; i++) {
            assertThat(template.render((EvaluationContext) call)).isEqualTo("7");
        }

        assertThat(asked).contains(CompiledOrder.class.getName());
    }

    /** Argument of a call, public so that expressions on it can be compiled. */
    private static TemplateRules rules() {
        Method method = ReflectionUtils.findMethod(NameTemplateTests.class, "parameters", int.class, Object.class);
        return new TemplateRules(
                "name", new LockExpressionVariables(null, Objects.requireNonNull(method)), bean -> true);
    }

    static void parameters(int n, Object order) {}

    public record CompiledOrder(String id) {}

    @Test
    void warnsOnceOfValuesThatAreJoined(CapturedOutput output) {
        contexts.withBean(Joined.class).withPropertyValues("app.none=").run(context -> {
            Joined bean = context.getBean(Joined.class);
            bean.joined("a", "b");
            bean.joined("c", "d");

            assertThat(warnings(output))
                    .hasSize(2)
                    .anySatisfy(warning -> assertThat(warning)
                            .contains("'#{#tenant}#{#id}'", Joined.class.getName() + ".joined", "#{#tenant}/#{#id}"))
                    .anySatisfy(warning -> assertThat(warning).contains(".joinedByNothing"));
        });
    }

    @Test
    void saysNothingOfValuesThatAreApart(CapturedOutput output) {
        contexts.run(context -> assertThat(context).hasNotFailed());

        assertThat(warnings(output)).isEmpty();
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("joins two values"))
                .toList();
    }

    interface Joining {

        @DistributedLock("#{#tenant}#{#id}")
        void joined(String tenant, String id);
    }

    static class Joined implements Joining {

        @Override
        public void joined(String tenant, String id) {}

        @DistributedLock("#{#tenant}${app.none}#{#id}")
        public void joinedByNothing(String tenant, String id) {}

        @DistributedLock("${app.name}#{#id}${app.name}")
        public void apart(String id) {}
    }

    private static List<String> names(AssertableApplicationContext context) {
        return context.getBean(Locking.class).acquired();
    }

    static class Names {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        public String getRegion() {
            return "region-1";
        }

        @DistributedLock("order#1 {a} $b '#p0'")
        public void text() {}

        @DistributedLock("#{#id}/#{#number}")
        public void byName(@Nullable String id, int number) {
            runs.incrementAndGet();
        }

        @DistributedLock("#{#p0}-#{#p1}-#{#a0}")
        public void byIndex(String id, int number) {}

        @DistributedLock("${app.name}:order-#{#order.id}-#{'${app.name}' + '/' + ${app.number:9}}")
        public void mixed(@Nullable Order order) {}

        @DistributedLock("#{@tenants.current()}")
        public void bean() {}

        @DistributedLock("#{#target.region}")
        public void target() {}

        @DistributedLock("#{target.region} #{method.name} #{#args.length}")
        public void method(String one, String other) {}

        @DistributedLock("job-${app.danger}")
        public void danger() {}

        @DistributedLock("o-#{#id}")
        public void optional(Optional<String> id) {
            runs.incrementAndGet();
        }
    }

    record Order(int id) {

        public int getId() {
            return id;
        }
    }

    static class Tenants {

        public String current() {
            return "acme";
        }
    }

    interface Transfers {

        @DistributedLock("#{#from}>#{#to}")
        void transfer(String from, String to);
    }

    static class Swapped implements Transfers {

        @Override
        @SuppressWarnings("OverridingMethodInconsistentArgumentNamesChecker") // on purpose
        public void transfer(String to, String from) {}
    }
}
