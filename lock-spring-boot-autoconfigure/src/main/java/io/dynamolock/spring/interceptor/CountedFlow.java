/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CancellationException;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;

/**
 * A flow whose collections are counted until they end. The producer of {@code flowOn} and {@code channelFlow} starts
 * even if its collector was cancelled before, and a collection ends only after its producer.
 *
 * @param flow the flow
 * @param method counts the collections
 */
record CountedFlow<T>(Flow<T> flow, Occupancy method) implements Flow<T> {

    @Override
    public Object collect(FlowCollector<? super T> collector, Continuation<? super Unit> caller) {
        if (!method.enter()) {
            throw new CancellationException("The locked method has ended");
        }
        boolean suspended = false;
        try {
            Object result = flow.collect(collector, new Leaving(caller, method));
            suspended = result == IntrinsicsKt.getCOROUTINE_SUSPENDED();
            return result;
        } finally {
            if (!suspended) {
                method.leave();
            }
        }
    }

    /** Leaves before the caller goes on. */
    private record Leaving(Continuation<? super Unit> caller, Occupancy method) implements Continuation<Unit> {

        @Override
        public CoroutineContext getContext() {
            return caller.getContext();
        }

        @Override
        public void resumeWith(Object result) {
            method.leave();
            IntrinsicsKt.intercepted(caller).resumeWith(result);
        }
    }
}
