/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.io.IOException;
import java.io.UncheckedIOException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * A response that is not DynamoDB's, although the SDK accepts it: for the SDK, an empty one of a proxy with status 200
 * or 204 is that of a write that was applied, and that of a missing row.
 */
final class ForeignResponseException extends IOException {

    private static final long serialVersionUID = 1L;

    private ForeignResponseException(int status) {
        super("status " + status + ", without a request ID and DynamoDB's content type");
    }

    /** Returns the response if it is DynamoDB's, or that of a client without HTTP. */
    static <T extends SdkResponse> T requireDynamoDb(T response) {
        SdkHttpResponse http = response.sdkHttpResponse();
        if (http != null && !hasRequestId(http) && !hasContentType(http)) {
            throw new UncheckedIOException(new ForeignResponseException(http.statusCode()));
        }
        return response;
    }

    private static boolean hasRequestId(SdkHttpResponse http) {
        return http.firstMatchingHeader("x-amzn-RequestId").isPresent();
    }

    /** Of implementations without request IDs. */
    private static boolean hasContentType(SdkHttpResponse http) {
        return http.firstMatchingHeader("Content-Type").orElse("").startsWith("application/x-amz-json");
    }
}
