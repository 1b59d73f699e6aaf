/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.OnLost;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a Spring bean only while it holds a distributed lock. The lease is kept alive until the method has
 * returned or thrown, or until the future or publisher that it returned is done, and released then.
 *
 * <pre>{@code
 * @DistributedLock("invoice-#{#order.id}")
 * public void invoice(Order order) { ... }
 * }</pre>
 *
 * <p>On a type it applies to every method of its beans, all with the same name template; an annotation on a method, also on
 * the interface method that it implements, replaces the one on the type. It can be used as a meta-annotation, with
 * attributes overridden through {@link AliasFor}.
 *
 * <p>A thread that already holds the lock through this annotation gets it again at no cost, unless the method is asynchronous. Like all advice it sees only
 * calls that come through the bean's proxy, not calls to {@code this}.
 *
 * <p>What cannot work stops the application's start, with class and method: a name that is missing or cannot be parsed, a
 * time that cannot be read, a lease that does not fit the manager's limits, a primitive return type that would have to be skipped, a fallback that does not fit, an
 * asynchronous return type that is not known (the lock would be gone while the work still runs), a method that no proxy can
 * stand before.
 *
 * <p>While it runs, a call can end in {@link LockBusyException}, in {@link io.dynamolock.LockStoreException} if the store
 * failed before the method was entered, or, if the thread is interrupted while it waits, in {@link InterruptedException}
 * where the method declares it and {@link LockInterruptedException} elsewhere. What the method itself throws passes unchanged.
 *
 * @since 0.1
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

    /**
     * Is the lock name, as {@link #name()}.
     *
     * @return a name template
     */
    @AliasFor("name")
    String value() default "";

    /**
     * Is the lock name: text, <code>${placeholder}</code> and <code>#{expression}</code> in any mixture. An expression sees
     * the parameters by name and by index ({@code #p0} or {@code #a0}), {@code #target}, {@code #method}, {@code #args},
     * and beans ({@code @bean}). An expression that gives null or a blank text makes the call fail, because all such calls
     * would share one lock. There is no default: a name that followed the code would change with it, and two versions of an
     * application would not exclude each other.
     *
     * @return a name template
     */
    @AliasFor("value")
    String name() default "";

    /**
     * Says how long to wait while somebody else holds the lock.
     *
     * @return such as {@code 5s}, {@code PT5S} or <code>${placeholder}</code>; empty for the manager's default
     */
    String waitTime() default "";

    /**
     * Says how long the lease lasts without a renewal: how long a crashed holder blocks the others. It does not limit the
     * method, because the lease is renewed while it runs.
     *
     * @return such as {@code 30s}, {@code PT30S} or <code>${placeholder}</code>; empty for the manager's default
     */
    String leaseDuration() default "";

    /**
     * Says how long the lock stays taken at least, even if the method returns sooner. Nothing waits for it here.
     *
     * @return such as {@code 30s}, {@code PT30S} or <code>${placeholder}</code>; empty for none
     */
    String minHold() default "";

    /**
     * Says after what time the lease of a method that still runs is no longer renewed.
     *
     * @return such as {@code 10m}, {@code PT10M} or <code>${placeholder}</code>; empty for no limit
     */
    String maxHold() default "";

    /**
     * Says what happens if the lock is busy until the wait time is over.
     *
     * @return skip, throw or fall back
     */
    OnBusy onBusy() default OnBusy.DEFAULT;

    /**
     * Names what {@link OnBusy#FALLBACK} calls, without the lock: {@code "method"} of the same class, {@code "@bean"} for the
     * method of the same name of a bean, or {@code "@bean.method"}. It has the same parameters, and may have a {@link
     * LockBusyException} or {@link io.dynamolock.LockState} as one more at the end; what it returns must fit.
     *
     * @return a method; empty unless {@code onBusy} is {@code FALLBACK}
     */
    String fallback() default "";

    /**
     * Says what happens to the method if its lock is lost while it runs. {@link OnLost#INTERRUPT} cancels the future or the
     * subscription of one that is asynchronous.
     *
     * @return one value; none for what {@code dynamolock.on-lost} says
     */
    OnLost[] onLost() default {};

    /**
     * Names the {@link LockManager} bean to use: one of the application's, or what stands behind {@code dynamolock.managers.}.
     *
     * @return a bean name; empty for that of the annotation on the type, else for the only or primary one
     */
    String manager() default "";
}
