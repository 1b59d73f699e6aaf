/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.interceptor.KotlinInternalFallback;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** Applications without optional dependencies, in JVMs of their own. */
class OptionalDependenciesTests {

    private static final Set<String> OPTIONAL = Set.of(
            "apache5-client",
            "context-propagation",
            "jackson-annotations",
            "kotlin-reflect",
            "kotlin-stdlib",
            "kotlinx-coroutines-core-jvm",
            "kotlinx-coroutines-reactor",
            "micrometer-core",
            "reactor-core",
            "shedlock-core",
            "spring-boot-actuator",
            "spring-boot-actuator-autoconfigure",
            "spring-boot-docker-compose",
            "spring-boot-health",
            "spring-boot-testcontainers",
            "spring-integration-core",
            "spring-test",
            "spring-tx",
            "spring-web",
            "testcontainers",
            "testcontainers-localstack");

    @Test
    void areNotNeededToLockMethods() throws Exception {
        assertThat(outputWithout(OPTIONAL, Application.class)).contains("ran under lock job");
    }

    @Test
    void kotlinIsNotNeededToLockPublishers() throws Exception {
        Set<String> kotlin =
                OPTIONAL.stream().filter(name -> name.startsWith("kotlin")).collect(Collectors.toSet());

        assertThat(outputWithout(kotlin, ReactiveApplication.class)).contains("ran under lock job");
    }

    /** The rest of its compiled name may be part of a name in the source, so that another function would run unlocked. */
    @Test
    void fallbackWithLongerNameNeedsKotlinReflect() throws Exception {
        assertThat(outputWithout(Set.of("kotlin-reflect"), KotlinApplication.class))
                .contains(KotlinInternalFallback.class.getName(), "Add org.jetbrains.kotlin:kotlin-reflect");
    }

    private static String outputWithout(Set<String> artifacts, Class<?> application) throws Exception {
        List<String> all = List.of(ApplicationJvm.CLASS_PATH.split(File.pathSeparator));
        assertThat(all.stream().map(OptionalDependenciesTests::artifact)).containsAll(artifacts);
        String classPath = all.stream()
                .filter(place -> !artifacts.contains(artifact(place)))
                .collect(Collectors.joining(File.pathSeparator));

        return ApplicationJvm.outputOf(ApplicationJvm.start(classPath, application, List.of()));
    }

    private static String artifact(String place) {
        return Path.of(place).getFileName().toString().replaceFirst("-[0-9].*", "");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    @Import(Work.class)
    static class Application {

        public static void main(String... arguments) {
            run(Application.class, context -> context.getBean(Work.class).run());
        }

        static void run(Class<?> type, Function<ApplicationContext, String> work) {
            SpringApplication application = new SpringApplication(type);
            application.setWebApplicationType(WebApplicationType.NONE);
            try (ConfigurableApplicationContext context = application.run("--dynamolock.store=memory")) {
                System.out.println(work.apply(context));
            } catch (RuntimeException failure) {
                System.out.println(failure); // Spring Boot logs it, and this application has no logging
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    @Import(ReactiveWork.class)
    static class ReactiveApplication {

        public static void main(String... arguments) {
            Application.run(
                    ReactiveApplication.class,
                    context -> context.getBean(ReactiveWork.class).run().block());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    @Import(KotlinInternalFallback.class)
    static class KotlinApplication {

        public static void main(String... arguments) {
            Application.run(
                    KotlinApplication.class,
                    context -> context.getBean(KotlinInternalFallback.class).work("a"));
        }
    }

    static class ReactiveWork {

        @DistributedLock("job")
        public Mono<String> run() {
            return Mono.just("ran under lock " + Locks.current().orElseThrow().name());
        }
    }

    static class Work {

        @DistributedLock("job")
        public String run() {
            return "ran under lock " + Locks.current().orElseThrow().name();
        }
    }
}
