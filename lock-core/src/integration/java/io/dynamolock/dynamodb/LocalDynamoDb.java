/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/** DynamoDB Local in this JVM: started on first use, empty, and running until the JVM ends. */
public final class LocalDynamoDb {

    /** The Region of all clients. */
    public static final Region REGION = Region.EU_WEST_1;

    private static final AtomicInteger tables = new AtomicInteger();

    private LocalDynamoDb() {}

    /**
     * Returns its endpoint.
     *
     * @return the endpoint for clients
     */
    public static URI endpoint() {
        return Server.ENDPOINT;
    }

    /**
     * Returns a client with the SDK's default settings that all tests share.
     *
     * @return the client, not to be closed
     */
    public static DynamoDbClient client() {
        return Shared.CLIENT;
    }

    /**
     * Starts building a client that the caller must close.
     *
     * @return its builder: endpoint, Region and credentials are set, the HTTP client is not
     */
    public static DynamoDbClientBuilder newClient() {
        return newClient(endpoint());
    }

    /**
     * Starts building an asynchronous client that the caller must close.
     *
     * @return its builder: endpoint, Region and credentials are set, the HTTP client is not
     */
    public static DynamoDbAsyncClientBuilder newAsyncClient() {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint())
                .region(REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "secret")));
    }

    /** Starts building a client for another process, which has no server. */
    static DynamoDbClientBuilder newClient(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "secret")));
    }

    /**
     * Creates an HTTP client as applications use it, which the caller must close.
     *
     * @return the client
     */
    public static SdkHttpClient newHttpClient() {
        return Apache5HttpClient.builder().maxConnections(100).build();
    }

    /**
     * Returns a unique table name.
     *
     * @return the name; there is no table yet
     */
    public static String newTableName() {
        return "locks-" + tables.incrementAndGet();
    }

    /**
     * Creates a table as the library does.
     *
     * @return its name
     */
    public static String newTable() {
        String name = newTableName();
        TableLayout layout = new TableLayout(
                name, REGION.id(), null, "lockName", null, null, "ttl", DynamoDbLockStore.DEFAULT_RETENTION);
        NewTable settings = new NewTable(null, false, false, Map.of());
        new LockTable(client(), layout, settings, HonoredLocks.NONE, new BriefClocks())
                .createIfMissing(Duration.ofMinutes(1));
        return name;
    }

    /** A local table is active immediately: a pause of seconds, meant for a real table, takes milliseconds. */
    private static final class BriefClocks implements Clocks {

        @Override
        public long nanoTime() {
            return REAL.nanoTime();
        }

        @Override
        public Instant wallTime() {
            return REAL.wallTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            REAL.sleep(time.dividedBy(50));
        }
    }

    private static final class Server {

        static final URI ENDPOINT = start();

        private static URI start() {
            LocalDynamoDBServerHandler handler =
                    new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, false, false), null);
            DynamoDBProxyServer server = new DynamoDBProxyServer(0, handler);
            ServerConnector connector = (ServerConnector) handler.getServer().getConnectors()[0];
            connector.setHost("127.0.0.1"); // the default is all addresses of the machine
            try {
                server.safeStart();
                return URI.create("http://localhost:" + connector.getLocalPort());
            } catch (Exception notStarted) {
                throw new IllegalStateException("DynamoDB Local does not start", notStarted);
            }
        }
    }

    private static final class Shared {

        static final DynamoDbClient CLIENT =
                newClient().httpClient(newHttpClient()).build();
    }
}
