/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;

/** Recognizes the exceptions of HTTP clients, none of which is a dependency, by their names and texts. */
final class HttpClientFailures {

    /** Exceptions for a server that accepted no connection in time. */
    private static final Set<String> NOT_CONNECTED = Set.of("ConnectTimeoutException");

    /** Exceptions of Apache's HTTP clients, 5 and 4, for a connection pool that was exhausted until a timeout. */
    private static final Set<String> NO_FREE_CONNECTION =
            Set.of("ConnectionRequestTimeoutException", "ConnectionPoolTimeoutException");

    /** In the messages of the HTTP clients of AWS and on Netty for the same. */
    private static final List<String> NO_FREE_CONNECTION_TEXTS =
            List.of("failed to acquire a connection", "Acquire operation took longer");

    /** The one exception of the clients on the AWS Common Runtime for most failures, unchecked. */
    private static final String OF_COMMON_RUNTIME = "software.amazon.awssdk.crt.http.HttpException";

    /** In its messages, if there was no connection. */
    private static final List<String> NOT_CONNECTED_TEXTS =
            List.of("socket connection refused", "dns", "No address was found for the supplied host name");

    /** In the messages of Apache's HTTP clients and of those on the AWS Common Runtime, once they are closed. */
    private static final List<String> CLOSED =
            List.of("pool shut down", "Client is closed. No more requests can be made");

    private HttpClientFailures() {}

    /** Whether an exception that need not be an {@code IOException} is about a connection. */
    static boolean isOfConnection(Throwable failure) {
        return isOfCommonRuntime(failure) || isNoFreeConnection(failure);
    }

    /** Whether nothing was sent, for want of a connection to the server. */
    static boolean isNotConnected(Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof UnknownHostException
                || failure instanceof SSLHandshakeException
                || NOT_CONNECTED.contains(failure.getClass().getSimpleName())
                || (isOfCommonRuntime(failure) && says(failure, NOT_CONNECTED_TEXTS));
    }

    static boolean isNoFreeConnection(Throwable failure) {
        return NO_FREE_CONNECTION.contains(failure.getClass().getSimpleName())
                || says(failure, NO_FREE_CONNECTION_TEXTS);
    }

    /** Whether nothing was sent, because the client is closed. */
    static boolean isClosed(Throwable failure) {
        return failure instanceof IllegalStateException && says(failure, CLOSED);
    }

    static boolean isOfCommonRuntime(Throwable failure) {
        return failure.getClass().getName().equals(OF_COMMON_RUNTIME);
    }

    private static boolean says(Throwable failure, List<String> texts) {
        return texts.stream().anyMatch(String.valueOf(failure.getMessage())::contains);
    }
}
