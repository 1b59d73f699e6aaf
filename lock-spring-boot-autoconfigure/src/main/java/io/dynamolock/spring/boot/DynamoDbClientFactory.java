/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.net.URI;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Creates the client of an application that defines none. Fails immediately if no Region or no credentials are found.
 */
final class DynamoDbClientFactory {

    static final String REGION = "client.region";
    private static final Pattern NAME_OF_REGION = Pattern.compile("[A-Za-z0-9-]+");
    static final String ENDPOINT = "client.endpoint";
    static final String ACCESS_KEY = "client.access-key";
    static final String SECRET_KEY = "client.secret-key";
    private static final boolean APACHE5 =
            ClassUtils.isPresent("software.amazon.awssdk.http.apache5.Apache5HttpClient", null);

    private final ObjectProvider<DynamoDbClientBuilderCustomizer> customizers;
    private final ObjectProvider<DynamolockConnectionDetails> connectionDetails;
    private final WebIdentity webIdentity = new WebIdentity();

    DynamoDbClientFactory(
            ObjectProvider<DynamoDbClientBuilderCustomizer> customizers,
            ObjectProvider<DynamolockConnectionDetails> connectionDetails) {
        this.customizers = customizers;
        this.connectionDetails = connectionDetails;
    }

    /**
     * Creates the client of a manager and of those that share it.
     *
     * @param connections the number of connections that all of them need
     */
    DynamoDbClient create(ManagerProperties manager, int connections) {
        DynamolockConnectionDetails details = connectionDetails.getIfAvailable(
                () -> new PropertiesConnectionDetails(manager.values().client()));
        PropertyKeys keys = manager.keys();
        DynamoDbClientBuilder builder = builder(region(details, keys), credentials(details, keys), connections);
        URI endpoint = details.getEndpoint();
        if (endpoint != null) {
            keys.require(
                    endpoint.isAbsolute() && endpoint.getHost() != null,
                    ENDPOINT,
                    endpoint,
                    "be an address such as http://localhost:8000");
            builder.endpointOverride(endpoint);
        }
        return build(builder);
    }

    private DynamoDbClient build(DynamoDbClientBuilder builder) {
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        try {
            return builder.build();
        } catch (SdkClientException failure) {
            if (!String.valueOf(failure.getMessage()).startsWith("Unable to load an HTTP implementation")) {
                throw failure;
            }
            throw new InvalidLockPropertyException(
                    "There is no HTTP client for the AWS SDK on the class path",
                    "Add software.amazon.awssdk:apache5-client to the dependencies, or set another one by a"
                            + " DynamoDbClientBuilderCustomizer.",
                    failure);
        }
    }

    private static DynamoDbClientBuilder builder(Region region, AwsCredentialsProvider credentials, int connections) {
        DynamoDbClientBuilder builder = DynamoDbClient.builder()
                .region(region)
                .credentialsProvider(credentials)
                .addPlugin(DynamoDbLockStore::configureClient);
        if (APACHE5) {
            Http.configure(builder, connections);
        }
        return builder;
    }

    private static Region region(DynamolockConnectionDetails details, PropertyKeys keys) {
        String region = details.getRegion();
        if (region != null) {
            keys.require(NAME_OF_REGION.matcher(region).matches(), REGION, region, "be a Region such as eu-west-1");
            return Region.of(region);
        }
        try {
            return new DefaultAwsRegionProviderChain().getRegion();
        } catch (SdkClientException unknown) {
            throw keys.rejection(
                    "{client.region} is not set, and the AWS SDK finds no Region either",
                    "Set {client.region} or the environment variable AWS_REGION, or define a DynamoDbClient bean."
                            + " In a test, set dynamolock.store = memory, or use @AutoConfigureTestLocks.",
                    unknown);
        }
    }

    private AwsCredentialsProvider credentials(DynamolockConnectionDetails details, PropertyKeys keys) {
        boolean access = StringUtils.hasText(details.getAccessKey());
        boolean secret = StringUtils.hasText(details.getSecretKey());
        if (access && secret) {
            return StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(details.getAccessKey(), details.getSecretKey()));
        }
        if (access || secret) {
            String missing = access ? SECRET_KEY : ACCESS_KEY;
            throw keys.rejection(
                    "{%s} is not set, but {%s} is".formatted(missing, access ? ACCESS_KEY : SECRET_KEY),
                    "Set both, or neither to use the credentials that the AWS SDK finds.",
                    null);
        }
        return found(keys);
    }

    private AwsCredentialsProvider found(PropertyKeys keys) {
        webIdentity.warnIfIgnored();
        DefaultCredentialsProvider provider =
                DefaultCredentialsProvider.builder().build();
        try {
            provider.resolveCredentials();
            return provider;
        } catch (SdkClientException none) {
            throw keys.rejection(
                    "{client.access-key} and {client.secret-key} are not set, and the AWS SDK finds no credentials either",
                    "Provide credentials where the AWS SDK looks for them (a role, a profile, AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY; for a web identity, as on EKS, add software.amazon.awssdk:sts), set the"
                            + " two properties, or define a DynamoDbClient bean.",
                    none);
        }
    }

    /** Sets the number of connections, for which the SDK has no common setting. Loaded only if the class is present. */
    private static final class Http {

        /** Default of the AWS SDK. */
        private static final int MIN_CONNECTIONS = 50;

        static void configure(DynamoDbClientBuilder builder, int connections) {
            builder.httpClientBuilder(
                    Apache5HttpClient.builder().maxConnections(Math.max(MIN_CONNECTIONS, connections)));
        }
    }
}
