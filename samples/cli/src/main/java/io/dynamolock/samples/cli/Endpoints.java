/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the URL of an endpoint. */
final class Endpoints implements ITypeConverter<URI> {

    private static final List<String> VARIABLES = List.of("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL");

    /** Rejects a variable that the AWS SDK would read, but not explain. */
    static void requireValidEnvironment() {
        requireValid(System.getenv());
    }

    static void requireValid(Map<String, String> environment) {
        VARIABLES.stream().filter(environment::containsKey).findFirst().ifPresent(variable -> {
            try {
                new Endpoints().convert(environment.getOrDefault(variable, ""));
            } catch (TypeConversionException invalid) {
                throw new UsageException(variable + ": " + invalid.getMessage());
            }
        });
    }

    @Override
    public URI convert(String text) {
        try {
            URI endpoint = new URI(text);
            if (endpoint.getHost() != null
                    && String.valueOf(endpoint.getScheme()).matches("https?")) {
                return endpoint;
            }
        } catch (URISyntaxException malformed) {
            // reported as any other text that is no URL
        }
        throw new TypeConversionException("'" + text + "' is not a URL such as http://localhost:8000");
    }
}
