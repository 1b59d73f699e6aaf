/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package software.amazon.awssdk.crt.http;

/** Has the name of the exception of the SDK's clients on the AWS Common Runtime, which are no dependency. */
public final class HttpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the text of the error
     */
    public HttpException(String message) {
        super(message);
    }
}
