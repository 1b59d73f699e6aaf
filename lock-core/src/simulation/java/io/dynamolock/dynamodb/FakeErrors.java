/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Exceptions of the table, as the SDK throws them; without stack traces, which would cost more than the request. */
final class FakeErrors {

    private FakeErrors() {}

    static DynamoDbException validation(String message) {
        return (DynamoDbException) DynamoDbException.builder()
                .message(message)
                .statusCode(400)
                .awsErrorDetails(details("ValidationException", message))
                .writableStackTrace(false)
                .build();
    }

    static ConditionalCheckFailedException rejected(Map<String, AttributeValue> item) {
        return ConditionalCheckFailedException.builder()
                .item(item)
                .message("The conditional request failed")
                .statusCode(400)
                .awsErrorDetails(details("ConditionalCheckFailedException", "The conditional request failed"))
                .writableStackTrace(false)
                .build();
    }

    static TransactionCanceledException cancelled(List<CancellationReason> reasons) {
        return TransactionCanceledException.builder()
                .cancellationReasons(reasons)
                .message("Transaction cancelled")
                .statusCode(400)
                .awsErrorDetails(details("TransactionCanceledException", "Transaction cancelled"))
                .writableStackTrace(false)
                .build();
    }

    static DynamoDbException tokenUsedForAnother() {
        return IdempotentParameterMismatchException.builder()
                .message("The token was used for another request")
                .statusCode(400)
                .awsErrorDetails(details("IdempotentParameterMismatchException", "used for another request"))
                .writableStackTrace(false)
                .build();
    }

    static DynamoDbException noSuchTable() {
        return ResourceNotFoundException.builder()
                .message("Cannot do operations on a non-existent table")
                .statusCode(400)
                .awsErrorDetails(details("ResourceNotFoundException", "Cannot do operations on a non-existent table"))
                .writableStackTrace(false)
                .build();
    }

    private static AwsErrorDetails details(String code, String message) {
        return AwsErrorDetails.builder()
                .errorCode(code)
                .errorMessage(message)
                .serviceName("DynamoDb")
                .build();
    }
}
