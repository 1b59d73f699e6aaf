/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * An HTTP client under the SDK that counts and records each attempt and lets tests inject faults.
 *
 * <pre>
 * FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
 * DynamoDbClient client = LocalDynamoDb.newClient().httpClient(http).build();
 * http.next(Fault.loseResponse(), Fault.none());                                             // the next two attempts
 * http.decide(attempt -&gt; attempt.isFor("UpdateItem") ? Fault.throttle() : Fault.none());   // all the others
 * http.resend(http.attempts("UpdateItem").get(0));                                      // a late copy
 * </pre>
 *
 * <p>Safe for use by many threads. Closing it closes the client underneath.
 */
public final class FaultyHttpClient implements SdkHttpClient {

    private final SdkHttpClient real;
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final Queue<Fault> next = new ConcurrentLinkedQueue<>();
    private volatile Function<Attempt, Fault> script = attempt -> Fault.none();

    /**
     * Wraps a client.
     *
     * @param real what reaches the server
     */
    public FaultyHttpClient(SdkHttpClient real) {
        this.real = real;
    }

    /**
     * Decides about all attempts that {@link #next} does not decide about.
     *
     * @param script what happens to an attempt
     */
    public void decide(Function<Attempt, Fault> script) {
        this.script = script;
    }

    /**
     * Decides about all attempts that {@link #next} does not decide about.
     *
     * @param fault what happens to each
     */
    public void always(Fault fault) {
        decide(attempt -> fault);
    }

    /**
     * Decides about the next attempts, in this order.
     *
     * @param faults what happens to each
     */
    public void next(Fault... faults) {
        next.addAll(List.of(faults));
    }

    /**
     * Returns the attempts since {@link #forget}, including lost requests.
     *
     * @return the attempts in their order
     */
    public List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    /**
     * Returns the attempts of one operation.
     *
     * @param operation for example {@code UpdateItem}
     * @return the attempts in their order
     */
    public List<Attempt> attempts(String operation) {
        return attempts.stream().filter(attempt -> attempt.isFor(operation)).toList();
    }

    /**
     * Counts the attempts of one operation.
     *
     * @param operation for example {@code UpdateItem}
     * @return how many since {@link #forget}
     */
    public int count(String operation) {
        return attempts(operation).size();
    }

    /** Resets the counts and drops the remaining faults of {@link #next}. */
    public void forget() {
        attempts.clear();
        next.clear();
    }

    /**
     * Sends a duplicate of an earlier attempt to the server, as a network may do.
     *
     * @param attempt the attempt
     * @return the status of the response
     */
    public int resend(Attempt attempt) {
        try {
            return real.prepareRequest(attempt.copy()).call().httpResponse().statusCode();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        Attempt attempt = Attempt.of(request);
        attempts.add(attempt);
        Fault queued = next.poll();
        Fault fault = queued == null ? script.apply(attempt) : queued;
        return new Execution(attempt, fault, real.prepareRequest(attempt.copy()));
    }

    @Override
    public String clientName() {
        return "faulty";
    }

    @Override
    public void close() {
        real.close();
    }

    /**
     * One request as it was sent.
     *
     * @param operation for example {@code UpdateItem}
     * @param body the JSON text
     * @param request everything but the body
     */
    public record Attempt(String operation, String body, SdkHttpRequest request) {

        static Attempt of(HttpExecuteRequest request) {
            String target =
                    request.httpRequest().firstMatchingHeader("X-Amz-Target").orElse("");
            String operation = target.substring(target.indexOf('.') + 1);
            return new Attempt(operation, read(request), request.httpRequest());
        }

        private static String read(HttpExecuteRequest request) {
            if (request.contentStreamProvider().isEmpty()) {
                return "";
            }
            try (InputStream content = request.contentStreamProvider().get().newStream()) {
                return new String(content.readAllBytes(), UTF_8);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        /**
         * Returns whether the attempt is of an operation.
         *
         * @param name for example {@code UpdateItem}
         * @return whether it is this operation
         */
        public boolean isFor(String name) {
            return operation.equals(name);
        }

        HttpExecuteRequest copy() {
            return HttpExecuteRequest.builder()
                    .request(request)
                    .contentStreamProvider(() -> new ByteArrayInputStream(body.getBytes(UTF_8)))
                    .build();
        }
    }

    /** One attempt in flight. */
    private static final class Execution implements ExecutableHttpRequest, Fault.Exchange {

        private final CompletableFuture<Void> aborted = new CompletableFuture<>();
        private final Attempt attempt;
        private final Fault fault;
        private final ExecutableHttpRequest real;

        Execution(Attempt attempt, Fault fault, ExecutableHttpRequest real) {
            this.attempt = attempt;
            this.fault = fault;
            this.real = real;
        }

        @Override
        public Attempt attempt() {
            return attempt;
        }

        @Override
        public HttpExecuteResponse send() throws IOException {
            return real.call();
        }

        @Override
        public void pause(Duration time) throws IOException {
            await(new CompletableFuture<>().completeOnTimeout(true, time.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override
        public void await(CompletableFuture<?> client) throws IOException {
            try {
                CompletableFuture.anyOf(aborted, client).get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            } catch (ExecutionException failure) {
                throw new IOException(failure);
            }
            if (aborted.isDone()) {
                throw new IOException("aborted");
            }
        }

        @Override
        public HttpExecuteResponse call() throws IOException {
            return fault.on(this);
        }

        @Override
        public void abort() {
            aborted.complete(null);
            real.abort();
        }
    }
}
