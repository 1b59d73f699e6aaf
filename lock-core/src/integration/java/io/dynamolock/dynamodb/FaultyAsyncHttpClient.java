/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.utils.async.SimplePublisher;

/** The faulty network under an asynchronous client: each attempt runs on its own thread, until the SDK gives it up. */
final class FaultyAsyncHttpClient implements SdkAsyncHttpClient {

    private final FaultyHttpClient http;

    FaultyAsyncHttpClient(FaultyHttpClient http) {
        this.http = http;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Body body = new Body(bytes -> {
            ExecutableHttpRequest attempt = http.prepareRequest(HttpExecuteRequest.builder()
                    .request(request.request())
                    .contentStreamProvider(() -> new ByteArrayInputStream(bytes))
                    .build());
            CompletableFuture<Void> unused = done.whenComplete((nothing, givenUp) -> {
                if (givenUp != null) {
                    attempt.abort();
                }
            });
            new Thread(() -> exchange(attempt, request.responseHandler(), done)).start();
        });
        request.requestContentPublisher().subscribe(body);
        return done;
    }

    private static void exchange(
            ExecutableHttpRequest attempt, SdkAsyncHttpResponseHandler handler, CompletableFuture<Void> done) {
        try {
            HttpExecuteResponse response = attempt.call();
            byte[] bytes = response.responseBody().isPresent()
                    ? response.responseBody().get().readAllBytes()
                    : new byte[0];
            SimplePublisher<ByteBuffer> content = new SimplePublisher<>();
            handler.onHeaders(response.httpResponse());
            handler.onStream(content);
            content.send(ByteBuffer.wrap(bytes)).join();
            content.complete().join();
            done.complete(null);
        } catch (IOException | RuntimeException failure) {
            handler.onError(failure);
            done.completeExceptionally(failure);
        }
    }

    @Override
    public String clientName() {
        return "faulty-async";
    }

    @Override
    public void close() {
        http.close();
    }

    /** Collects the body of a request. */
    private static final class Body implements Subscriber<ByteBuffer> {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Consumer<byte[]> whenComplete;

        Body(Consumer<byte[]> whenComplete) {
            this.whenComplete = whenComplete;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {
            whenComplete.accept(bytes.toByteArray());
        }
    }
}
