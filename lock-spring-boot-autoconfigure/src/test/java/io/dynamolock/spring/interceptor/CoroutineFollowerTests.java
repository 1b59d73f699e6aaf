/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.JobKt;
import kotlinx.coroutines.NonCancellable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CoroutineFollowerTests {

    private final Occupancy method = new Occupancy();
    private final CoroutineFollower follower = new CoroutineFollower(method, () -> null, () -> {});

    /** As one of a scope that a method has made with its context, and that lives longer. */
    @Test
    void keepsNoCoroutineThatRunsAfterTheEnd() {
        assertThat(method.close().toCompletableFuture()).isCompleted();

        WeakReference<CompletableJob> coroutine = runCoroutine();

        Awaitility.await().until(() -> {
            System.gc();
            return coroutine.get() == null;
        });
    }

    /** It never ends, and may continue on a thread as part of any coroutine. */
    @Test
    void doesNotWaitForPartThatCannotBeCancelled() {
        CompletableJob coroutine = JobKt.Job(null);
        follower.updateThreadContext(coroutine);
        follower.updateThreadContext(NonCancellable.INSTANCE);
        coroutine.complete();

        assertThat(method.close().toCompletableFuture()).isCompleted();
    }

    private WeakReference<CompletableJob> runCoroutine() {
        CompletableJob job = JobKt.Job(null);
        assertThat(follower.updateThreadContext(job)).isNull();
        job.complete();
        return new WeakReference<>(job);
    }
}
