/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.endpoint.LockDescriptor;
import io.dynamolock.spring.health.LockHealthIndicator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.AotDetector;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.SpringProperties;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Contexts that were processed ahead of time, and the hints for native images. */
class AheadOfTimeTests {

    private static final String[] PROPERTIES = {
        "dynamolock.store=memory",
        "dynamolock.shutdown.grace-period=0s", // for leases that a test does not release
        "management.endpoints.web.exposure.include=distributedlocks",
        "app.market=eu"
    };

    private static final String[] NAMED = {
        "dynamolock.managers.billing.table.name=billing-locks",
        "dynamolock.managers.orders.store=dynamodb",
        "dynamolock.managers.orders.table.initialization=none",
        "dynamolock.managers.orders.client.region=eu-west-1",
        "dynamolock.managers.orders.client.access-key=local",
        "dynamolock.managers.orders.client.secret-key=local"
    };

    /** Property that is set when the processed context starts. */
    private static final String LATER = "dynamolock.managers.later.table.name=later-locks";

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockAutoConfiguration.class,
                    DynamolockDisabledAutoConfiguration.class,
                    DistributedLockAutoConfiguration.class,
                    DynamolockMetricsAutoConfiguration.class,
                    DynamolockHealthAutoConfiguration.class,
                    DynamolockEndpointAutoConfiguration.class,
                    EndpointAutoConfiguration.class))
            .withUserConfiguration(Shop.class)
            .withPropertyValues(PROPERTIES);

    /** One context for all tests, because compiling and loading one takes seconds. */
    @Test
    @CompileWithForkedClassLoader
    void theProcessedContextStartsLocksIsBusyAndReleases() {
        running(
                contexts.withPropertyValues(NAMED).withUserConfiguration(Billing.class),
                TestPropertyValues.of(PROPERTIES).and(NAMED).and(LATER),
                context -> {
                    use(context);
                    useNamed(context);
                });
    }

    private static void running(
            ApplicationContextRunner contexts, TestPropertyValues properties, Consumer<GenericApplicationContext> use) {
        processed(
                contexts,
                (generation, initializerName) -> TestCompiler.forSystem()
                        .with(generation)
                        .compile(compiled -> {
                            ApplicationContextInitializer<GenericApplicationContext> initializer = initializer(
                                    compiled.getInstance(ApplicationContextInitializer.class, initializerName));
                            asProcessed(() -> {
                                try (GenericApplicationContext context = new GenericApplicationContext()) {
                                    context.setClassLoader(compiled.getClassLoader());
                                    context.setAllowBeanDefinitionOverriding(false);
                                    properties.applyTo(context);
                                    initializer.initialize(context);
                                    context.refresh();
                                    use.accept(context);
                                }
                            });
                        }));
    }

    private static void use(GenericApplicationContext context) {
        Till till = context.getBean(Till.class);
        assertThat(AotDetector.useGeneratedArtifacts()).isTrue();
        assertThat(AopUtils.isCglibProxy(till)).isTrue();

        assertThat(till.pay(new Order("7", new Customer("ada")))).isEqualTo("paid 7");
        assertThat(context.getBean(Heard.class).names).containsExactly("eu-shop-ada", "-eu-shop-ada");

        try (LockManager rival =
                        LockManager.builder(context.getBean(LockStore.class)).build();
                Lease lease = rival.tryAcquire("eu-shop-ada").orElseThrow()) {
            assertThat(till.pay(new Order("8", new Customer("ada")))).isEqualTo("8 is busy: eu-shop-ada");
            assertThat(context.getBean(DistributedLocksEndpoint.class)
                            .lock(new String[] {"eu-shop-ada"}, null)
                            .fencingToken())
                    .isEqualTo(lease.fencingToken());
        }
        assertThat(till.pay(new Order("9", new Customer("ada")))).isEqualTo("paid 9");

        assertThat(context.getBean(CompositeHealthContributor.class).stream())
                .extracting(entry -> ((LockHealthIndicator) entry.contributor()).health())
                .extracting(health -> Objects.requireNonNull(health).getStatus())
                .hasSize(5)
                .containsOnly(Status.UP);
        assertThat(acquired(context, "dynamolockManager")).isEqualTo(2);
        TestObservationRegistryAssert.assertThat((TestObservationRegistry) context.getBean(ObservationRegistry.class))
                .hasNumberOfObservationsWithNameEqualTo("dynamolock.lock", 3);
    }

    private static void useNamed(GenericApplicationContext context) {
        LockManager orders = context.getBean("orders", LockManager.class);
        Heard heard = context.getBean(Heard.class);
        heard.names.clear();

        context.getBean(Bills.class).send();

        assertThat(heard.names).containsExactly("bill");
        assertThat(context.getBean(LockManager.class)).isSameAs(context.getBean("dynamolockManager"));
        assertThat(context.getBean("billing", LockManager.class).tryAcquire("x"))
                .isPresent();
        assertThat(context.getBean(LockManager.class).tryAcquire("x")).isPresent();
        assertThat(orders.inspect("x").status()).isEqualTo(LockState.Status.FREE);
        assertThat(context.getBean("later", LockManager.class).tryAcquire("x")).isPresent();
        assertThat(context.getBean("own", LockManager.class).tryAcquire("x"))
                .hasValueSatisfying(lease -> assertThat(lease.owner()).isEqualTo("the application"));
        assertThat(acquired(context, "billing")).isEqualTo(2);
    }

    private static long acquired(GenericApplicationContext context, String manager) {
        return context.getBean(MeterRegistry.class)
                .get("dynamolock.acquire")
                .tags("outcome", "acquired", "manager", manager)
                .timer()
                .count();
    }

    @Test
    void nativeImageHasHintsForEverythingReachedByReflection() {
        AtomicReference<RuntimeHints> processed = new AtomicReference<>();
        processed(contexts, (generation, initializer) -> processed.set(generation.getRuntimeHints()));
        RuntimeHints hints = processed.get();

        ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();
        assertThat(reflection.onMethodInvocation(Till.class, "pay")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Spare.class, "later")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Counting.class, "count")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Counter.class, "count")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Weighing.class, "weigh")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Auditing.class, "audit")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Sparing.class, "spare")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Math.class, "cbrt")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Order.class, "customer")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Customer.class, "name")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Names.class, "of")).accepts(hints);
        assertThat(reflection.onMethodInvocation(Static.class, "shop")).accepts(hints);
        assertThat(reflection.onMethodInvocation(DistributedLock.class, "name")).accepts(hints);
        assertThat(reflection.onMethodInvocation(LockEvent.Released.class, "lockName"))
                .accepts(hints);
        assertThat(reflection.onMethodInvocation(LeaseLost.class, "reason")).accepts(hints);
        assertThat(reflection.onType(LockDescriptor.class)).accepts(hints);
        assertThat(reflection.onFieldAccess(SimpleAsyncTaskExecutor.class, "activeThreads"))
                .accepts(hints);
        assertThat(reflection.onType(LocksDescriptor.class)).accepts(hints);
        assertThat(reflection.onType(reactor.core.publisher.Flux.class)).accepts(hints);
        assertThat(reflection.onMethodInvocation(Spare.class, "unused")).rejects(hints);
        assertThat(reflection.onMethodInvocation(Weighing.class, "unlocked")).rejects(hints);
    }

    private static void processed(ApplicationContextRunner contexts, BiConsumer<TestGenerationContext, String> use) {
        contexts.prepare(context -> {
            TestGenerationContext generation = new TestGenerationContext(Shop.class);
            ClassName initializer = new ApplicationContextAotGenerator()
                    .processAheadOfTime((GenericApplicationContext) context.getSourceApplicationContext(), generation);
            generation.writeGeneratedContent();
            use.accept(generation, initializer.toString());
        });
    }

    @SuppressWarnings("unchecked") // the generated initializer is one of these
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(Object instance) {
        return (ApplicationContextInitializer<GenericApplicationContext>) instance;
    }

    private static void asProcessed(Runnable use) {
        SpringProperties.setProperty(AotDetector.AOT_ENABLED, "true");
        try {
            use.run();
        } finally {
            SpringProperties.setProperty(AotDetector.AOT_ENABLED, null);
        }
    }

    /** Public, because name expressions access it. */
    public record Order(String id, Customer customer) {}

    /** Public, because name expressions access it. */
    public record Customer(String name) {}

    /** Public, because name expressions access it. */
    public static class Names {

        public String of(Customer customer) {
            return customer.name();
        }
    }

    /** Public, because name expressions access it. */
    public static final class Static {

        private Static() {}

        public static String shop() {
            return "shop";
        }
    }

    static class Till {

        @DistributedLock(
                name = "${app.market}-#{T(io.dynamolock.spring.boot.AheadOfTimeTests$Static).shop()}"
                        + "-#{@names.of(#order.customer)}",
                onBusy = OnBusy.FALLBACK,
                fallback = "@spare.later")
        String pay(Order order) {
            return "paid " + order.id();
        }
    }

    interface Counting {

        @DistributedLock("count")
        void count();
    }

    static class Counter implements Counting {

        @Override
        public void count() {}
    }

    /** A proxy may implement it, and calls the class by it. */
    interface Weighing {

        String weigh(String id);

        default void unlocked() {}
    }

    static class Scales implements Weighing {

        @Override
        @DistributedLock(
                name = "weigh-#{T(Math).cbrt(#id.length())}",
                onBusy = OnBusy.FALLBACK,
                fallback = "@spareScales.spare")
        public String weigh(String id) {
            return id;
        }
    }

    interface Sparing<T> {

        String spare(T id);
    }

    abstract static class Sparingly {

        public String spare(String id) {
            return id;
        }
    }

    static class SpareScales extends Sparingly implements Sparing<String> {}

    @DistributedLock("audit")
    interface Auditing {

        void audit();
    }

    static class Audit implements Auditing {

        @Override
        public void audit() {}
    }

    static class Bills {

        @DistributedLock(name = "bill", manager = "billing")
        void send() {}
    }

    /** DynamoDB without any rows. */
    static final class Empty implements SdkHttpClient {

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() {
                    return HttpExecuteResponse.builder()
                            .response(SdkHttpResponse.builder()
                                    .statusCode(200)
                                    .putHeader("x-amzn-RequestId", "1")
                                    .build())
                            .responseBody(AbortableInputStream.create(
                                    new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8))))
                            .build();
                }

                @Override
                public void abort() {}
            };
        }

        @Override
        public void close() {}
    }

    static class Spare {

        String later(Order order, LockBusyException busy) {
            return order.id() + " is busy: " + busy.lockName();
        }

        void unused() {}
    }

    static class Heard {

        private final List<String> names = new ArrayList<>();

        @EventListener
        void on(LockEvent.Acquired event) {
            names.add(event.lockName());
        }

        @EventListener(condition = "#event.lockName().startsWith('eu-')")
        void on(LockEvent.Released event) {
            names.add("-" + event.lockName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Till till() {
            return new Till();
        }

        @Bean
        Counter counter() {
            return new Counter();
        }

        @Bean
        Scales scales() {
            return new Scales();
        }

        @Bean
        SpareScales spareScales() {
            return new SpareScales();
        }

        @Bean
        Audit audit() {
            return new Audit();
        }

        @Bean
        Spare spare() {
            return new Spare();
        }

        @Bean
        Heard heard() {
            return new Heard();
        }

        @Bean
        Names names() {
            return new Names();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations() {
            return TestObservationRegistry.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Billing {

        @Bean
        Bills bills() {
            return new Bills();
        }

        @Bean(defaultCandidate = false)
        LockManager own() {
            return LockManager.builder(new InMemoryLockStore())
                    .owner("the application")
                    .shutdownGrace(Duration.ZERO)
                    .build();
        }

        @Bean
        DynamoDbClientBuilderCustomizer empty() {
            return client -> client.httpClientBuilder(defaults -> new Empty());
        }
    }
}
