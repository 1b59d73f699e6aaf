/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The network: each request and response may be lost, delayed, duplicated or reordered. */
final class SimNet {

    static final String TABLE = "locks";
    static final String KEY = "lockName";

    private static final long MILLI = 1_000_000;

    private final SimScheduler scheduler;
    private final SimFaults faults;
    private final SimTrace trace;
    private final FakeTable table;
    private final SimChecker checker;
    private final SplittableRandom chance;
    private final long longestDelay;
    private final boolean slow;
    private long outageUntil;
    private @Nullable SimProcess cutOff;

    SimNet(SimWorldParts parts, SplittableRandom chance, SimPlan plan) {
        this.scheduler = parts.scheduler();
        this.faults = parts.faults();
        this.trace = parts.trace();
        this.table = parts.table();
        this.checker = parts.checker();
        this.chance = chance;
        this.longestDelay = 3 * plan.lease.toNanos();
        this.slow = plan.crowd != null && plan.crowd.slow;
    }

    /** The parts that the network needs. */
    record SimWorldParts(
            SimScheduler scheduler, SimFaults faults, SimTrace trace, FakeTable table, SimChecker checker) {}

    /** Blocks all traffic for a while, of one process or, if none is given, of all. */
    void cut(@Nullable SimProcess process, long nanos) {
        cutOff = process;
        outageUntil = scheduler.now() + nanos;
    }

    private boolean isCut(SimProcess process) {
        return !faults.isStopped()
                && scheduler.now() < outageUntil
                && (cutOff == null || cutOff.number == process.number);
    }

    /** Sends one request as the SDK does, and waits for its response. */
    Object send(SimProcess from, DynamoDbRequest request, Duration timeout) {
        throwIfInterrupted();
        if (scheduler.isQuick()) {
            throw new IllegalStateException("A request is sent where nothing may wait: " + request);
        }
        SimRequest what = SimRequest.of(request);
        if (faults.happens(SimFault.PAUSE_BEFORE_SENDING, 0.05)) {
            pause(from, faults.chance(SimFault.PAUSE_BEFORE_SENDING), what.kind() != SimRequest.Kind.RENEW);
        }
        throwIfInterrupted();
        SimCall call = new SimCall(from, what, scheduler.current());
        checker.sent(call);
        trace.note(from.number, "sends", call.what.text());
        transmit(call, request);
        return await(call, from.clocks.monotonic() + timeout.toNanos());
    }

    /** Checks the interrupt flag before sending, as the SDK does. */
    private static void throwIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw AbortedException.create("Thread was interrupted");
        }
    }

    /** Of the whole process, or of the thread alone. */
    private void pause(SimProcess from, SplittableRandom details, boolean mayBeAlone) {
        long nanos = SimPlan.log(details, MILLI, longestDelay);
        if (!details.nextBoolean() || !mayBeAlone) {
            from.pauseHere(nanos);
        } else {
            from.recordPause(nanos);
            scheduler.block(scheduler.now() + nanos);
        }
    }

    private Object await(SimCall call, long deadline) {
        SimProcess from = call.from;
        while (call.response == null) {
            if (from.clocks.monotonic() - deadline >= 0) {
                trace.note(from.number, "gives up", call.what.text());
                call.abandon();
                checker.unanswered(call);
                throw ApiCallTimeoutException.create(0);
            }
            scheduler.block(from.clocks.momentOf(deadline));
            if (call.response == null && Thread.currentThread().isInterrupted()) {
                trace.note(from.number, "is cut short", call.what.text());
                call.abandon();
                checker.unanswered(call);
                throw AbortedException.create("Thread was interrupted");
            }
        }
        trace.note(from.number, "is answered", call.what.text());
        from.isAnswered();
        if (call.response instanceof RuntimeException failure) {
            checker.failed(call, failure);
            throw failure;
        }
        checker.answered(call);
        return call.response;
    }

    private long latency() {
        long usual = slow ? 60 : 8;
        return MILLI + chance.nextLong(chance.nextInt(8) == 0 ? (slow ? 120 : 200) * MILLI : usual * MILLI);
    }

    private void transmit(SimCall call, DynamoDbRequest request) {
        long arrival = scheduler.now() + latency();
        if (faults.happens(SimFault.NO_CONNECTION, 0.05)) {
            response(call, noConnection(), scheduler.now() + MILLI);
            return;
        }
        if (faults.happens(SimFault.THROTTLED, 0.1)) {
            response(call, throttled(), arrival + latency());
            return;
        }
        if (faults.happens(SimFault.SERVER_ERROR, 0.08)) {
            boolean applied = faults.chance(SimFault.SERVER_ERROR).nextBoolean();
            if (applied) {
                scheduler.schedule(arrival, null, () -> apply(call, request));
            }
            response(call, serverError(), arrival + latency());
            return;
        }
        if (isCut(call.from) || faults.happens(SimFault.REQUEST_LOST, 0.08)) {
            return;
        }
        if (faults.happens(SimFault.REQUEST_LATE, 0.08)) {
            arrival += SimPlan.log(faults.chance(SimFault.REQUEST_LATE), 10 * MILLI, longestDelay);
        }
        scheduler.schedule(arrival, null, () -> arrive(call, request));
        if (faults.happens(SimFault.DOUBLED, 0.1)) {
            checker.ends.doubled(call.what);
            long copy = arrival + SimPlan.log(faults.chance(SimFault.DOUBLED), MILLI, longestDelay);
            scheduler.schedule(copy, null, () -> arrive(call, request));
        }
    }

    private void arrive(SimCall call, DynamoDbRequest request) {
        Object outcome = apply(call, request);
        if (isCut(call.from) || faults.happens(SimFault.RESPONSE_LOST, 0.1)) {
            return;
        }
        long back = latency();
        if (faults.happens(SimFault.RESPONSE_LATE, 0.08)) {
            back += SimPlan.log(faults.chance(SimFault.RESPONSE_LATE), 10 * MILLI, longestDelay);
        }
        response(call, dated(outcome, call.from.frontEnd), scheduler.now() + back);
    }

    private Object apply(SimCall call, DynamoDbRequest request) {
        checker.arriving(call);
        Object outcome;
        try {
            outcome = execute(call, request);
        } catch (DynamoDbException rejected) {
            outcome = rejected;
        }
        boolean applied = !(outcome instanceof RuntimeException);
        trace.note(call.from.number, applied ? "  is applied" : "  is rejected", call.what.text());
        checker.arrived(call, applied);
        return outcome;
    }

    private Object execute(SimCall call, DynamoDbRequest request) {
        if (request instanceof UpdateItemRequest update) {
            return table.updateItem(update);
        }
        if (request instanceof TransactWriteItemsRequest transaction) {
            return table.transactWriteItems(transaction);
        }
        GetItemRequest get = (GetItemRequest) request;
        if (!Boolean.TRUE.equals(get.consistentRead()) && faults.happens(SimFault.OLD_READ, 0.3)) {
            long before = scheduler.now() - faults.chance(SimFault.OLD_READ).nextLong(1_000 * MILLI);
            Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> old =
                    checker.rowAt(call.what.name(), before);
            return old.isEmpty()
                    ? GetItemResponse.builder().build()
                    : GetItemResponse.builder().item(old).build();
        }
        return table.getItem(get);
    }

    private void response(SimCall call, Object response, long moment) {
        scheduler.schedule(moment, null, () -> {
            if (call.response == null) {
                call.response = response;
                scheduler.wake(call.waiting, 0);
            }
        });
    }

    private static Object dated(Object outcome, SimFrontEnd frontEnd) {
        if (outcome instanceof DynamoDbResponse response) {
            return response.toBuilder().sdkHttpResponse(frontEnd.response()).build();
        }
        DynamoDbException rejection = (DynamoDbException) outcome;
        AwsErrorDetails details = rejection.awsErrorDetails().toBuilder()
                .sdkHttpResponse(frontEnd.response())
                .build();
        return rejection.toBuilder().awsErrorDetails(details).build();
    }

    private static RuntimeException noConnection() {
        return SdkClientException.builder()
                .message("Unable to execute HTTP request")
                .cause(new ConnectException("rejected"))
                .writableStackTrace(false)
                .build();
    }

    private static RuntimeException throttled() {
        return ProvisionedThroughputExceededException.builder()
                .message("too fast")
                .statusCode(400)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("ProvisionedThroughputExceededException")
                        .build())
                .writableStackTrace(false)
                .build();
    }

    private static RuntimeException serverError() {
        return InternalServerErrorException.builder()
                .message("broken")
                .statusCode(500)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("InternalServerError")
                        .build())
                .writableStackTrace(false)
                .build();
    }
}
