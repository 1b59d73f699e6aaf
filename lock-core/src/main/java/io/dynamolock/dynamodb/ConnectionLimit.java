/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.OptionalInt;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** How many connections a client may have at once. Its configuration does not contain this; the metrics of a request do. */
final class ConnectionLimit implements MetricPublisher {

    private static final int UNKNOWN = 0;

    private final DynamoDbClient client;
    private volatile int connections = UNKNOWN;

    ConnectionLimit(DynamoDbClient client) {
        this.client = client;
    }

    /** Makes a request report its metrics here, too. A request's publishers take the place of the client's. */
    void askWith(AwsRequestOverrideConfiguration.Builder request) {
        try {
            client.serviceClientConfiguration()
                    .overrideConfiguration()
                    .metricPublishers()
                    .forEach(request::addMetricPublisher);
            request.addMetricPublisher(this);
        } catch (UnsupportedOperationException notTold) {
            // A wrapper that does not show its publishers keeps them
        }
    }

    /** Empty while no request has told, and for clients that do not count their connections. */
    OptionalInt connections() {
        return connections == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(connections);
    }

    @Override
    public void publish(MetricCollection metrics) {
        metrics.metricValues(HttpMetric.MAX_CONCURRENCY).forEach(max -> connections = max);
        metrics.children().forEach(this::publish);
    }

    @Override
    public void close() {
        // Nothing is kept open
    }
}
