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

/**
 * The maximum number of connections of a client. Its configuration does not contain it; the metrics of a request do.
 */
final class ConnectionLimit implements MetricPublisher {

    private static final int UNKNOWN = 0;

    private final DynamoDbClient client;
    private volatile int connections = UNKNOWN;

    ConnectionLimit(DynamoDbClient client) {
        this.client = client;
    }

    /** Makes a request report its metrics here as well. The publishers of a request replace those of the client. */
    void observe(AwsRequestOverrideConfiguration.Builder request) {
        try {
            client.serviceClientConfiguration()
                    .overrideConfiguration()
                    .metricPublishers()
                    .forEach(request::addMetricPublisher);
            request.addMetricPublisher(this);
        } catch (UnsupportedOperationException hidden) {
            // A wrapper that does not reveal its publishers keeps them
        }
    }

    /** Empty before a request has reported it, and for clients that do not count their connections. */
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
        // Nothing to close
    }
}
