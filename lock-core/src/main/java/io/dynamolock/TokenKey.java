/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An application's key for lease tokens, which signs their text with HMAC-SHA-256. */
final class TokenKey {

    /** The length of 32 bytes in Base64 without padding. */
    static final int SIGNATURE_LENGTH = 43;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 32;

    private final SecretKeySpec key;

    TokenKey(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < SHORTEST) {
            throw new InvalidSettingException(
                    "tokenKey", "must have at least 32 bytes in UTF-8", null, "tokenKey", "has " + bytes.length);
        }
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    String sign(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, impossible);
        }
    }

    /** Compares in constant time. */
    boolean isSignatureOf(String text, String signature) {
        return MessageDigest.isEqual(
                sign(text).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }
}
