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
 * Runs a method of a Spring bean under a distributed lock. The lease is renewed until the method returns or throws, or
 * until the future or publisher that it returned is done; then it is released. A synchronous method that is called in a
 * transaction of Spring holds its lock until the transaction has completed, unless
 * {@code dynamolock.annotation.hold-until-transaction-completes} is false.
 *
 * <pre>{@code
 * @DistributedLock("invoice-#{#order.id}")
 * public void invoice(Order order) { ... }
 * }</pre>
 *
 * <p>On a type, the annotation applies to every method of its beans that is work, all with the same name template: not
 * to those that Spring calls to manage the bean, such as its init and destroy methods, nor to the fallback. An
 * annotation on a method, or on the interface method that it implements, replaces the one on the type. The annotation
 * can be used as a meta-annotation, with attributes overridden through {@link AliasFor}.
 *
 * <p>The lock is reentrant: a thread that already holds it through this annotation enters again without a request,
 * unless the method is asynchronous. Like all advice, the annotation applies only to calls through the bean's proxy,
 * not to calls on {@code this}.
 *
 * <p>An invalid annotation fails the application's startup with an {@link InvalidDistributedLockException} that names
 * class and method: a name that is missing or cannot be parsed, a duration that cannot be parsed, a lease outside the
 * manager's limits (longer than its maximum, or shorter than twice its heartbeat interval), a primitive return type of
 * a method that may be skipped, a fallback with an incompatible signature, an unsupported asynchronous return type or
 * one that computes its content lazily (the lock would be released while the work still runs), or a method that a proxy
 * cannot intercept.
 *
 * <p>At runtime, a call can throw {@link LockBusyException}; {@link io.dynamolock.LockManagerDrainingException} while
 * the manager drains, {@link io.dynamolock.LockManagerClosedException} once it is closed;
 * {@link io.dynamolock.LockStoreException} if the store fails before the method is entered; and, if the thread is
 * interrupted while it waits for the lock, {@link InterruptedException} if the method declares it, otherwise
 * {@link LockInterruptedException}. Exceptions of the method itself are passed on unchanged. If the lock was lost while
 * the method ran, its caller gets a {@link io.dynamolock.LeaseLostException} instead of the outcome, unless
 * {@link #onLost()} is {@link OnLost#EVENT}.
 *
 * @since 0.1
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

    /**
     * Alias for {@link #name()}.
     *
     * @return a name template
     */
    @AliasFor("name")
    String value() default "";

    /**
     * Name of the lock: text, <code>${placeholder}</code> and <code>#{expression}</code> in any combination.
     * Expressions can use the parameters by name and by index ({@code #p0} or {@code #a0}), {@code #target},
     * {@code #method}, {@code #args}, and beans ({@code @bean}). A call fails if an expression evaluates to null or to
     * blank text, because all such calls would share one lock. The name has no default: a name derived from the code
     * would change with the code, and two versions of an application would not exclude each other.
     *
     * @return a name template; empty with {@link #names()}
     */
    @AliasFor("value")
    String name() default "";

    /**
     * Names of several locks, instead of {@link #name()}: templates such as <code>{"account-#{#from}",
     * "account-#{#to}"}</code>. An expression that gives a collection or an array stands for one lock per element, in
     * any order, as in <code>account-#{#ids}</code>: for none if it is empty, but a call without any lock fails.
     * Another value that may have elements, such as a map, a page or a JSON node, is rejected: state which values it
     * stands for, as in <code>account-#{#page.toList()}</code> or <code>account-#{#node.asText()}</code>. An
     * {@link java.util.Optional} counts as its value.
     *
     * <p>A call acquires all of the locks or none, in an order that is the same for all callers, so that two of them
     * cannot wait for each other. Names that are equal count once. The method's {@link io.dynamolock.Lease} stands for
     * {@linkplain io.dynamolock.Lease#leases() all of them}; each has a fencing token of its own.
     *
     * @return name templates; empty with {@link #name()}
     */
    String[] names() default {};

    /**
     * Maximum time to wait for a busy lock.
     *
     * @return a duration such as {@code 5s}, {@code PT5S} or <code>${placeholder}</code>; empty for the manager's
     *     default, or for zero if the method is scheduled and skips a busy lock: after a wait, it would do again what
     *     another instance has just done
     */
    String waitTime() default "";

    /**
     * Lease lifetime without a renewal: how long a crashed holder blocks other processes. It does not limit the
     * method's execution time, because the lease is renewed while the method runs.
     *
     * @return a duration such as {@code 30s}, {@code PT30S} or <code>${placeholder}</code>; empty for the manager's
     *     default
     */
    String leaseDuration() default "";

    /**
     * Minimum time that the lock stays held, even if the method returns earlier. The caller does not wait for it.
     *
     * @return a duration such as {@code 30s}, {@code PT30S} or <code>${placeholder}</code>; empty for none
     */
    String minHold() default "";

    /**
     * Time after which the lease of a method that still runs is no longer renewed.
     *
     * @return a duration such as {@code 10m}, {@code PT10M} or <code>${placeholder}</code>; empty for no limit
     */
    String maxHold() default "";

    /**
     * Action if the lock is still busy at the end of the wait time, or if its manager drains.
     *
     * @return whether to skip the method, throw or call the fallback
     */
    OnBusy onBusy() default OnBusy.DEFAULT;

    /**
     * Method that {@link OnBusy#FALLBACK} calls, without the lock: {@code "method"} of the same class, {@code "@bean"}
     * for the method of the same name of a bean, or {@code "@bean.method"}. It must have the same parameters,
     * optionally followed by a {@link LockBusyException} or {@link io.dynamolock.LockState}, and a compatible return
     * type.
     *
     * @return a method reference; empty unless {@code onBusy} is {@code FALLBACK}
     */
    String fallback() default "";

    /**
     * Action if the lock is lost while the method runs. For an asynchronous method, {@link OnLost#INTERRUPT} cancels
     * the future or the subscription.
     *
     * @return {@link OnLost#DEFAULT} for the value of {@code dynamolock.on-lost}
     */
    OnLost onLost() default OnLost.DEFAULT;

    /**
     * Condition under which calls run, evaluated at each call before the lock is acquired: a template like
     * {@link #name()} that gives {@code true} or {@code false} (or what Spring converts to that, such as {@code off}),
     * such as <code>#{&#64;environment.getProperty('jobs.nightly', 'true')}</code> or
     * <code>#{&#64;switches.isOn('nightly')}</code>. While it is {@code false}, calls are skipped as with
     * {@link OnBusy#SKIP}, whatever their name and manager; they never run without the lock.
     *
     * @return a template; empty for calls that always run
     */
    String condition() default "";

    /**
     * Name of the {@link LockManager} bean to use: a bean of the application, or a manager configured below
     * {@code dynamolock.managers}. A template like {@link #name()}, so that it can depend on the call, for example on
     * a tenant.
     *
     * @return a bean name or a template; if empty, the name in the annotation on the type applies, otherwise the
     *     manager that is injected without a qualifier, such as the only or primary one
     */
    String manager() default "";
}
