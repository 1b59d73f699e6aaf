/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockManager;
import io.dynamolock.spring.ForeignCode;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.observation.LockObservations;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Resolved lock settings of one method.
 *
 * @param method the method
 * @param where class and name of the method, for display
 * @param requests the factory of the lock requests
 * @param bean the lock manager of a call, with its bean name
 * @param manager the name of the lock manager as written; empty for the default one
 * @param condition the condition under which calls run
 * @param busyHandler the strategy if the lock cannot be acquired
 * @param whenOff the strategy if the condition does not allow a call
 * @param observations the observations of the calls
 * @param application the application context, which publishes events
 * @param holdsThroughTransaction whether a synchronous call holds its lock until the caller's transaction has completed
 */
record LockSpecification(
        Method method,
        String where,
        LockRequestFactory requests,
        Function<MethodInvocation, NamedBeanHolder<LockManager>> bean,
        String manager,
        CallCondition condition,
        BusyHandler busyHandler,
        BusyHandler whenOff,
        Supplier<LockObservations> observations,
        ApplicationContext application,
        boolean holdsThroughTransaction) {

    private static final Logger LOG = LoggerFactory.getLogger(LockSpecification.class);

    /**
     * Evaluates the annotation for a call. If that fails, the call is observed as failed.
     *
     * @return the call; null if its condition does not allow it
     */
    @Nullable
    LockedCall forCall(MethodInvocation invocation) {
        try {
            return condition.allows(invocation)
                    ? new LockedCall(this, invocation, requests.forCall(invocation), bean.apply(invocation))
                    : null;
        } catch (RuntimeException failure) {
            String name = LockedCall.joined(requests.templates());
            observations.get().start(method, name, managerOf(invocation), name).ended(failure);
            throw failure;
        }
    }

    /**
     * Skips a call that its condition does not allow. Name and manager only describe the call in the event: a
     * disabled job does not fail if they cannot be evaluated.
     */
    @Nullable
    Object skip(MethodInvocation invocation) throws Throwable {
        CallSkippedException skipped = new CallSkippedException();
        publish(new LockEvent.Skipped(
                managerOf(invocation),
                described(
                        () -> LockedCall.joined(requests.forCall(invocation).names()),
                        LockedCall.joined(requests.templates())),
                where,
                LockEvent.Reason.CONDITION));
        return whenOff.instead(invocation, skipped);
    }

    private String managerOf(MethodInvocation invocation) {
        return described(() -> bean.apply(invocation).getBeanName(), manager);
    }

    private static String described(Supplier<String> description, String asWritten) {
        try {
            return description.get();
        } catch (RuntimeException unknown) {
            return asWritten;
        }
    }

    /** Whether the application is closing, or is closed, so that its managers are. */
    boolean isClosing() {
        return application instanceof ConfigurableApplicationContext context && context.isClosed();
    }

    /** Publishes an event. An exception from a listener does not affect the call. */
    void publish(LockEvent event) {
        ForeignCode.run(
                () -> application.publishEvent(event), failure -> LOG.warn("A listener of {} failed", event, failure));
    }
}
