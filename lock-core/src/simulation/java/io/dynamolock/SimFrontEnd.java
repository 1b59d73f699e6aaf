/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The front end that serves a process: dates each response in whole seconds, with allowed offsets and delays or worse. */
final class SimFrontEnd {

    /** Half of the allowed skew, which bounds the sum of offset and rendering delay. */
    private static final long ALLOWED = 499_000_000;

    private static final long SECOND = 1_000_000_000;

    /** Larger than any simulated clock step or suspension, which could explain it. */
    private static final long LEAST_WRONG = 2_100 * SECOND;

    private final SimScheduler time;
    private final SimFaults faults;
    private final long shift;
    private final boolean apart;
    private final long offset;
    private final long wrongFrom;
    private final long wrongBy;
    private BooleanSupplier isTimeKnown = () -> false;
    private boolean wrong;
    private final Map<String, SdkHttpResponse> responses = new HashMap<>();
    private int absurd;
    private int old;
    private int astray;
    private int wrongAlike;

    /**
     * Starts one.
     *
     * @param shift how far all front ends are off the true time, which does no harm
     */
    SimFrontEnd(SimScheduler time, SimFaults faults, long shift) {
        this.time = time;
        this.faults = faults;
        this.shift = shift;
        SplittableRandom chance = faults.chance(SimFault.FRONT_ENDS_DIFFER);
        long within = faults.has(SimFault.FRONT_ENDS_DIFFER) ? chance.nextLong(-ALLOWED, ALLOWED) : 0;
        this.apart = faults.happens(SimFault.FRONT_ENDS_APART, 0.5);
        this.offset = within + (apart ? faults.chance(SimFault.FRONT_ENDS_APART).nextLong(-5 * SECOND, 5 * SECOND) : 0);
        SplittableRandom details = faults.chance(SimFault.DATES_WRONG);
        this.wrongFrom = time.now() + details.nextLong(15 * SECOND);
        this.wrongBy = SimPlan.log(details, LEAST_WRONG, 86_400 * SECOND) * (details.nextBoolean() ? 1 : -1);
    }

    /** Dates do not become wrong before the process has learned the time from them: that would be undetectable. */
    void goesWrongOnce(BooleanSupplier isKnown) {
        isTimeKnown = isKnown;
    }

    private boolean isWrong() {
        boolean may = !wrong && time.now() >= wrongFrom && isTimeKnown.getAsBoolean();
        wrong |= may && faults.happens(SimFault.DATES_WRONG, 0.2);
        return wrong && !faults.isStopped();
    }

    /** Returns the number of undetected wrong dates. */
    int wrongDates() {
        return absurd + old + astray + wrongAlike;
    }

    /** Returns the head of a response rendered now. */
    SdkHttpResponse response() {
        if (faults.happens(SimFault.DATE_ABSENT, 0.3)) {
            return of("", "");
        }
        if (faults.happens(SimFault.DATE_GARBAGE, 0.2)) {
            return of("tomorrow at noon", "");
        }
        if (faults.happens(SimFault.DATE_ABSURD, 0.1)) {
            absurd++;
            return of(text(time.now() + shift - absurd * 100_000L * SECOND), "");
        }
        if (faults.happens(SimFault.DATE_CACHED, 0.2)) {
            return of(text(rendered() - faults.chance(SimFault.DATE_CACHED).nextLong(60 * SECOND)), "17");
        }
        if (faults.happens(SimFault.DATE_OLD, 0.1)) {
            old++;
            return of(text(rendered() - faults.chance(SimFault.DATE_OLD).nextLong(60 * SECOND)), "");
        }
        astray += apart ? 1 : 0;
        if (isWrong()) {
            wrongAlike++;
            return of(text(rendered() + wrongBy), "");
        }
        return of(text(rendered()), "");
    }

    private long rendered() {
        long latest = faults.has(SimFault.FRONT_ENDS_DIFFER) ? Math.max(0, offset + ALLOWED) : 0;
        long late = latest == 0 ? 0 : faults.chance(SimFault.FRONT_ENDS_DIFFER).nextLong(latest);
        return time.now() + shift + offset - late;
    }

    private static String text(long nanos) {
        return Long.toString(Math.floorDiv(nanos, SECOND));
    }

    /** Caches the text of the current second. */
    private SdkHttpResponse of(String second, String age) {
        return responses.computeIfAbsent(second + "/" + age, unused -> {
            SdkHttpFullResponse.Builder head =
                    SdkHttpFullResponse.builder().statusCode(200).putHeader("x-amzn-RequestId", "simulated");
            if (!second.isEmpty()) {
                head.putHeader("Date", Character.isLetter(second.charAt(0)) ? second : date(second));
            }
            if (!age.isEmpty()) {
                head.putHeader("Age", age);
            }
            return head.build();
        });
    }

    private static String date(String second) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.ofEpochSecond(Long.parseLong(second)).atOffset(ZoneOffset.UTC));
    }
}
