/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import tools.jackson.databind.json.JsonMapper;

/** Application with two locked jobs. Several processes run it, and report by lines of JSON on standard output. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import(Jobs.class)
public class Worker implements LockListener {

    private static final JsonMapper JSON = new JsonMapper();

    /** What has happened. */
    enum Kind {
        READY,
        WAITS,
        ACQUIRED,
        GAVE_UP,
        RENEWED,
        RENEWAL_FAILED,
        LOST,
        RELEASED
    }

    /**
     * A line of the output.
     *
     * @param kind what has happened
     * @param lock the lock name; empty for {@code READY}
     * @param token the fencing token of the lease; 0 without a lease
     * @param remaining the milliseconds that the lease has left
     * @param text details
     */
    record Report(Kind kind, String lock, long token, long remaining, String text) {

        static Report parse(String line) {
            return JSON.readValue(line, Report.class);
        }

        void print() {
            System.out.println(JSON.writeValueAsString(this));
        }
    }

    /** Created by Spring. */
    Worker() {}

    /**
     * Runs a worker until its standard input ends.
     *
     * @param args properties
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] args) throws IOException {
        ConfigurableApplicationContext worker = new SpringApplicationBuilder(Worker.class)
                .web(WebApplicationType.NONE)
                .run(args);
        new Report(Kind.READY, "", 0, 0, "is ready").print();
        System.in.transferTo(OutputStream.nullOutputStream());
        worker.close();
    }

    @Override
    public void onWaiting(LockState holder) {
        report(Kind.WAITS, holder.name(), "waits for " + holder.owner());
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        String time = String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1e3);
        report(Kind.ACQUIRED, lease, "acquired after " + time);
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        report(Kind.GAVE_UP, holder.name(), "gives up: busy");
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        report(Kind.GAVE_UP, name, "gives up: " + reason(failure));
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        report(Kind.RENEWED, lease, "renewed");
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        report(Kind.RENEWAL_FAILED, lease, "cannot renew: " + reason(failure));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        String by = lost.newHolder() == null ? "" : " by " + lost.newHolder();
        report(Kind.LOST, lease, "lost: " + lost.reason() + by);
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        report(Kind.RELEASED, lease, outcome == ReleaseOutcome.RELEASED ? "released" : "released: " + outcome);
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        report(Kind.RELEASED, lease, "cannot release: " + reason(failure));
    }

    /** Of a message such as "Renewing lock 'report' in table 'dynamolock' failed: no response in time (...)", the reason. */
    private static String reason(Throwable failure) {
        return String.valueOf(failure.getMessage()).replaceFirst(".* failed: ([^(]+)\\b.*", "$1");
    }

    private static void report(Kind kind, String lock, String text) {
        new Report(kind, lock, 0, 0, text).print();
    }

    private static void report(Kind kind, Lease lease, String text) {
        new Report(kind, lease.name(), lease.fencingToken(), lease.remaining().toMillis(), text).print();
    }
}
