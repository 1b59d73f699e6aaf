/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static io.dynamolock.dynamodb.FailedRequests.assertKind;
import static io.dynamolock.dynamodb.FailedRequests.failureOfAcquire;
import static io.dynamolock.dynamodb.FailedRequests.failureOfRead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockStoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Exceptions of failed requests. */
class StoreFailureTests extends FailingStore {

    @Test
    void failureNamesLockTableReasonAndCause() {
        http.always(Fault.serverError());

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(failure)
                .hasMessage("Acquiring lock 'job' in table '" + TABLE + "' at " + LocalDynamoDb.endpoint() + " failed:"
                        + " DynamoDB answered 500 (InternalServerError: Internal server error)")
                .hasCauseInstanceOf(SdkServiceException.class);
        assertThat(failure.lockName()).isEqualTo("job");
    }

    @ParameterizedTest
    @CsvSource({
        "500, InternalServerError, true, true, answered 500",
        "503, ServiceUnavailable, true, true, answered 503",
        "400, ProvisionedThroughputExceededException, false, true, throttled",
        "400, ThrottlingException, false, true, throttled",
        "400, RequestLimitExceeded, false, true, throttled",
        "400, TransactionConflictException, false, true, TransactionConflictException",
        "400, ReplicatedWriteConflictException, false, true, ReplicatedWriteConflictException",
        "400, AccessDeniedException, false, false, do not allow dynamodb:UpdateItem",
        "400, ResourceNotFoundException, false, false, does not exist in Region eu-west-1",
        "400, ValidationException, false, false, answered 400",
        "400, UnrecognizedClientException, false, false, does not accept the credentials",
        "400, ExpiredTokenException, false, false, does not accept the credentials",
        "413, RequestTooLarge, false, false, answered 413",
        "302, Moved, true, false, answered 302"
    })
    void dynamoDbErrorIsOneAttempt(int status, String type, boolean outcomeUnknown, boolean retryable, String text) {
        http.always(Fault.reject(status, type, "no"));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, outcomeUnknown, retryable);
        assertThat(failure).hasMessageContaining(text);
        assertThat(http.count("UpdateItem")).isOne();
    }

    /** AWS names it: the tags of a new table have a permission of their own. */
    @ParameterizedTest
    @CsvSource({
        "'User: u is not authorized to perform: dynamodb:TagResource on resource: t', dynamodb:TagResource",
        "'User: u is not authorized', dynamodb:UpdateItem"
    })
    void permissionThatIsMissingIsNamed(String message, String permission) {
        http.always(Fault.reject(400, "AccessDeniedException", message));

        assertThat(failureOfAcquire(store, GENEROUS))
                .hasMessageContaining("do not allow " + permission + " on table '" + TABLE + "'; grant it");
    }

    /** A permission on the table does not help, nor does another partition key. */
    @ParameterizedTest
    @CsvSource({
        "AccessDeniedException, 'KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: no'",
        "AccessDeniedException, 'User: u is not authorized to perform: kms:Decrypt on resource: k'",
        "ValidationException, 'KMS validation error: com.amazonaws.services.kms.model.DisabledException: key/1'",
        "KMSInvalidStateException, 'the key is disabled'"
    })
    void keyOfTableThatCannotBeUsedIsNamed(String type, String message) {
        http.always(Fault.reject(400, type, message));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("the key that encrypts table '" + TABLE + "' cannot be used");
        assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Signature expired: 20261127T1012Z is now earlier than", "Signature not yet current: 2026"})
    void wrongClockOfThisMachineIsToldAndRetried(String message) {
        http.always(Fault.reject(400, "InvalidSignatureException", message));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, false, true);
        assertThat(failure).hasMessageContaining("the clock of this machine").hasMessageContaining(message);
    }

    @Test
    void foreignResponseLeavesOutcomeUnknown() {
        http.always(Fault.response(502, "<html>Bad gateway</html>"));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, true, true);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"Attributes\":", "<html>\n  Sign in\u2028\u202e</html>"})
    void unreadableResponseLeavesOutcomeUnknown(String response) {
        http.always(Fault.response(200, response));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(failure)
                .message()
                .contains("the response cannot be read: it was cut off, or the endpoint is not DynamoDB's")
                .doesNotContain("\n", "\u2028", "\u202e");
        assertThat(http.count("UpdateItem")).isOne();
    }

    /** As of a proxy whose target is not ready: to the SDK, the write was applied, and there is no row. */
    @ParameterizedTest
    @CsvSource({"200, text/plain, ''", "204, '', ''", "200, application/json, '{\"status\":\"up\"}'"})
    void responseOfAnotherServerIsNotTheStores(int status, String contentType, String body) {
        http.always(Fault.response(status, contentType, body));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, true, true);
        assertThat(failure).hasMessageContaining("not DynamoDB's").hasMessageContaining("status " + status);
        assertKind(failureOfRead(store, GENEROUS), false, true);
        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> store.table().createIfMissing(GENEROUS))
                .withMessageContaining("not DynamoDB's");
    }

    /** As of a proxy that has forwarded the request and waits no longer. */
    @ParameterizedTest
    @CsvSource({
        "403, text/html, <html>Forbidden</html>",
        "408, text/plain, stream timeout",
        "429, application/json, '{\"message\":\"slow down\"}'"
    })
    void errorOfAnotherServerLeavesOutcomeUnknown(int status, String contentType, String body) {
        http.always(Fault.response(status, contentType, body));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, true, true);
        assertThat(failure.isAnswered()).isFalse();
        assertThat(failure).hasMessageContaining("not DynamoDB's").hasMessageContaining("status " + status);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @ParameterizedTest
    @MethodSource("exceptionsOfInterceptors")
    void exceptionOfInterceptorLeavesOutcomeUnknown(RuntimeException thrown) {
        DynamoDbClient intercepted = newClient(options ->
                options.overrideConfiguration(override -> override.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
                        throw thrown;
                    }
                })));

        LockStoreException failure = failureOfAcquire(storeOn(intercepted), GENEROUS);

        assertThat(failure.isOutcomeUnknown()).as("%s", failure).isTrue();
        assertThat(failure).hasMessageContaining(String.valueOf(thrown.getMessage()));
        assertThat(http.count("UpdateItem")).isOne();
    }

    static Stream<RuntimeException> exceptionsOfInterceptors() {
        return Stream.of(
                new RejectedExecutionException("rejected from java.util.concurrent.ThreadPoolExecutor@1[Terminated]"),
                new UncheckedIOException(new ConnectException("Connection refused")),
                new ConnectTimeoutException(),
                new IllegalStateException("the audit log is shut down"),
                failureOfAnotherService());
    }

    /** Of an interceptor's own client, with the name of the exception of an HTTP client. */
    @SuppressWarnings("serial")
    private static final class ConnectTimeoutException extends UncheckedIOException {

        ConnectTimeoutException() {
            super("no connection to the audit log", new IOException("timeout"));
        }
    }

    @Test
    void missingTableIsReported() {
        DynamoDbLockStore missing =
                DynamoDbLockStore.builder(client).tableName("missing").build();

        LockStoreException failure = failureOfAcquire(missing, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("table 'missing' does not exist in Region eu-west-1");
    }

    @Test
    void otherKeyIsReported() {
        DynamoDbLockStore other = DynamoDbLockStore.builder(client)
                .tableName(TABLE)
                .partitionKey("id")
                .build();

        LockStoreException failure = failureOfAcquire(other, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure)
                .hasMessageContaining(
                        "the keys do not match the key schema of the table; compare table '" + TABLE + "'");
    }

    @Test
    void missingCredentialsAreReported() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        DynamoDbClient anonymous = newClient(options -> options.credentialsProvider(none));

        LockStoreException failure = failureOfAcquire(storeOn(anonymous), GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("no AWS credentials were found");
        assertThat(http.attempts()).isEmpty();
    }

    /** As if the role that the client is to assume does not trust it. */
    @Test
    void failureOfCredentialsServiceIsNotThatOfTable() {
        DynamoDbClient client = newClient(options -> options.credentialsProvider(() -> {
            throw failureOfAnotherService();
        }));

        LockStoreException failure = failureOfAcquire(storeOn(client), GENEROUS);

        assertThat(failure.isAnswered()).isFalse();
        assertThat(failure)
                .hasMessageContaining("a service other than DynamoDB has failed")
                .hasMessageContaining("(AccessDenied: not authorized to perform sts:AssumeRole (Service: Sts")
                .hasMessageNotContaining("grant it");
        assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.CREDENTIALS);
        assertThat(http.attempts()).isEmpty();
    }

    private static AwsServiceException failureOfAnotherService() {
        return AwsServiceException.builder()
                .statusCode(403)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .serviceName("Sts")
                        .errorCode("AccessDenied")
                        .errorMessage("not authorized to perform sts:AssumeRole")
                        .build())
                .build();
    }

    @Test
    void failedReadLeavesNoUnknownOutcome() {
        http.next(Fault.serverError(), Fault.loseResponse(), Fault.hang(), Fault.denyAccess(), Fault.throttle());

        assertKind(failureOfRead(store, GENEROUS), false, true);
        assertKind(failureOfRead(store, GENEROUS), false, true);
        assertKind(failureOfRead(store, SHORT), false, true);
        LockStoreException denied = failureOfRead(store, GENEROUS);
        assertKind(denied, false, false);
        assertThat(denied)
                .hasMessageContaining("Reading lock 'job' in table '" + TABLE + "' at ")
                .hasMessageContaining("dynamodb:GetItem");
        assertKind(failureOfRead(store, GENEROUS), false, true);
        assertThat(http.count("GetItem")).isEqualTo(5);
    }
}
