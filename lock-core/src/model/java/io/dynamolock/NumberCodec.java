/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.Arrays;

/** Encodes numbers as bytes, with few bytes for small numbers. */
abstract class NumberCodec {

    private static final long LOWEST_TOKEN = FencingTokens.at(ModelClocks.millis(-10));

    private byte[] bytes = new byte[1024];
    private int at;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return at;
    }

    boolean isLast(byte[] other) {
        return Arrays.equals(bytes, 0, at, other, 0, other.length);
    }

    final void clear() {
        at = 0;
    }

    /** Reads or writes other bytes from now on; returns those from before. */
    final byte[] replaced(byte[] others) {
        byte[] before = bytes;
        bytes = others;
        at = 0;
        return before;
    }

    @SuppressWarnings("EnumOrdinal") // read by the same program that wrote it
    static int number(Enum<?> one) {
        return one.ordinal();
    }

    void put(Enum<?> one) {
        put(number(one));
    }

    <E> E get(E[] all) {
        return all[(int) get()];
    }

    Instant getInstant() {
        return Instant.ofEpochMilli(ModelClocks.millis(get()));
    }

    void putToken(long token) {
        put(token == 0 ? 0 : token - LOWEST_TOKEN);
    }

    long getToken() {
        long token = get();
        return token == 0 ? 0 : token + LOWEST_TOKEN;
    }

    static long bits(boolean... bits) {
        long all = 0;
        for (int i = 0; i < bits.length; i++) {
            all |= bits[i] ? 1L << i : 0;
        }
        return all;
    }

    void put(long number) {
        long left = number << 1 ^ number >> 63;
        while (left > 0x7f || left < 0) {
            bytes[at++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[at++] = (byte) left;
    }

    long get() {
        long number = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at++];
            number |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return number >>> 1 ^ -(number & 1);
    }
}
