/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Arrays;

/** The reached worlds in order, each with its predecessor. Exact: compares whole encodings, not hashes. */
final class VisitedStates {

    private static final int PAGE = 1 << 22;

    private byte[][] pages = new byte[16][];
    private int page = -1;
    private int used = PAGE;

    private long[] places = new long[1 << 16];
    private int[] parents = new int[1 << 16];
    private int[] index = new int[1 << 18];
    private int count;

    int count() {
        return count;
    }

    int parentOf(int world) {
        return parents[world];
    }

    byte[] bytesOf(int world) {
        byte[] from = pages[(int) (places[world] >>> 32)];
        int at = (int) places[world];
        int length = (from[at] & 0xff) << 8 | (from[at + 1] & 0xff);
        return Arrays.copyOfRange(from, at + 2, at + 2 + length);
    }

    /** Adds a world; returns whether it is new. */
    boolean add(byte[] bytes, int length, int parent) {
        if (count * 2 >= index.length) {
            rehash();
        }
        int slot = slotOf(bytes, 0, length);
        while (index[slot] != 0) {
            if (isSame(index[slot] - 1, bytes, length)) {
                return false;
            }
            slot = (slot + 1) & (index.length - 1);
        }
        index[slot] = count + 1;
        store(bytes, length, parent);
        return true;
    }

    private void store(byte[] bytes, int length, int parent) {
        if (used + length + 2 > PAGE) {
            page++;
            used = 0;
            pages = page == pages.length ? Arrays.copyOf(pages, 2 * page) : pages;
            pages[page] = new byte[PAGE];
        }
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
            parents = Arrays.copyOf(parents, 2 * count);
        }
        places[count] = (long) page << 32 | used;
        parents[count] = parent;
        pages[page][used] = (byte) (length >>> 8);
        pages[page][used + 1] = (byte) length;
        System.arraycopy(bytes, 0, pages[page], used + 2, length);
        used += length + 2;
        count++;
    }

    private boolean isSame(int world, byte[] bytes, int length) {
        byte[] from = pages[(int) (places[world] >>> 32)];
        int at = (int) places[world];
        int known = (from[at] & 0xff) << 8 | (from[at + 1] & 0xff);
        return known == length && Arrays.equals(from, at + 2, at + 2 + length, bytes, 0, length);
    }

    private int slotOf(byte[] bytes, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = hash * 0x01000193 ^ bytes[i];
        }
        hash *= 0x9E3779B9;
        return (hash ^ hash >>> 15) & (index.length - 1);
    }

    private void rehash() {
        index = new int[index.length * 2];
        for (int world = 0; world < count; world++) {
            byte[] from = pages[(int) (places[world] >>> 32)];
            int at = (int) places[world];
            int length = (from[at] & 0xff) << 8 | (from[at + 1] & 0xff);
            int slot = slotOf(from, at + 2, at + 2 + length);
            while (index[slot] != 0) {
                slot = (slot + 1) & (index.length - 1);
            }
            index[slot] = world + 1;
        }
    }
}
