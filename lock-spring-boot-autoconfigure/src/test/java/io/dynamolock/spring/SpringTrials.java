/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.TrialJvms;
import io.micrometer.context.ContextRegistry;

/** The main class of the {@link TrialJvms} of this module. */
final class SpringTrials {

    private SpringTrials() {}

    public static void main(String[] none) {
        // The accessor of this class loader cannot read the scopes of another one
        if (!ContextRegistry.getInstance().removeThreadLocalAccessor(LockScope.CONTEXT_KEY)) {
            throw new IllegalStateException("There is no accessor of scopes");
        }
        TrialJvms.serve(SpringMutantTests.all().toList());
    }
}
