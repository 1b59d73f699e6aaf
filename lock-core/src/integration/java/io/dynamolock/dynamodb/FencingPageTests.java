/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.utils.Md5Utils;

/** FENCING.md shows code of this file, which is compiled and run. */
class FencingPageTests {

    private static final Pattern RECIPE =
            Pattern.compile("// tag::(\\w+)\\[]\\R(.*?)\\h*// end::\\1\\[]", Pattern.DOTALL);
    private static final Pattern SHOWN = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    private final DynamoDbClient client = LocalDynamoDb.client();
    private final String locksTable = LocalDynamoDb.newTable();
    private final String dataTable = LocalDynamoDb.newTable();
    private final LockManager locks = manager();
    private final LockManager rival = manager();
    private final Lease old = locks.tryAcquire("job").orElseThrow();

    private LockManager manager() {
        return LockManager.builder(
                        DynamoDbLockStore.builder(client).tableName(locksTable).build())
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    private Lease takeOver() {
        assertThat(rival.forceRelease("job", old.id())).isTrue();
        return rival.tryAcquire("job").orElseThrow();
    }

    @AfterEach
    void close() {
        locks.close();
        rival.close();
    }

    @Test
    void pageShowsTheTestedCode() throws IOException {
        String source = Files.readString(Path.of("src/integration/java/io/dynamolock/dynamodb/FencingPageTests.java"));
        String page = Files.readString(Path.of("FENCING.md"));

        List<String> recipes = RECIPE.matcher(source)
                .results()
                .map((MatchResult recipe) ->
                        recipe.group(2).stripTrailing().stripIndent().strip())
                .toList();
        List<String> shown = SHOWN.matcher(page)
                .results()
                .map((MatchResult code) -> code.group(1).strip())
                .toList();

        assertThat(shown).isEqualTo(recipes).hasSize(5);
    }

    @Test
    void transactionIsCancelledUnlessLeaseHoldsItsLock() {
        ConditionCheck prepared = Fencing.conditionCheck(old);
        store(old, order("first"));
        Lease next = takeOver();
        store(next, order("second"));

        assertThatThrownBy(() -> store(old, order("late"))).isInstanceOf(TransactionCanceledException.class);
        TransactWriteItem late =
                TransactWriteItem.builder().conditionCheck(prepared).build();
        assertThatThrownBy(() -> client.transactWriteItems(one -> one.transactItems(late)))
                .isInstanceOf(TransactionCanceledException.class);
        assertThat(stored()).isEqualTo("second");
    }

    private void store(Lease lease, Put order) {
        // tag::transaction[]
        TransactWriteItem held = TransactWriteItem.builder()
                .conditionCheck(Fencing.conditionCheck(lease))
                .build();
        TransactWriteItem write = TransactWriteItem.builder().put(order).build();
        client.transactWriteItems(transaction -> transaction.transactItems(held, write));
        // end::transaction[]
    }

    private Put order(String text) {
        return Put.builder()
                .tableName(dataTable)
                .item(Map.of("lockName", AttributeValue.fromS("order"), "orderText", AttributeValue.fromS(text)))
                .build();
    }

    @Test
    void enhancedClientBehavesTheSame() {
        storeEnhanced(old, document("first"));
        Lease next = takeOver();
        storeEnhanced(next, document("second"));

        assertThatThrownBy(() -> storeEnhanced(old, document("late"))).isInstanceOf(TransactionCanceledException.class);
        assertThat(stored()).isEqualTo("second");
    }

    private void storeEnhanced(Lease lease, EnhancedDocument order) {
        DynamoDbEnhancedClient enhancedClient =
                DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
        DynamoDbTable<EnhancedDocument> orders = RawItems.documents(enhancedClient, dataTable);
        // tag::enhanced[]
        TransactWriteItemsEnhancedRequest.Builder transaction =
                TransactWriteItemsEnhancedRequest.builder().addPutItem(orders, order);
        enhancedClient.transactWriteItems(Fencing.addTo(transaction, lease).build());
        // end::enhanced[]
    }

    private static EnhancedDocument document(String text) {
        return EnhancedDocument.builder()
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .putString("lockName", "order")
                .putString("orderText", text)
                .build();
    }

    @Test
    void itemRejectsSmallerToken() {
        update(old, "first");
        update(old, "first again");
        Lease next = takeOver();
        update(next, "second");

        assertThatThrownBy(() -> update(old, "late")).isInstanceOf(ConditionalCheckFailedException.class);
        assertThat(stored()).isEqualTo("second");
    }

    private void update(Lease lease, String text) {
        Map<String, AttributeValue> key = Map.of("lockName", AttributeValue.fromS("order"));
        AttributeValue value = AttributeValue.fromS(text);
        // tag::item[]
        Expression allowed = Fencing.notFencedOff(lease, "fence"); // brings #fence, and the token as :fence
        Map<String, AttributeValue> values = new HashMap<>(allowed.expressionValues());
        values.put(":text", value);
        client.updateItem(update -> update.tableName(dataTable)
                .key(key)
                .updateExpression("SET orderText = :text, #fence = :fence")
                .conditionExpression(allowed.expression())
                .expressionAttributeNames(allowed.expressionNames())
                .expressionAttributeValues(values));
        // end::item[]
    }

    private String stored() {
        return client.getItem(get -> get.tableName(dataTable).key(Map.of("lockName", AttributeValue.fromS("order"))))
                .item()
                .getOrDefault("orderText", AttributeValue.fromS(""))
                .s();
    }

    @Test
    void databaseRowRejectsSmallerToken() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:fencing");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, state VARCHAR(20))");
            statement.execute("INSERT INTO orders VALUES (4711, 'new')");
            statement.execute("ALTER TABLE orders ADD COLUMN fence BIGINT NOT NULL DEFAULT 0");
            pay(connection, old, "first");
            pay(connection, old, "first again");
            Lease next = takeOver();
            pay(connection, next, "second");

            assertThatThrownBy(() -> pay(connection, old, "late")).isInstanceOf(ConcurrentModificationException.class);
            try (ResultSet orders = statement.executeQuery("SELECT state, fence FROM orders")) {
                assertThat(orders.next()).isTrue();
                assertThat(orders.getString("state")).isEqualTo("second");
                assertThat(orders.getLong("fence")).isEqualTo(next.fencingToken());
            }
        }
    }

    private static void pay(Connection connection, Lease lease, String state) throws SQLException {
        int id = 4711;
        // tag::jdbc[]
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE orders SET state = ?, fence = ? WHERE id = ? AND fence <= ?")) {
            update.setString(1, state);
            update.setLong(2, lease.fencingToken());
            update.setInt(3, id);
            update.setLong(4, lease.fencingToken());
            if (update.executeUpdate() == 0) {
                throw new ConcurrentModificationException("a later holder was here");
            }
        }
        // end::jdbc[]
    }

    @Test
    void changedObjectRejectsWrite() {
        Bucket bucket = new Bucket();
        try (S3Client s3 = S3Client.builder()
                .httpClient(bucket)
                .serviceConfiguration(settings -> settings.chunkedEncodingEnabled(false))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "secret")))
                .build()) {
            write(s3, old, "first");
            write(s3, old, "first again");
            Lease next = takeOver();
            bucket.beforeNextPut = () -> write(s3, next, "first again");

            assertThatThrownBy(() -> write(s3, old, "overtaken between looking and writing"))
                    .isInstanceOf(S3Exception.class)
                    .hasMessageContaining("412");
            assertThatThrownBy(() -> write(s3, old, "late")).isInstanceOf(ConcurrentModificationException.class);
            assertThat(bucket.content).isEqualTo(next.fencingToken() + "\nfirst again");
            write(s3, next, "second");
            assertThat(bucket.content).isEqualTo(next.fencingToken() + "\nsecond");
        }
    }

    private static void write(S3Client s3, Lease lease, String text) {
        String bucket = "reports";
        String key = "daily.csv";
        // tag::s3[]
        ResponseBytes<GetObjectResponse> seen =
                s3.getObjectAsBytes(get -> get.bucket(bucket).key(key));
        long fence = Long.parseLong(seen.asUtf8String().lines().findFirst().orElse("0"));
        if (fence > lease.fencingToken()) {
            throw new ConcurrentModificationException("a later holder was here");
        }
        RequestBody body = RequestBody.fromString(lease.fencingToken() + "\n" + text);
        s3.putObject(put -> put.bucket(bucket).key(key).ifMatch(seen.response().eTag()), body);
        // end::s3[]
    }

    /** A minimal S3 that holds one object, whose ETag depends on nothing but its content. */
    private static final class Bucket implements SdkHttpClient {

        Runnable beforeNextPut = () -> {};
        private String content = "";

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            SdkHttpRequest http = request.httpRequest();
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() throws IOException {
                    return http.method() == SdkHttpMethod.GET ? response(200, content) : put(request);
                }

                @Override
                public void abort() {
                    // takes no time
                }
            };
        }

        private HttpExecuteResponse put(HttpExecuteRequest request) throws IOException {
            Runnable before = beforeNextPut;
            beforeNextPut = () -> {};
            before.run();
            if (!request.httpRequest()
                    .firstMatchingHeader("If-Match")
                    .orElse("")
                    .equals(eTag())) {
                return response(412, "");
            }
            try (InputStream body =
                    request.contentStreamProvider().orElseThrow().newStream()) {
                content = new String(body.readAllBytes(), UTF_8);
            }
            return response(200, "");
        }

        private String eTag() {
            return '"' + Md5Utils.md5AsBase64(content.getBytes(UTF_8)) + '"';
        }

        private HttpExecuteResponse response(int status, String body) {
            return HttpExecuteResponse.builder()
                    .response(SdkHttpResponse.builder()
                            .statusCode(status)
                            .putHeader("ETag", eTag())
                            .putHeader("Content-Length", Integer.toString(body.length()))
                            .build())
                    .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body.getBytes(UTF_8))))
                    .build();
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
