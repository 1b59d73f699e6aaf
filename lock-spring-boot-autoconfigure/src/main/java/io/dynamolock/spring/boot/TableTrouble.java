/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.boot.DynamolockProperties.Table;
import io.dynamolock.spring.boot.DynamolockProperties.Table.Initialization;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Why a table cannot be used when the application starts, and what helps. */
enum TableTrouble {

    /** It is not there, or has other keys. */
    UNFIT(
            "Name in {table.name} a table that is there in {client.region} and has the keys {table.partition-key} and"
                    + " {table.sort-key}, or set {table.initialization} = create to have one made.",
            "Set {table.partition-key} and {table.sort-key} to what the table has, or name another one in {table.name}."),

    /** The credentials allow too little. */
    DENIED(
            "Grant the credentials what they lack on this table.",
            "Grant the credentials what they lack on this table, or make the table by other means and set"
                    + " {table.initialization} = none, which needs no more rights than locks do."),

    /** There are no credentials, or AWS does not know them. */
    CREDENTIALS(
            "Set {client.access-key} and {client.secret-key}, give the process credentials where the AWS SDK looks for them, or"
                    + " correct those of the DynamoDbClient bean."),

    /** Nobody answers. */
    UNREACHABLE(
            "Look at {client.endpoint} and {client.region}, or at the DynamoDbClient bean if the application has one, and at"
                    + " the network on the way."),

    /** Anything else. */
    OTHER(
            "Look at {table.name}, at {client.region} and {client.endpoint}, or at the DynamoDbClient bean if the application"
                    + " has one.");

    private static final Set<String> DENIALS = Set.of("AccessDeniedException", "AccessDenied");
    private static final Set<String> BAD_CREDENTIALS = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "IncompleteSignatureException",
            "MissingAuthenticationTokenException",
            "ExpiredTokenException");

    private final String remedy;
    private final String remedyIfCreating;

    TableTrouble(String remedy, String remedyIfCreating) {
        this.remedy = remedy;
        this.remedyIfCreating = remedyIfCreating;
    }

    TableTrouble(String remedy) {
        this(remedy, remedy);
    }

    static TableTrouble of(RuntimeException failure) {
        if (failure.getCause() == null) {
            return UNFIT;
        }
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            TableTrouble found = ofCause(cause);
            if (found != OTHER) {
                return found;
            }
        }
        return OTHER;
    }

    private static TableTrouble ofCause(Throwable cause) {
        if (cause instanceof AwsServiceException answer) {
            return ofCode(
                    answer.awsErrorDetails() == null
                            ? ""
                            : answer.awsErrorDetails().errorCode());
        }
        if (cause instanceof IOException
                || cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException) {
            return UNREACHABLE;
        }
        boolean unknown = cause instanceof SdkClientException
                && String.valueOf(cause.getMessage()).contains("Unable to load credentials");
        return unknown ? CREDENTIALS : OTHER;
    }

    private static TableTrouble ofCode(String code) {
        if (DENIALS.contains(code)) {
            return DENIED;
        }
        if (BAD_CREDENTIALS.contains(code)) {
            return CREDENTIALS;
        }
        return code.equals("ResourceNotFoundException") || code.equals("ValidationException") ? UNFIT : OTHER;
    }

    InvalidLockPropertyException refusal(ManagerProperties manager, RuntimeException failure) {
        Table table = manager.values().table();
        String mode = table.initialization().name().toLowerCase(Locale.ROOT);
        PropertyKeys keys = manager.keys();
        String problem = keys.in("{table.name} = '%s' cannot be used ({table.initialization} = %s): "
                        .formatted(table.name(), mode))
                + keys.translated(String.valueOf(failure.getMessage()));
        boolean creates = table.initialization() == Initialization.CREATE;
        return new InvalidLockPropertyException(
                keys.of("table.name"), problem, keys.in(creates ? remedyIfCreating : remedy), failure);
    }
}
