/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.scheduling.annotation.Scheduled;

/** A minimum hold that is too long for the schedule of its method: later runs would be skipped. */
@ExtendWith(LogCapture.class)
class MinHoldTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @ParameterizedTest
    @ValueSource(classes = {Rate.class, Delay.class, RateInProperty.class, Cron.class, OneOfSeveral.class})
    void warnsOnceIfNextRunMayFindLockBusy(Class<?> job, CapturedOutput output) {
        contexts.withBean(job).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output.getOut().lines().filter(line -> line.contains("minHold")))
                    .singleElement()
                    .asString()
                    .startsWith("WARN")
                    .contains(job.getName()
                            + ".run: minHold = 58s is too long for its schedule, which may start it again after 1m")
                    .contains("up to 3s longer")
                    .endsWith("Set minHold to at most 57s, or remove it.");
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                JustShortEnough.class,
                Waiting.class,
                NotScheduled.class,
                Daily.class,
                Disabled.class,
                Unreadable.class
            })
    void acceptsOthers(Class<?> job, CapturedOutput output) {
        contexts.withBean(job).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("minHold");
        });
    }

    @ParameterizedTest
    @CsvSource({"3s, 55s", "58s, no value"})
    void allowsForClockSkewOfManager(String skew, String longest, CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.lease.max-clock-skew=" + skew)
                .withBean(Rate.class)
                .run(context -> assertThat(output)
                        .contains(
                                longest.equals("no value")
                                        ? "Remove minHold, or let it start less often."
                                        : "Set minHold to at most " + longest));
    }

    @Test
    void shortestIntervalOfCronCounts(CapturedOutput output) {
        contexts.withBean(Irregular.class).run(context -> assertThat(output).contains("start it again after 5m"));
    }

    static class Rate {
        @Scheduled(fixedRate = 60_000, initialDelay = 3_600_000)
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class Delay {
        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.MINUTES, initialDelay = 60)
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class RateInProperty {
        @Scheduled(fixedRateString = "${app.every:1m}", initialDelay = 3_600_000)
        @DistributedLock(name = "job", minHold = "${app.hold:58s}")
        public void run() {}
    }

    static class Cron {
        @Scheduled(cron = "0 * * * * *")
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class OneOfSeveral {
        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "${app.cron:30 * * * * *}")
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class JustShortEnough {
        @Scheduled(fixedRate = 60_000)
        @DistributedLock(name = "job", minHold = "57s")
        public void run() {}
    }

    static class Waiting {
        @Scheduled(fixedRate = 60_000)
        @DistributedLock(name = "job", minHold = "58s", waitTime = "5s")
        public void run() {}
    }

    static class NotScheduled {
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class Daily {
        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "job", minHold = "10m")
        public void run() {}
    }

    static class Disabled {
        @Scheduled(cron = "-")
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class Unreadable {
        @Scheduled(cron = "#{@elsewhere.cron}")
        @DistributedLock(name = "job", minHold = "58s")
        public void run() {}
    }

    static class Irregular {
        @Scheduled(cron = "0 0,20,25 * * * *")
        @DistributedLock(name = "job", minHold = "5m")
        public void run() {}
    }
}
