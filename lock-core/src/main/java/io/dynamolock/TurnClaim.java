/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The claim of a waiting process on the next turn, in the row of a lock that it has seen change hands. Once the holder
 * has released the lock, no other process acquires it for a short window. A claim never lets a process acquire a lock
 * that is held.
 *
 * <p>Its text is the highest fencing token that the process saw when it began to wait, the window in milliseconds, at
 * most 9,999, and a random id of the process. So texts are ordered by seniority: a smaller one has waited longer. A
 * text of another form reserves nothing.
 *
 * @param text as it is stored
 * @since 0.1
 */
public record TurnClaim(String text) {

    private static final Pattern FORM = Pattern.compile("(\\d{16})/(\\d{1,4})/(.{1,100})", Pattern.DOTALL);

    static TurnClaim of(long since, Duration window, String claimant) {
        return new TurnClaim(String.format(Locale.ROOT, "%016d/%d/%s", since, window.toMillis(), claimant));
    }

    /** Whether the text has the form of a claim; another one reserves nothing. */
    boolean isValid() {
        return form().matches();
    }

    boolean isBy(String claimant) {
        Matcher form = form();
        return form.matches() && form.group(3).equals(claimant);
    }

    /** Whether the claimant has waited longer than one that has waited since this token. */
    boolean isAtLeastAsOldAs(long since) {
        Matcher form = form();
        return form.matches() && Long.parseLong(form.group(1)) <= since;
    }

    /** Whether a store replaces a claim, of whatever form, by this one: only by a smaller text. */
    boolean replaces(@Nullable TurnClaim present) {
        return present == null || present.text().compareTo(text) > 0;
    }

    /** Returns for how long after its release the lock is reserved. */
    Duration window() {
        Matcher form = form();
        return form.matches() ? Duration.ofMillis(Long.parseLong(form.group(2))) : Duration.ZERO;
    }

    private Matcher form() {
        return FORM.matcher(text);
    }
}
