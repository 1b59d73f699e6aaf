/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Captures the log output of the library until closed. */
public final class CapturedLogs extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dynamolock");
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

    private final Level before = logger.getEffectiveLevel();

    /** Starts capturing what the library logs at its present level. */
    public CapturedLogs() {
        this(null);
    }

    /** Starts capturing what the library logs at this level or above; null for its present level. */
    public CapturedLogs(@Nullable Level level) {
        if (level != null) {
            logger.setLevel(level);
        }
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    /**
     * Returns what was logged at WARN or above.
     *
     * @return the messages in their order
     */
    public List<String> warnings() {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /**
     * Returns everything that was logged, down to the level of the library's logger.
     *
     * @return the messages in their order, with what was thrown
     */
    public List<String> everything() {
        return events.stream()
                .map(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .toList();
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(before);
    }
}
