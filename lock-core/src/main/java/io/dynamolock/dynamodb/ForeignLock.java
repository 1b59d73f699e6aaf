/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockRow;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How another library marks a lock as held in an item. */
sealed interface ForeignLock permits EndingForeignLock, AwslabsLock {

    /** Fails if locks of both libraries cannot be in a table with this TTL attribute. */
    void requireFit(String ttlAttribute);

    /** Returns whether a lock has an end, in an attribute that leases of this library do not use. */
    boolean hasOwnEnd();

    /** The condition that the item is not held, which refers to the values of {@link #putValues}. */
    String condition();

    /**
     * The attributes that an acquisition removes, so that they do not make the item look held when it is free again.
     */
    List<String> marks();

    /** Puts the values that the condition compares with. */
    void putValues(Map<String, AttributeValue> values, Instant now);

    /**
     * Returns a row as held by the other library.
     *
     * @param row the row of an item without a lease of this library
     * @return null if the other library does not hold it, as the condition would find
     */
    @Nullable
    LockRow held(LockRow row, Map<String, AttributeValue> item, Instant now);

    /** The id in place of a lease id, which no lease of this library has. */
    static String idOf(String library) {
        return "held-by-" + library.replace(' ', '-');
    }

    static @Nullable String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? null : value.s();
    }

    /**
     * Identifies the state of a foreign lock.
     *
     * @param value the attribute that changes with it
     * @param takeable whether the lock may be taken over when this has not changed for its whole duration
     */
    record ForeignStamp(AttributeValue value, boolean takeable) {

        /** Puts the value for the condition of a takeover; returns false if the lock is not taken over. */
        boolean put(Map<String, AttributeValue> values) {
            if (takeable) {
                values.put(":seenVersion", value);
            }
            return takeable;
        }

        /** Omits the value, which is the other library's secret. */
        @Override
        public String toString() {
            return "ForeignStamp[takeable=" + takeable + "]";
        }
    }

    /** How the end of a lock is written, in a form that DynamoDB can compare. */
    enum EndFormat {
        EPOCH_SECONDS,
        EPOCH_MILLIS,
        ISO_MILLIS,
        /** Tenths of microseconds, as .NET writes them. */
        ISO_TICKS;

        private static final DateTimeFormatter MILLIS = utc("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
        private static final DateTimeFormatter TICKS = utc("yyyy-MM-dd'T'HH:mm:ss.SSSSSSS'+00:00'");

        private static DateTimeFormatter utc(String pattern) {
            return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
        }

        AttributeValue of(Instant instant) {
            return switch (this) {
                case EPOCH_SECONDS -> AttributeValue.fromN(Long.toString(instant.getEpochSecond()));
                case EPOCH_MILLIS -> AttributeValue.fromN(Long.toString(instant.toEpochMilli()));
                case ISO_MILLIS -> AttributeValue.fromS(MILLIS.format(instant));
                case ISO_TICKS -> AttributeValue.fromS(TICKS.format(instant));
            };
        }

        /** Returns the instant; null if the value has another form. */
        @Nullable
        Instant instant(AttributeValue value) {
            String written = value.n() == null ? value.s() : value.n();
            if (written == null) {
                return null;
            }
            try {
                return switch (this) {
                    case EPOCH_SECONDS -> Instant.ofEpochSecond(Long.parseLong(written));
                    case EPOCH_MILLIS -> Instant.ofEpochMilli(Long.parseLong(written));
                    case ISO_MILLIS -> MILLIS.parse(written, Instant::from);
                    case ISO_TICKS -> TICKS.parse(written, Instant::from);
                };
            } catch (NumberFormatException | DateTimeException otherForm) {
                return null;
            }
        }

        /**
         * Whether DynamoDB finds a value less than the one of an instant. Values of another type are not comparable.
         */
        boolean isLess(AttributeValue value, Instant instant) {
            AttributeValue limit = of(instant);
            return limit.s() == null
                    ? value.n() != null && new BigDecimal(value.n()).compareTo(new BigDecimal(limit.n())) < 0
                    : value.s() != null && value.s().compareTo(limit.s()) < 0;
        }
    }
}
