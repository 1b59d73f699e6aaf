/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;

/**
 * Captures the log output of a test as {@link CapturedOutput}. Nothing is written to the console, where a provoked
 * failure would look like one of the build.
 */
public final class LogCapture implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Level DEFAULT = library().getEffectiveLevel();

    /** Levels that tests need, by their threads. */
    private static final Map<Thread, Level> NEEDED = new HashMap<>();

    private @Nullable Captured captured;

    /** Logs at least at this level until the test ends; other tests run concurrently. */
    public static void setLevel(Level level) {
        change(() -> NEEDED.put(Thread.currentThread(), level));
    }

    private static void change(Runnable need) {
        synchronized (NEEDED) {
            need.run();
            library()
                    .setLevel(NEEDED.values().stream()
                            .min(Comparator.comparingInt(Level::toInt))
                            .filter(level -> !level.isGreaterOrEqual(DEFAULT))
                            .orElse(DEFAULT));
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        captured = new Captured();
        captured.start();
        root().addAppender(captured);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        root().detachAppender(Objects.requireNonNull(captured));
        change(() -> NEEDED.remove(Thread.currentThread()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == CapturedOutput.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(captured);
    }

    private static Logger library() {
        return (Logger) LoggerFactory.getLogger("io.dynamolock");
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static final class Captured extends AppenderBase<ILoggingEvent> implements CapturedOutput {

        private final StringBuilder lines = new StringBuilder();

        Captured() {
            setContext(root().getLoggerContext());
        }

        /** Handles one event at a time, synchronized on this appender. */
        @Override
        protected void append(ILoggingEvent event) {
            lines.append(
                    "%-5s %s: %s%n".formatted(event.getLevel(), event.getLoggerName(), event.getFormattedMessage()));
            if (event.getThrowableProxy() != null) {
                lines.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }

        @Override
        public synchronized String getAll() {
            return lines.toString();
        }

        @Override
        public String getOut() {
            return getAll();
        }

        @Override
        public String getErr() {
            return "";
        }

        @Override
        public String toString() {
            return getAll();
        }
    }
}
