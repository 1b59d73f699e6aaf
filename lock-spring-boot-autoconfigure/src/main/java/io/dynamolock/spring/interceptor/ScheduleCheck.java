/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;

/** Logs a warning for a scheduled method whose minimum hold lets it find its own lock busy at the next run. */
final class ScheduleCheck {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleCheck.class);

    /** What a process that has just started may need to acquire a free lock, in addition to the clock skew. */
    private static final Duration RESERVE = Duration.ofSeconds(2);

    private static final LocalDateTime ANY_DAY = LocalDateTime.of(2001, 1, 1, 0, 0);
    private static final int RUNS = 100;

    private final ConfigurableBeanFactory beans;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    ScheduleCheck(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    void check(AnnotatedMethod annotated, LockRequest request, LockSettings settings) {
        Duration minHold = request.minHold();
        if (minHold == null || minHold.isZero()) {
            return;
        }
        Duration waitTime = request.waitTime() == null ? settings.waitTime() : request.waitTime();
        Optional<Duration> interval = interval(annotated);
        Duration reserve = settings.maxClockSkew().plus(RESERVE);
        Duration longest = interval.orElse(Duration.ZERO).minus(reserve).plus(waitTime);
        if (interval.isPresent() && minHold.compareTo(longest) > 0 && warned.add(annotated.where())) {
            LOG.warn(
                    "@DistributedLock on {}: minHold = {} is too long for its schedule, which may start it again after {}: a"
                            + " process can find the lock busy up to {} longer, for the clock skew and a start. {}",
                    annotated.where(),
                    shown(minHold),
                    shown(interval.get()),
                    shown(reserve),
                    longest.compareTo(Duration.ZERO) > 0
                            ? "Set minHold to at most %s, or remove it.".formatted(shown(longest))
                            : "Remove minHold, or let it start less often.");
        }
    }

    static String shown(Duration duration) {
        return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
    }

    /** Returns the shortest time between two starts that the schedules ask for; empty if that is not known. */
    private Optional<Duration> interval(AnnotatedMethod annotated) {
        return MergedAnnotations.from(annotated.method(), SearchStrategy.TYPE_HIERARCHY).stream(Scheduled.class)
                .flatMap(this::intervals)
                .min(Comparator.naturalOrder());
    }

    private Stream<Duration> intervals(MergedAnnotation<Scheduled> scheduled) {
        DurationFormat.Unit unit = DurationFormat.Unit.fromChronoUnit(
                scheduled.synthesize().timeUnit().toChronoUnit());
        try {
            return Stream.of(
                            fixed(scheduled.getLong("fixedRate"), scheduled.getString("fixedRateString"), unit),
                            fixed(scheduled.getLong("fixedDelay"), scheduled.getString("fixedDelayString"), unit),
                            between(resolve(scheduled.getString("cron"))))
                    .filter(Objects::nonNull);
        } catch (IllegalArgumentException unreadable) {
            return Stream.empty(); // Spring rejects it, or evaluates an expression in it
        }
    }

    private @Nullable Duration fixed(long number, String text, DurationFormat.Unit unit) {
        if (text.isEmpty()) {
            return number < 0 ? null : Duration.of(number, unit.asChronoUnit());
        }
        return DurationFormatterUtils.detectAndParse(resolve(text), unit);
    }

    private String resolve(String text) {
        return String.valueOf(beans.resolveEmbeddedValue(text));
    }

    private static @Nullable Duration between(String cron) {
        if (cron.isEmpty() || cron.equals(Scheduled.CRON_DISABLED)) {
            return null;
        }
        CronExpression runs = CronExpression.parse(cron);
        Duration shortest = null;
        LocalDateTime run = runs.next(ANY_DAY);
        for (int i = 0; i < RUNS && run != null; i++) {
            LocalDateTime next = runs.next(run);
            Duration between = next == null ? null : Duration.between(run, next);
            if (shortest == null || (between != null && between.compareTo(shortest) < 0)) {
                shortest = between;
            }
            run = next;
        }
        return shortest;
    }
}
