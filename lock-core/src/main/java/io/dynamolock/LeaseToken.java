/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A detached lease as text, to be carried to another process. It is a secret: whoever has it can resume the lease, once.
 *
 * @since 0.1
 */
public final class LeaseToken {

    private static final String PREFIX = "dynamolock-1.";

    private final String store;
    private final String name;
    private final String leaseId;
    private final long fencingToken;
    private final Duration leaseDuration;

    LeaseToken(String store, String name, String leaseId, long fencingToken, Duration leaseDuration) {
        this.store = store;
        this.name = name;
        this.leaseId = leaseId;
        this.fencingToken = fencingToken;
        this.leaseDuration = leaseDuration;
    }

    /** The same, to be outbid by nothing that a row shows. */
    LeaseToken above(@Nullable LockRow row) {
        long highest = row == null ? 0 : row.highestToken();
        return new LeaseToken(store, name, leaseId, Math.max(fencingToken, highest), leaseDuration);
    }

    /**
     * Reads a token.
     *
     * @param text what {@link #asText()} gave
     * @return the token
     * @throws IllegalArgumentException if it is not one; the message does not repeat the text
     */
    public static LeaseToken parse(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("Not a lease token: it must start with '" + PREFIX + "'");
        }
        try {
            String fields = text.substring(PREFIX.length(), Math.max(PREFIX.length(), text.lastIndexOf('.')));
            byte[] bytes = Base64.getUrlDecoder().decode(fields);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            LeaseToken token = new LeaseToken(
                    in.readUTF(), in.readUTF(), in.readUTF(), in.readLong(), Duration.ofMillis(in.readLong()));
            if (token.leaseDuration.toMillis() < 1 || !token.asText().equals(text)) {
                throw new IllegalArgumentException("Not a lease token: it is damaged");
            }
            return token;
        } catch (IOException | IllegalArgumentException damaged) {
            throw new IllegalArgumentException("Not a lease token: it is cut short or damaged");
        }
    }

    /**
     * Gives the token as text: letters, digits, {@code . - _}.
     *
     * @return the secret
     */
    public String asText() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(store);
            out.writeUTF(name);
            out.writeUTF(leaseId);
            out.writeLong(fencingToken);
            out.writeLong(leaseDuration.toMillis());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        CRC32 checksum = new CRC32();
        checksum.update(bytes.toByteArray());
        String fields = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
        return PREFIX + fields + "." + Long.toHexString(checksum.getValue());
    }

    String store() {
        return store;
    }

    String name() {
        return name;
    }

    String leaseId() {
        return leaseId;
    }

    long fencingToken() {
        return fencingToken;
    }

    Duration leaseDuration() {
        return leaseDuration;
    }

    /** Names the lock, not the secret. */
    @Override
    public String toString() {
        return "LeaseToken[" + name + "]";
    }
}
