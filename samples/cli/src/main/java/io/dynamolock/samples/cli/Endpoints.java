/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the URL of an endpoint. */
final class Endpoints implements ITypeConverter<URI> {

    @Override
    public URI convert(String text) {
        try {
            URI endpoint = new URI(text);
            if (endpoint.getHost() != null
                    && String.valueOf(endpoint.getScheme()).matches("(?i)https?")) {
                return endpoint;
            }
        } catch (URISyntaxException malformed) {
            // reported as any other text that is no URL
        }
        throw new TypeConversionException("'" + text + "' is not a URL such as http://localhost:8000");
    }
}
