/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.BeanFactory;

/** A bean whose creation begins on another thread while its context starts, and ends when a test says so. */
public final class SlowCreation {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ending = new CountDownLatch(1);

    /** Called by the bean while it is being created. */
    public void await() {
        begun.countDown();
        Locking.await(ending);
    }

    public void end() {
        ending.countDown();
    }

    /** The bean that has another bean created, and is created itself once that has begun. */
    public static final class OnAnotherThread {

        private final CompletableFuture<Object> bean;

        OnAnotherThread(SlowCreation creation, String name, BeanFactory beans) {
            this.bean = CompletableFuture.supplyAsync(() -> beans.getBean(name));
            Locking.await(creation.begun);
        }

        public <T> T bean(Class<T> type) {
            return type.cast(bean.join());
        }
    }
}
