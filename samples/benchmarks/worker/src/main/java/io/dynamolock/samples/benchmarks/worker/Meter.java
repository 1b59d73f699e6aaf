/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.Arrays;

/** What this process used since a moment: time, CPU, memory, requests. */
final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Requests requests;
    private final long nanos = System.nanoTime();
    private final long cpuNanos = SYSTEM.getProcessCpuTime();
    private final long allocated = allocatedBytes();
    private final long sent;
    private final long writeUnits;
    private final double readUnits;

    private Meter(Requests requests) {
        this.requests = requests;
        this.sent = requests.sent();
        this.writeUnits = requests.writeUnits();
        this.readUnits = requests.readUnits();
    }

    static Meter start(Requests requests) {
        return new Meter(requests);
    }

    /** Adds the figures, but time, divided by a number of operations, and the operations per second. */
    void report(Figures figures, double operations) {
        double seconds = seconds();
        figures.add("cpuMicros", (SYSTEM.getProcessCpuTime() - cpuNanos) / 1e3 / operations);
        figures.add("allocatedBytes", (allocatedBytes() - allocated) / operations);
        figures.add("requests", (requests.sent() - sent) / operations);
        figures.add("writeUnits", (requests.writeUnits() - writeUnits) / operations);
        figures.add("readUnits", readUnits() / operations);
        figures.add("perSecond", operations / seconds);
    }

    double readUnits() {
        return requests.readUnits() - readUnits;
    }

    double seconds() {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** Returns the CPU time per time: 1 for one busy core. */
    double cores() {
        return (SYSTEM.getProcessCpuTime() - cpuNanos) / 1e9 / seconds();
    }

    private static long allocatedBytes() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** Returns what was left after a garbage collection: usage read later contains the garbage of requests in flight. */
    static long heapBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(least, collectedBytes());
            Thread.sleep(100);
        }
        return least;
    }

    private static long collectedBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }
}
