/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Validates lock names, and maps them to stored names with a prefix. */
record LockNames(String prefix) {

    /** DynamoDB's limit for a partition key. */
    private static final int LONGEST = 2048;

    /** The subject of messages. */
    private static final String SUBJECT = "A lock name";

    static void requireText(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw rejected("must not be " + (name == null ? "null" : "empty"), name, null);
        }
        if (isBlank(name)) {
            throw rejected("must not be blank", name, "is '%s'".formatted(Texts.shown(name)));
        }
        Texts.requireShowable("name", SUBJECT, name);
    }

    /** Rejects a prefix that leaves no room for a lock name. */
    static void requirePrefix(String prefix) {
        Texts.requireShowable("namePrefix", prefix);
        int bytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (bytes >= LONGEST) {
            throw new InvalidSettingException(
                    "namePrefix", "must be shorter than 2,048 bytes in UTF-8", prefix, "namePrefix", Texts.has(bytes));
        }
    }

    private static InvalidSettingException rejected(String rule, @Nullable String name, @Nullable String found) {
        return new InvalidSettingException("name", rule, name, SUBJECT, found);
    }

    private static boolean isBlank(String name) {
        int visible = 0;
        while (visible < name.length() && isInvisible(name.codePointAt(visible))) {
            visible += Character.charCount(name.codePointAt(visible));
        }
        return visible == name.length();
    }

    /**
     * Whether a code point is white space, of which {@link String#isBlank()} does not know all kinds, or has no width.
     */
    private static boolean isInvisible(int codePoint) {
        return Character.isWhitespace(codePoint)
                || Character.isSpaceChar(codePoint)
                || Character.isISOControl(codePoint)
                || Character.getType(codePoint) == Character.FORMAT;
    }

    String toStored(String name) {
        requireText(name);
        String storedName = prefix.isEmpty() ? name : prefix + name;
        if (storedName.length() * 3 > LONGEST) {
            int bytes = storedName.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST) {
                throw rejected(
                        "must not exceed 2,048 bytes in UTF-8 (prefix included)",
                        name,
                        String.format(Locale.ROOT, "'%.40s...' has %,d", name, bytes));
            }
        }
        return storedName;
    }

    /** The lock name of a stored one; null if it has another prefix. */
    @Nullable
    String fromStored(String storedName) {
        return storedName.startsWith(prefix) && storedName.length() > prefix.length()
                ? storedName.substring(prefix.length())
                : null;
    }
}
