/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** The main class of the {@link TrialJvms} of this module. */
final class CoreTrials {

    private CoreTrials() {}

    public static void main(String[] none) {
        TrialJvms.serve(MutantTests.all().toList());
    }
}
