/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * The kind of problem that prevents a table from being used, for code that suggests a remedy.
 *
 * @since 0.1
 */
public enum TableProblem {

    /** The table does not exist in this Region. */
    MISSING,

    /** The table is not active, or has not become so in time. */
    NOT_READY,

    /** The table is unfit for locks. */
    UNFIT,

    /** The credentials lack a permission. */
    DENIED,

    /** The key that encrypts the table cannot be used. */
    KEY,

    /** Credentials are missing, or AWS does not accept them. */
    CREDENTIALS,

    /** DynamoDB does not respond. */
    UNREACHABLE,

    /** DynamoDB fails or throttles at the moment. */
    UNAVAILABLE,

    /** Any other problem. */
    OTHER;

    /**
     * Returns the kind of problem behind a failure.
     *
     * @param failure a {@link LockTableException}, or a {@link io.dynamolock.LockStoreException} of a
     *     {@link DynamoDbLockStore}
     * @return the problem
     */
    public static TableProblem of(RuntimeException failure) {
        if (failure instanceof LockTableException table) {
            return table.problem();
        }
        return failure.getCause() == null ? UNFIT : behind(failure.getCause());
    }

    static TableProblem behind(Throwable cause) {
        return Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
                .map(TableProblem::ofCause)
                .filter(problem -> problem != OTHER)
                .findFirst()
                .orElse(OTHER);
    }

    private static TableProblem ofCause(Throwable cause) {
        if (cause instanceof DynamoDbException response) {
            return ofResponse(response);
        }
        if (cause instanceof AwsServiceException) {
            return CREDENTIALS; // of the service that issues them
        }
        if (cause instanceof IOException
                || cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException) {
            return UNREACHABLE;
        }
        return Diagnosis.isWithoutCredentials(cause) ? CREDENTIALS : OTHER;
    }

    private static TableProblem ofResponse(DynamoDbException response) {
        String code = Diagnosis.code(response);
        if (Diagnosis.isAboutKey(response)) {
            return KEY;
        }
        if (Diagnosis.ACCESS_DENIED.contains(code)) {
            return DENIED;
        }
        if (Diagnosis.BAD_CREDENTIALS.contains(code)) {
            return CREDENTIALS;
        }
        return switch (code) {
            case "ResourceNotFoundException" -> MISSING;
            case "ValidationException" -> UNFIT;
            default -> response.statusCode() >= 500 || response.isThrottlingException() ? UNAVAILABLE : OTHER;
        };
    }
}
