/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ReplicatedWriteConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * The diagnosis of a failed request, from its exception.
 *
 * @param text the reason, and the remedy if one is known
 * @param maybeApplied whether the request may have reached the table
 * @param retryable whether it may succeed a moment later
 * @param answered whether DynamoDB rejected it, so that DynamoDB is reachable
 */
record Diagnosis(String text, boolean maybeApplied, boolean retryable, boolean answered) {

    private static final Pattern CONTROL_CHARACTERS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

    /** In the message of {@link ApiCallTimeoutException}, which reads like a setting. */
    private static final Pattern MILLIS = Pattern.compile("(\\d+) millis");

    /** In the messages of AWS: what is missing need not be the permission of the request. */
    private static final Pattern MISSING = Pattern.compile("not authorized to perform: ([a-z]+:\\w+)");

    static final Set<String> ACCESS_DENIED = Set.of("AccessDeniedException", "AccessDenied");

    static final Set<String> BAD_CREDENTIALS = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "IncompleteSignatureException",
            "MissingAuthenticationTokenException",
            "ExpiredTokenException");

    /** Begin the messages of AWS about a signature of the past and of the future. */
    private static final List<String> CLOCK_OFF = List.of("Signature expired", "Signature not yet current");

    /** Begins the names of the SDK's exceptions for a response that is no JSON. */
    private static final String NO_JSON = "Json";

    /** In the messages of the SDK's timer, and of the one for its requests about locks, once they are closed. */
    private static final List<String> CLOSED_TIMERS = List.of("ScheduledThreadPoolExecutor", "RequestTimer");

    private static final String FOREIGN = "the response is not DynamoDB's, but that of a proxy or of another server";

    /** Texts of others may have line breaks and control characters, which a log must not get from here. */
    Diagnosis {
        text = CONTROL_CHARACTERS.matcher(text).replaceAll(" ");
    }

    /** Of a request about a lock, which is {@linkplain OneAttempt one attempt}: its timeout is what was left for it. */
    static Diagnosis ofAttempt(RuntimeException failure, String action, TableLayout layout) {
        return of(failure, action, layout, "the last attempt had %s ms");
    }

    /** Of a request about the table, which the SDK retries until its timeout. */
    static Diagnosis ofRetried(RuntimeException failure, String action, TableLayout layout) {
        return of(failure, action, layout, "%s ms, including retries");
    }

    private static Diagnosis of(RuntimeException failure, String action, TableLayout layout, String limit) {
        if (failure instanceof DynamoDbException response) {
            return answered(response, action, layout);
        }
        if (failure instanceof AwsServiceException response) {
            return ofOtherService(response);
        }
        if (failure instanceof ApiCallTimeoutException || failure instanceof ApiCallAttemptTimeoutException) {
            return new Diagnosis("no response in time (" + limit(failure, limit) + ")", true, true, false);
        }
        if (failure instanceof AbortedException) {
            return new Diagnosis("the thread was interrupted", true, false, false);
        }
        boolean disconnected =
                hasCause(failure, cause -> cause instanceof IOException || HttpClientFailures.isOfConnection(cause));
        return disconnected ? disconnected(failure) : broken(failure);
    }

    private static String limit(RuntimeException timeout, String text) {
        String message = String.valueOf(timeout.getMessage());
        Matcher millis = MILLIS.matcher(message);
        return timeout instanceof ApiCallTimeoutException && millis.find() ? text.formatted(millis.group(1)) : message;
    }

    /** Of the client's credentials provider, before the request, or of an interceptor, perhaps after it. */
    private static Diagnosis ofOtherService(AwsServiceException response) {
        String text = "a service other than DynamoDB has failed; check the credentials provider and the interceptors of"
                + " the client (" + code(response) + ": " + response.getMessage() + ")";
        boolean retryable = response.statusCode() >= 500 || RetryUtils.isThrottlingException(response);
        return new Diagnosis(text, true, retryable, false);
    }

    private static Diagnosis answered(AwsServiceException response, String action, TableLayout layout) {
        int status = response.statusCode();
        if (isForeign(response)) {
            String text = FOREIGN + " (status " + status + ": " + message(response) + ")";
            return new Diagnosis(text, true, true, false);
        }
        boolean rejected = status >= 400 && status < 500;
        boolean transientTrouble = status >= 500
                || RetryUtils.isThrottlingException(response)
                || RetryUtils.isClockSkewException(response)
                || isClockOff(response)
                || response instanceof TransactionConflictException
                || response instanceof ReplicatedWriteConflictException;
        String text = hint(response, action, layout) + " (" + code(response) + ": " + message(response) + ")";
        return new Diagnosis(text, !rejected, transientTrouble, rejected);
    }

    /** Whether a proxy has sent it, perhaps after DynamoDB got the request: DynamoDB gives each error a code. */
    private static boolean isForeign(AwsServiceException response) {
        return response.awsErrorDetails() == null || response.awsErrorDetails().errorCode() == null;
    }

    /** As the message says: the SDK does not recognize it once it has counted the offset for its next request. */
    private static boolean isClockOff(AwsServiceException response) {
        return CLOCK_OFF.stream().anyMatch(message(response)::startsWith);
    }

    private static String hint(AwsServiceException response, String action, TableLayout layout) {
        String code = code(response);
        if (code.equals("ResourceNotFoundException")) {
            return layout.name() + " does not exist" + (layout.region() == null ? "" : " in Region " + layout.region())
                    + " for these credentials, or is not ready; create it, or let the library do so";
        }
        if (isAboutKey(response)) {
            return "the key that encrypts " + layout.name()
                    + " cannot be used; check its state and the permissions on it";
        }
        if (ACCESS_DENIED.contains(code)) {
            Matcher named = MISSING.matcher(message(response));
            String missing = named.find() ? named.group(1) : action;
            return "the credentials do not allow " + missing + " on " + layout.name() + "; grant it";
        }
        if (isClockOff(response)) {
            return "the clock of this machine differs from AWS's by more than five minutes; the SDK corrects for it in the next request";
        }
        if (BAD_CREDENTIALS.contains(code)) {
            return "AWS does not accept the credentials";
        }
        boolean ofItem = !action.equals("dynamodb:CreateTable"); // a new table has no other keys
        if (ofItem && code.equals("ValidationException") && message(response).contains("key")) {
            return otherKeys(layout);
        }
        return RetryUtils.isThrottlingException(response)
                ? "DynamoDB throttled the request"
                : "DynamoDB answered " + response.statusCode();
    }

    /** Whether the key that encrypts the table is denied, disabled or gone: then no request about a row succeeds. */
    static boolean isAboutKey(AwsServiceException response) {
        String text = message(response);
        return code(response).startsWith("KMS") || text.startsWith("KMS ") || text.contains("kms:");
    }

    static String otherKeys(TableLayout layout) {
        return "the keys do not match the key schema of the table; compare " + layout.name() + " with the settings";
    }

    private static Diagnosis disconnected(RuntimeException failure) {
        boolean neverSent = isOfHttpClient(failure, HttpClientFailures::isNotConnected);
        boolean noneFree = isOfHttpClient(failure, HttpClientFailures::isNoFreeConnection);
        // Some clients report an interrupted request like a broken connection
        boolean interrupted = Thread.currentThread().isInterrupted();
        String text = interrupted ? "the thread was interrupted" : disconnection(failure, neverSent, noneFree);
        return new Diagnosis(text + " (" + failure.getMessage() + ")", !neverSent && !noneFree, !interrupted, false);
    }

    private static String disconnection(RuntimeException failure, boolean neverSent, boolean noneFree) {
        if (noneFree) {
            return "the client had no free connection; raise its maxConnections, or lower maxConcurrentRequests";
        }
        if (neverSent) {
            return "DynamoDB cannot be reached";
        }
        if (hasCause(failure, ForeignResponseException.class::isInstance)) {
            return FOREIGN;
        }
        return hasCause(failure, cause -> cause.getClass().getSimpleName().startsWith(NO_JSON))
                ? "the response cannot be read: it was cut off, or the endpoint is not DynamoDB's"
                : "the connection failed";
    }

    private static Diagnosis broken(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        if (isWithoutCredentials(failure)) {
            String text = "no AWS credentials were found; configure them on the client, or where the SDK looks them up";
            return new Diagnosis(text + " (" + message + ")", false, false, false);
        }
        if (isClosed(failure)) {
            return new Diagnosis("the DynamoDB client is closed (" + message + ")", false, false, false);
        }
        boolean retryable = failure instanceof SdkException broken && broken.retryable();
        return new Diagnosis(failure.toString(), true, retryable, false);
    }

    static boolean isWithoutCredentials(Throwable failure) {
        return failure instanceof SdkClientException
                && String.valueOf(failure.getMessage()).contains("Unable to load credentials");
    }

    /** Whether the SDK's timer, or the HTTP client's connection pool, was closed before anything was sent. */
    private static boolean isClosed(RuntimeException failure) {
        return hasCause(failure, Diagnosis::isOfClosedTimer) || HttpClientFailures.isClosed(failure);
    }

    /** Other executors, of an asynchronous client or of an interceptor, reject work after the request was sent. */
    private static boolean isOfClosedTimer(Throwable cause) {
        return cause instanceof RejectedExecutionException
                && CLOSED_TIMERS.stream().anyMatch(String.valueOf(cause.getMessage())::contains);
    }

    /**
     * Whether the HTTP client has reported such an exception. One that an interceptor of the application throws, which
     * may be after the response, is neither the SDK's nor a checked one; texts of the SDK may quote it.
     */
    private static boolean isOfHttpClient(Throwable failure, Predicate<Throwable> kind) {
        for (Throwable cause = failure; cause != null && !isOfApplication(cause); cause = cause.getCause()) {
            boolean unchecked = cause instanceof RuntimeException && !HttpClientFailures.isOfCommonRuntime(cause);
            if (!unchecked && kind.test(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfApplication(Throwable cause) {
        return cause instanceof RuntimeException
                && !(cause instanceof SdkException)
                && !HttpClientFailures.isOfCommonRuntime(cause)
                && !(cause instanceof CompletionException);
    }

    static boolean hasCause(Throwable failure, Predicate<Throwable> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.test(cause)) {
                return true;
            }
        }
        return false;
    }

    static String code(AwsServiceException response) {
        AwsErrorDetails details = response.awsErrorDetails();
        return details == null || details.errorCode() == null ? "no error code" : details.errorCode();
    }

    private static String message(AwsServiceException response) {
        AwsErrorDetails details = response.awsErrorDetails();
        return details == null || details.errorMessage() == null
                ? String.valueOf(response.getMessage())
                : details.errorMessage();
    }
}
