/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NativeDetector;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentLruCache;

/**
 * Converts values to text that is the same in every process, or rejects them. As the converter of the expressions, it
 * does so, too, for what they convert to text themselves, such as the operands of a concatenation.
 */
final class LockNameConverter implements TypeConverter {

    /** Longer names are not allowed, and checks of longer texts might take long. */
    private static final int LONGEST = 2_048;

    private static final int CACHED_NAMES = 256;
    private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);
    private static final String IDENTIFIERS = "[\\p{javaJavaIdentifierPart}.]";

    /**
     * What {@link Object#toString()} returns, but for one object in 32,768, whose hash code is shorter; the group is the
     * name of the class, unless it is an array's.
     */
    private static final Pattern HASH_CODE =
            Pattern.compile("(?:\\[(?:[BCDFIJSZ]|L%1$s++;)|(?<!%1$s)(%1$s++)(?:/0x[0-9a-f]+)?)@[0-9a-f]{5,8}(?!\\.?\\w)"
                    .formatted(IDENTIFIERS));

    private final TypeConverter standard = new StandardTypeConverter();
    private final ClassLoader loader;
    private final ConcurrentLruCache<String, Boolean> classes;

    /**
     * Creates a converter.
     *
     * @param loader the loader of the application's classes
     */
    LockNameConverter(@Nullable ClassLoader loader) {
        this.loader = loader == null ? Objects.requireNonNull(ClassUtils.getDefaultClassLoader()) : loader;
        this.classes = new ConcurrentLruCache<>(CACHED_NAMES, this::isClass);
    }

    ClassLoader loader() {
        return loader;
    }

    /** Returns the text of the result of an expression. */
    String of(@Nullable Object value) {
        Object given = present(value, "evaluates to");
        String text = given.toString();
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "evaluates to text of %,d characters; at most %,d are allowed",
                    text.length(),
                    LONGEST));
        }
        return checked(text, given, "evaluates to");
    }

    /** Returns the text of an operand of a concatenation, which is that of SpEL. */
    String ofOperand(@Nullable Object value) {
        Object given = present(value, "evaluates to");
        return given instanceof String text ? checked(text, given, "evaluates to") : converted(given, null);
    }

    private String converted(Object value, @Nullable TypeDescriptor source) {
        TypeDescriptor type = source == null ? TypeDescriptor.forObject(value) : source;
        Object converted = standard.canConvert(type, STRING) ? standard.convertValue(value, type, STRING) : value;
        return checked(String.valueOf(converted), value, "contains");
    }

    private String checked(String text, Object given, String what) {
        if (!isPlain(given)) {
            ShownParts.requireSameInEachProcess(given, text, what);
        }
        String hashCode = text.indexOf('@') < 0 ? null : findHashCode(text);
        if (hashCode != null) {
            throw new IllegalArgumentException(
                    "%s a value of type %s, whose text has a hash code that differs in each process, %s; use a property of it, or override toString()"
                            .formatted(what, given.getClass().getTypeName(), hashCode));
        }
        return text;
    }

    /** Returns whether a value is of a frequent type without parts. */
    private static boolean isPlain(Object value) {
        return value instanceof String || value instanceof Number || value instanceof UUID || value instanceof Enum;
    }

    private static Object present(@Nullable Object value, String what) {
        Object given = unwrapped(value);
        if (given == null) {
            throw new IllegalArgumentException(what + " null");
        }
        return given;
    }

    /**
     * Returns what an optional or a value class contains, which may be another one; null if that is empty. Other values
     * stay.
     */
    static @Nullable Object unwrapped(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return unwrapped(optional.orElse(null));
        }
        if (value instanceof OptionalInt optional) {
            return optional.isPresent() ? optional.getAsInt() : null;
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof OptionalDouble optional) {
            return optional.isPresent() ? optional.getAsDouble() : null;
        }
        Object content = ValueClasses.contentOf(value);
        return content == value ? value : unwrapped(content);
    }

    /** Looks at the text rather than the type: a proxy or a collection shows the hash code of another object. */
    private @Nullable String findHashCode(String text) {
        Matcher found = HASH_CODE.matcher(text);
        while (found.find()) {
            String name = found.group(1);
            if (name == null || name.contains("$Proxy") || (name.indexOf('.') > 0 && classes.get(name))) {
                return found.group();
            }
        }
        return null;
    }

    /**
     * Returns whether this is the name of a class of the application, or begins with one and {@code $}. Does not load
     * it: class loaders never forget a name, and callers may choose it.
     */
    private boolean isClass(String name) {
        int nested = name.indexOf('$', 1);
        String outer = nested < 0 ? name : name.substring(0, nested);
        return NativeDetector.inNativeImage()
                ? ClassUtils.isPresent(name, loader)
                : loader.getResource(outer.replace('.', '/') + ".class") != null;
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
        return target.getType() == String.class || standard.canConvert(source, target);
    }

    @Override
    public @Nullable Object convertValue(
            @Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
        if (value == null || value instanceof String || target.getType() != String.class) {
            return standard.convertValue(value, source, target);
        }
        Object given = present(value, "contains");
        return converted(given, given == value ? source : null);
    }
}
