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
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A detached lease as text, to be passed to another process. It is a secret: anyone who has it can resume the lease,
 * once.
 *
 * <p>The text identifies the lease; its end and its fencing token are only in its row. Without a
 * {@linkplain LockManagerBuilder#tokenKey key}, do not accept a token from anyone who must not hold the lock.
 *
 * @since 0.1
 */
public final class LeaseToken {

    private static final String PREFIX = "dynamolock-1.";

    /** Fits the longest fields that a token can have: a name of 2,048 bytes, a store and a lease id. */
    private static final int LONGEST_TEXT = 8_000;

    private final String store;
    private final String name;
    private final String leaseId;
    private final String check;

    private LeaseToken(String store, String name, String leaseId, String check) {
        this.store = store;
        this.name = name;
        this.leaseId = leaseId;
        this.check = check;
    }

    /** Creates a token, signed if a key is given. */
    static LeaseToken of(String store, String name, String leaseId, @Nullable TokenKey key) {
        String payload = payload(store, name, leaseId);
        return new LeaseToken(store, name, leaseId, key == null ? checksum(payload) : key.sign(payload));
    }

    /**
     * Parses a token. Its signature is verified when it is used.
     *
     * @param text the text, as {@link #asText()} returned it
     * @return the token
     * @throws IllegalArgumentException if the text is not a valid token; the message does not contain the text
     */
    public static LeaseToken parse(String text) {
        if (text == null || !text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("Not a lease token: it must start with '" + PREFIX + "'");
        }
        int end = text.lastIndexOf('.');
        if (text.length() > LONGEST_TEXT || end < PREFIX.length()) {
            throw new IllegalArgumentException("Not a lease token: it is too long or cut short");
        }
        LeaseToken token = read(text.substring(PREFIX.length(), end), text.substring(end + 1));
        if (!token.asText().equals(text) || (!token.isSigned() && !token.check.equals(checksum(token.payload())))) {
            throw corrupt();
        }
        LockNames.requireText(token.name);
        if (!Texts.isShowable(token.store)) {
            throw new IllegalArgumentException("Not a lease token: its store contains control characters");
        }
        return token;
    }

    private static LeaseToken read(String fields, String check) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(fields);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            return new LeaseToken(in.readUTF(), in.readUTF(), in.readUTF(), check);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw corrupt();
        }
    }

    private static IllegalArgumentException corrupt() {
        return new IllegalArgumentException("Not a lease token: it is cut short or corrupt");
    }

    private static String payload(String store, String name, String leaseId) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(store);
            out.writeUTF(name);
            out.writeUTF(leaseId);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    private static String checksum(String payload) {
        CRC32 checksum = new CRC32();
        checksum.update(payload.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    private String payload() {
        return payload(store, name, leaseId);
    }

    private boolean isSigned() {
        return check.length() == TokenKey.SIGNATURE_LENGTH;
    }

    /** Rejects a token that was not signed with this key or, if the key is null, a token that was signed. */
    void requireSignedBy(@Nullable TokenKey key) {
        if (key == null && isSigned()) {
            throw new IllegalArgumentException(
                    "The lease token on lock '%s' is signed, but this manager has no tokenKey"
                            .formatted(Texts.shown(name)));
        }
        if (key != null && !key.isSignatureOf(payload(), check)) {
            throw new IllegalArgumentException("The lease token on lock '%s' is not signed with this manager's tokenKey"
                    .formatted(Texts.shown(name)));
        }
    }

    /**
     * Returns the token as text: letters, digits, {@code . - _}.
     *
     * @return the secret
     */
    public String asText() {
        return payload() + "." + check;
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

    /** Shows the lock name, not the secret. */
    @Override
    public String toString() {
        return "LeaseToken[" + name + "]";
    }
}
