/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import software.amazon.awssdk.regions.Region;

/** Parses the name of a Region, which may be one that this version of the AWS SDK does not know. */
final class Regions implements ITypeConverter<Region> {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]+");

    @Override
    public Region convert(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is not a Region such as eu-west-1");
        }
        return Region.of(text);
    }
}
