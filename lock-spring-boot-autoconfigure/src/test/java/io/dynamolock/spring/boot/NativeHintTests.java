/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseLost;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.LeadershipEvent;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.interceptor.KotlinHandledId;
import io.dynamolock.spring.interceptor.KotlinHinted;
import io.dynamolock.spring.interceptor.KotlinHintedHandler;
import io.dynamolock.spring.interceptor.KotlinListedId;
import io.dynamolock.spring.interceptor.KotlinMappedId;
import io.dynamolock.spring.interceptor.KotlinOptionalContent;
import io.dynamolock.spring.interceptor.KotlinOptionalId;
import io.dynamolock.spring.interceptor.KotlinOwnerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

/** Hints for native images: what expressions can use, beside that which {@link AheadOfTimeTests} show. */
class NativeHintTests {

    static Stream<Class<?>> inConditionsOfListeners() {
        return Stream.of(
                        Stream.of(LockEvent.class.getPermittedSubclasses())
                                .flatMap(type -> type.isInterface()
                                        ? Stream.of(type.getPermittedSubclasses())
                                        : Stream.of(type)),
                        Stream.of(LeadershipEvent.class.getPermittedSubclasses()),
                        Stream.of(
                                LockEvent.class,
                                LockEvent.OfLease.class,
                                LockEvent.Reason.class,
                                LeadershipEvent.class,
                                LeaseLost.class,
                                LeaseLost.Reason.class,
                                ReleaseOutcome.class))
                .flatMap(types -> types);
    }

    @ParameterizedTest
    @MethodSource("inConditionsOfListeners")
    void existForTheEventsAndTheirProperties(Class<?> type) {
        RuntimeHints hints = hints(Named.class);

        assertThat(type.getDeclaredMethods())
                .isNotEmpty()
                .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
                .allSatisfy(
                        method -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
                                .accepts(hints));
    }

    /** A proxy may implement the interface, and calls the class by it. */
    @Test
    void existForMethodsOfTheLeader() {
        RuntimeHints hints = hints(Led.class);

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Reporting.class, "report"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Report.class, "report"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Reporting.class, "print"))
                .rejects(hints);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                KotlinListedId.class,
                KotlinOptionalId.class,
                KotlinOptionalContent.class,
                KotlinMappedId.class,
                KotlinOwnerId.class,
                KotlinHandledId.class
            })
    void existForTheContentOfValueClasses(Class<?> type) {
        Method content = Objects.requireNonNull(KotlinFunctions.content(type));

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(content))
                .accepts(hints(Kotlin.class));
    }

    @Test
    void existForBeansWhoseNamesAreQuoted() {
        RuntimeHints hints = hints(Named.class);

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Dashed.class, "of"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Dotted.class, "of"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Dollar.class, "of"))
                .accepts(hints);
    }

    /** Without a hint they count as absent: locks are not held for transactions, for example. */
    @Test
    void existForClassesWhosePresenceDecides() throws IOException {
        RuntimeHints hints = hints(Named.class);
        Pattern lookUp = Pattern.compile("isPresent\\(\\s*\"([\\w.$]+)\"");

        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(file -> file.toString().endsWith(".java"))
                            .flatMap(file -> lookUp.matcher(text(file)).results())
                            .map(found -> found.group(1)))
                    .contains("org.springframework.transaction.support.TransactionSynchronizationManager")
                    .allSatisfy(type -> assertThat(
                                    RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
                            .accepts(hints));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void existForTheFieldThatShowsWhetherQuartzAwaitsItsJobs() {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onFieldAccess(SchedulerFactoryBean.class, "waitForJobsToCompleteOnShutdown"))
                .accepts(hints(Named.class));
    }

    private static RuntimeHints hints(Class<?> beans) {
        AtomicReference<RuntimeHints> processed = new AtomicReference<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class,
                        DistributedLockAutoConfiguration.class,
                        DynamolockLeaderAutoConfiguration.class))
                .withUserConfiguration(beans)
                .withPropertyValues("dynamolock.store=memory", "dynamolock.leader.name=shop")
                .prepare(context -> {
                    TestGenerationContext generation = new TestGenerationContext(beans);
                    new ApplicationContextAotGenerator()
                            .processAheadOfTime(
                                    (GenericApplicationContext) context.getSourceApplicationContext(), generation);
                    processed.set(generation.getRuntimeHints());
                });
        return Objects.requireNonNull(processed.get());
    }

    @Configuration(proxyBeanMethods = false)
    @Import({KotlinHinted.class, KotlinHintedHandler.class})
    static class Kotlin {}

    interface Reporting {

        void report();

        default void print() {}
    }

    static class Report implements Reporting {

        @Override
        @OnlyOnLeader
        public void report() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Report.class)
    static class Led {}

    @Configuration(proxyBeanMethods = false)
    static class Named {

        @DistributedLock(name = "#{@'my-bean'.of(#id)}-#{@\"plain.one\".of(#id)}", condition = "#{@my$bean.of(#id)}")
        void work(String id) {}

        @Bean("my-bean")
        Dashed dashed() {
            return new Dashed();
        }

        @Bean("plain.one")
        Dotted dotted() {
            return new Dotted();
        }

        @Bean("my$bean")
        Dollar dollar() {
            return new Dollar();
        }
    }

    /** Public, because name expressions access it. */
    public static class Dashed {

        public String of(String id) {
            return id;
        }
    }

    /** Public, because name expressions access it. */
    public static class Dotted {

        public String of(String id) {
            return id;
        }
    }

    /** Public, because name expressions access it. */
    public static class Dollar {

        public boolean of(String id) {
            return id.isEmpty();
        }
    }
}
