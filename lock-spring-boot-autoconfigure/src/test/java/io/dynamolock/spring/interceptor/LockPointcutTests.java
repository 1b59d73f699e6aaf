/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Selection of the classes whose methods are searched for annotations at startup. */
@SuppressWarnings("UnusedMethod")
class LockPointcutTests {

    private final LockPointcut pointcut = new LockPointcut();

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnMethod.class,
                OnPrivateMethod.class,
                OnType.class,
                OfSuperclass.class,
                OfInterface.class,
                OfInterfacesInterface.class,
                MetaAnnotated.class
            })
    void thoseThatHaveTheAnnotationSomewhere(Class<?> type) {
        assertThat(pointcut.getClassFilter().matches(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Object.class,
                String.class,
                OtherwiseAnnotated.class,
                DynamoDbClient.class,
                GenericApplicationContext.class
            })
    void noOthers(Class<?> type) {
        assertThat(pointcut.getClassFilter().matches(type)).isFalse();
    }

    @Test
    void noneThatMentionsAClassThatIsNotThere() throws Exception {
        Class<?> mentioning = new Without(Missing.class, Mentioning.class).loadClass(Mentioning.class.getName());

        assertThat(pointcut.getClassFilter().matches(mentioning)).isFalse();
    }

    /** Loads a class as if another one were missing on the class path. */
    private static final class Without extends ClassLoader {

        private final Class<?> missing;
        private final Class<?> loaded;

        Without(Class<?> missing, Class<?> loaded) {
            super(LockPointcutTests.class.getClassLoader());
            this.missing = missing;
            this.loaded = loaded;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(missing.getName())) {
                throw new ClassNotFoundException(name);
            }
            return name.equals(loaded.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream code = loaded.getResourceAsStream(ClassUtils.getClassFileName(loaded))) {
                byte[] bytes = Objects.requireNonNull(code).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    private static final class Missing {}

    private static final class Mentioning {
        void work(Missing unused) {}
    }

    private static class OnMethod {
        @DistributedLock("job")
        void work() {}
    }

    private static final class OnPrivateMethod {
        @DistributedLock("job")
        private void work() {}
    }

    @DistributedLock("job")
    private static final class OnType {}

    private static final class OfSuperclass extends OnMethod {}

    private interface Top {
        @DistributedLock("job")
        void work();
    }

    private interface Middle extends Top {}

    private abstract static class OfInterface implements Top {}

    private abstract static class OfInterfacesInterface implements Middle {}

    @DistributedLock("nightly")
    @Retention(RetentionPolicy.RUNTIME)
    private @interface Nightly {}

    private static final class MetaAnnotated {
        @Nightly
        void work() {}
    }

    private static final class OtherwiseAnnotated {
        @Scheduled(fixedDelay = 1)
        void work() {}
    }
}
