/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application without any optional dependency, in a JVM of its own. */
class OptionalDependenciesTests {

    private static final Set<String> OPTIONAL = Set.of(
            "apache5-client",
            "context-propagation",
            "jackson-annotations",
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
            "testcontainers",
            "testcontainers-localstack");

    @Test
    void areNotNeededToLockMethods() throws Exception {
        List<String> all = List.of(ApplicationJvm.CLASS_PATH.split(File.pathSeparator));
        List<String> required = all.stream()
                .filter(place -> !OPTIONAL.contains(artifact(place)))
                .toList();
        String classPath = String.join(File.pathSeparator, required);

        Process process = ApplicationJvm.start(classPath, Application.class, List.of());

        assertThat(ApplicationJvm.outputOf(process)).contains("ran under lock job");
        assertThat(all.stream().map(OptionalDependenciesTests::artifact)).containsAll(OPTIONAL);
    }

    private static String artifact(String place) {
        return Path.of(place).getFileName().toString().replaceFirst("-[0-9].*", "");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class})
    @Import(Work.class)
    static class Application {

        public static void main(String... arguments) {
            SpringApplication application = new SpringApplication(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            try (ConfigurableApplicationContext context = application.run("--dynamolock.store=memory")) {
                System.out.println(context.getBean(Work.class).run());
            }
        }
    }

    static class Work {

        @DistributedLock("job")
        public String run() {
            return "ran under lock " + Locks.current().orElseThrow().name();
        }
    }
}
