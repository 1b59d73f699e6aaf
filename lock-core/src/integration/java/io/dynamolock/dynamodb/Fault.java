/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/** A fault of one attempt on its way to DynamoDB and back. */
@FunctionalInterface
public interface Fault {

    /**
     * Applies the fault.
     *
     * @param exchange the attempt
     * @return the response that the SDK sees
     * @throws IOException what the SDK sees instead
     */
    HttpExecuteResponse on(Exchange exchange) throws IOException;

    /** An attempt under a fault. Waiting ends in an {@code IOException} if the SDK aborts the attempt. */
    interface Exchange {

        /**
         * Returns the request to send.
         *
         * @return the attempt
         */
        FaultyHttpClient.Attempt attempt();

        /**
         * Sends the request.
         *
         * @return the server's response
         * @throws IOException if the network really fails
         */
        HttpExecuteResponse send() throws IOException;

        /**
         * Waits for a duration.
         *
         * @param time how long
         * @throws IOException if the SDK gave the attempt up meanwhile
         */
        void pause(Duration time) throws IOException;

        /**
         * Waits for the test.
         *
         * @param client completed by the test
         * @throws IOException if the SDK gave the attempt up meanwhile
         */
        void await(CompletableFuture<?> client) throws IOException;
    }

    /**
     * No fault.
     *
     * @return the server's own response
     */
    static Fault none() {
        return Exchange::send;
    }

    /**
     * The request never arrives, and the connection breaks.
     *
     * @return a {@code SocketException}
     */
    static Fault loseRequest() {
        return exchange -> {
            throw new SocketException("Connection reset");
        };
    }

    /**
     * The connection is refused.
     *
     * @return a {@code ConnectException}
     */
    static Fault refuseConnection() {
        return exchange -> {
            throw new ConnectException("Connection refused");
        };
    }

    /**
     * The request arrives, but the connection breaks before the response.
     *
     * @return a {@code SocketException}
     */
    static Fault loseResponse() {
        return exchange -> {
            discard(exchange.send());
            throw new SocketException("Connection reset");
        };
    }

    /**
     * The request never arrives, without an error.
     *
     * @return nothing, until the SDK gives up
     */
    static Fault hang() {
        return exchange -> {
            exchange.await(new CompletableFuture<>());
            throw new IOException("aborted");
        };
    }

    /**
     * The request arrives, but the response never does.
     *
     * @return nothing, until the SDK gives up
     */
    static Fault hangAfterwards() {
        return exchange -> {
            discard(exchange.send());
            return hang().on(exchange);
        };
    }

    /**
     * The network is slow.
     *
     * @param time until the request arrives
     * @return the server's own response, later
     */
    static Fault delay(Duration time) {
        return exchange -> {
            exchange.pause(time);
            return exchange.send();
        };
    }

    /**
     * The request arrives, its response when the test releases it.
     *
     * @param client completed by the test
     * @return the server's own response, later
     */
    static Fault holdResponse(CompletableFuture<?> client) {
        return exchange -> {
            HttpExecuteResponse response = exchange.send();
            exchange.await(client);
            return response;
        };
    }

    /**
     * The server rejects the request without reading it.
     *
     * @param status for example 400
     * @param type for example {@code ThrottlingException}
     * @param message what it says
     * @return that rejection
     */
    static Fault reject(int status, String type, String message) {
        String body =
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#%s\",\"message\":\"%s\"}".formatted(type, message);
        return response(status, body);
    }

    /**
     * The server responds without reading the request.
     *
     * @param status for example 200
     * @param body JSON, or not
     * @return that response
     */
    static Fault response(int status, String body) {
        return response(status, "application/x-amz-json-1.0", body);
    }

    /**
     * Another server responds.
     *
     * @param status for example 200
     * @param contentType for example that of JSON; can be empty
     * @param body its text
     * @return that response
     */
    static Fault response(int status, String contentType, String body) {
        return exchange -> HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder()
                        .statusCode(status)
                        .putHeader("Content-Type", contentType)
                        .build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body.getBytes(UTF_8))))
                .build();
    }

    /**
     * DynamoDB throttles.
     *
     * @return status 400, as DynamoDB does it
     */
    static Fault throttle() {
        return reject(400, "ProvisionedThroughputExceededException", "Rate exceeded");
    }

    /**
     * DynamoDB has an internal error.
     *
     * @return status 500
     */
    static Fault serverError() {
        return reject(500, "InternalServerError", "Internal server error");
    }

    /**
     * The permission is missing.
     *
     * @return status 400, as DynamoDB does it
     */
    static Fault denyAccess() {
        return reject(400, "AccessDeniedException", "User: arn:aws:iam::123456789012:user/test is not authorized");
    }

    /**
     * Changes the status or the headers of the response.
     *
     * @param change to the server's own
     * @return the changed response
     */
    static Fault alterResponse(Consumer<SdkHttpFullResponse.Builder> change) {
        return exchange -> {
            HttpExecuteResponse response = exchange.send();
            SdkHttpFullResponse.Builder altered = SdkHttpFullResponse.builder()
                    .statusCode(response.httpResponse().statusCode())
                    .headers(response.httpResponse().headers());
            change.accept(altered);
            return HttpExecuteResponse.builder()
                    .response(altered.build())
                    .responseBody(response.responseBody().orElse(null))
                    .build();
        };
    }

    /** Releases the connection. */
    private static void discard(HttpExecuteResponse response) throws IOException {
        if (response.responseBody().isPresent()) {
            response.responseBody().get().close();
        }
    }
}
