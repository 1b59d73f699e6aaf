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
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/** DynamoDB Local in this JVM: started when it is first asked for, empty, and there until the JVM ends. */
public final class LocalDynamoDb {

    /** The Region of all clients. */
    public static final Region REGION = Region.EU_WEST_1;

    private static final AtomicInteger tables = new AtomicInteger();

    private LocalDynamoDb() {}

    /**
     * Returns where it listens.
     *
     * @return the endpoint for clients
     */
    public static URI endpoint() {
        return Server.ENDPOINT;
    }

    /**
     * Returns a client that all tests share, with the SDK's default settings.
     *
     * @return the client, not to be closed
     */
    public static DynamoDbClient client() {
        return Shared.CLIENT;
    }

    /**
     * Starts a client of one's own, to be closed by the caller.
     *
     * @return its builder: endpoint, Region and credentials are set, the HTTP client is not
     */
    public static DynamoDbClientBuilder newClient() {
        return newClient(endpoint());
    }

    /** For another process, which has no server of its own. */
    static DynamoDbClientBuilder newClient(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "secret")));
    }

    /**
     * Starts an HTTP client as applications have it, to be closed by the caller.
     *
     * @return the client
     */
    public static SdkHttpClient newHttpClient() {
        return Apache5HttpClient.builder().maxConnections(100).build();
    }

    /**
     * Makes up a table name that no other test has.
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
        TableLayout layout =
                new TableLayout(name, REGION.id(), "lockName", null, null, "ttl", DynamoDbLockStore.DEFAULT_RETENTION);
        NewTable settings = new NewTable(null, false, false, Map.of());
        new LockTable(client(), layout, settings, new BriefWaiting()).createIfMissing(Duration.ofMinutes(1));
        return name;
    }

    /** A local table is there at once: a pause of seconds, meant for a real one, takes milliseconds. */
    private static final class BriefWaiting implements Waiting {

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
            connector.setHost("127.0.0.1"); // by default it listens on every address of the machine
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
