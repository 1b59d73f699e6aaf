/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.ForeignLocks;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses names of other lock libraries, as the property {@code honor} has them. */
final class Libraries implements ITypeConverter<ForeignLocks>, Iterable<String> {

    @Override
    public ForeignLocks convert(String text) {
        return Stream.of(ForeignLocks.values())
                .filter(library -> name(library).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("expected one of " + names().toList() + " but was '" + text + "'"));
    }

    @Override
    public Iterator<String> iterator() {
        return names().iterator();
    }

    private static Stream<String> names() {
        return Stream.of(ForeignLocks.values()).map(Libraries::name);
    }

    private static String name(ForeignLocks library) {
        return library.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
