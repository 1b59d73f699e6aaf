/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.spring.DistributedLock
import io.dynamolock.spring.LockScope
import io.dynamolock.spring.Locks
import io.dynamolock.spring.OnBusy
import io.dynamolock.Lease
import io.dynamolock.LockManager
import io.dynamolock.OnLost
import java.util.Optional
import java.util.OptionalInt
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executor
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import reactor.core.publisher.Mono
import reactor.util.context.Context

/** Locked functions in Kotlin. */
open class KotlinWork(private val locks: LockManager) {

    private val entered = AtomicInteger()

    open fun entered(): Int = entered.get()

    private fun state(name: String): String = locks.inspect(name).status().name

    @DistributedLock("job-#{#id}")
    open suspend fun suspending(id: String, lease: Lease? = null): String {
        entered.incrementAndGet()
        delay(5)
        return withContext(Dispatchers.IO) { state("job-$id") } + " " + lease?.name()
    }

    @DistributedLock("job")
    open suspend fun nothing() {
        entered.incrementAndGet()
        delay(1)
    }

    @DistributedLock(name = "job", onLost = OnLost.EVENT)
    open suspend fun nothingWithEvent() = nothing()

    @DistributedLock("#{#name}")
    open suspend fun <T> underLock(name: String, work: suspend () -> T): T = work()

    @DistributedLock("job")
    open suspend fun failing(): String {
        delay(1)
        throw IllegalArgumentException("on purpose")
    }

    /** Blocks a thread of the caller's dispatcher. */
    @DistributedLock("job")
    open suspend fun blocking(work: Runnable) {
        entered.incrementAndGet()
        work.run()
    }

    @DistributedLock("job")
    open suspend fun blockingElsewhere(work: Runnable) {
        withContext(Dispatchers.IO) {
            entered.incrementAndGet()
            work.run()
        }
    }

    @DistributedLock("job")
    open suspend fun cleaningUp(work: Runnable) {
        try {
            entered.incrementAndGet()
            awaitCancellation()
        } finally {
            withContext(NonCancellable) {
                delay(1)
                work.run()
            }
        }
    }

    @DistributedLock("job")
    open suspend fun callingAdvised(other: KotlinHelper, work: Runnable) = other.advised(work)

    @DistributedLock("job")
    open suspend fun callingLocked(other: KotlinHelper, work: Runnable) = other.locked(work)

    @DistributedLock("job")
    open suspend fun callingLockedInAnotherContext(other: KotlinHelper, work: Runnable) =
        withContext(Context.of("user", "somebody").asCoroutineContext()) { other.locked(work) }

    @DistributedLock("job")
    open suspend fun callingFallback(other: KotlinHelper, work: Runnable) = other.busy(work)

    @DistributedLock("job")
    open suspend fun callingLockedFlow(other: KotlinHelper, work: Runnable) = other.lockedFlow(work).collect()

    @DistributedLock("job")
    open suspend fun callingLockedMono(other: KotlinHelper, work: Runnable) {
        other.lockedMono(work).awaitSingleOrNull()
    }

    /** Leaves a coroutine behind that has the context of this one, but a job of its own. */
    @DistributedLock("job")
    open suspend fun detaching(work: Runnable) {
        CoroutineScope(currentCoroutineContext() + SupervisorJob()).launch(Dispatchers.IO) {
            entered.incrementAndGet()
            work.run()
        }
        while (entered.get() == 0) {
            delay(1)
        }
    }

    @DistributedLock("job")
    open fun flowThatCleansUp(work: Runnable): Flow<String> = flow { cleaningUp(work) }

    @DistributedLock("job")
    open fun blockingFlow(work: Runnable): Flow<String> = flow<String> { blocking(work) }.flowOn(Dispatchers.IO)

    @DistributedLock("job")
    open fun flowOn(executor: Executor, work: Runnable): Flow<String> =
        flow<String> { work.run() }.flowOn(executor.asCoroutineDispatcher())

    /** Returns the value of a coroutine that no cancellation of a caller's reaches by itself. */
    @DistributedLock("job")
    open fun deferredThatCleansUp(work: Runnable): Deferred<Unit> =
        CoroutineScope(Dispatchers.IO).async { cleaningUp(work) }

    @DistributedLock("job")
    open fun callingLockedDeferred(other: KotlinHelper, work: Runnable): Deferred<Unit> = other.lockedDeferred(work)

    /** Returns a coroutine that has ended. */
    @DistributedLock("job")
    open suspend fun structured(): Job = coroutineScope { launch { delay(5) } }

    @DistributedLock("job")
    open suspend fun launched(job: Job): Job {
        delay(1)
        return job
    }

    @DistributedLock("job")
    open suspend fun endless(): String {
        entered.incrementAndGet()
        awaitCancellation()
    }

    @DistributedLock(name = "job", waitTime = "10m")
    open suspend fun patient() {
        entered.incrementAndGet()
    }

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open suspend fun skipped(): String? {
        entered.incrementAndGet()
        return "done"
    }

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open suspend fun fallingBack(id: String): String = "work on $id"

    suspend fun instead(id: String): String {
        delay(1)
        return "instead of $id"
    }

    @DistributedLock("job")
    open fun flow(): Flow<String> = flow {
        emit("a")
        delay(1)
        emit(state("job"))
    }

    @DistributedLock("job")
    open suspend fun suspendingFlow(): Flow<String> {
        delay(1)
        return flow()
    }
}

/** Another bean: a call of its proxy is a coroutine of its own. */
open class KotlinHelper {

    open suspend fun advised(work: Runnable) = withContext(Dispatchers.IO) { work.run() }

    @DistributedLock("inner")
    open suspend fun locked(work: Runnable) = withContext(Dispatchers.IO) { work.run() }

    @DistributedLock(name = "busy", onBusy = OnBusy.FALLBACK, fallback = "advised")
    open suspend fun busy(work: Runnable): Unit = error("not busy: $work")

    @DistributedLock("inner")
    open fun lockedFlow(work: Runnable): Flow<String> = flow<String> { work.run() }.flowOn(Dispatchers.IO)

    @DistributedLock("inner")
    open fun lockedDeferred(work: Runnable): Deferred<Unit> = CoroutineScope(Dispatchers.IO).async { work.run() }

    @DistributedLock("inner")
    open fun lockedMono(work: Runnable): Mono<String> = Mono.fromRunnable(work)
}

/** Functions that ask for their lock. */
open class KotlinLeases(private val inner: KotlinInnerLease) {

    @DistributedLock("outer")
    open suspend fun suspending(): List<String> {
        val first = current()
        delay(1)
        Locks.assertHeld()
        return listOf(first, withContext(Dispatchers.IO) { current() }, inner.suspending(), current())
    }

    @DistributedLock("outer")
    open fun flow(): Flow<String> = flow {
        emit(current())
        delay(1)
        emit(current())
    }.flowOn(Dispatchers.IO)

    @DistributedLock("outer")
    open suspend fun nested(): String = inner.locks()

    /** Starts a coroutine that has the context of this one, but a job of its own, and goes on when it may. */
    @DistributedLock("outer")
    open suspend fun detaching(mayGoOn: Job): List<Deferred<String>> {
        val detached = CoroutineScope(currentCoroutineContext() + SupervisorJob()).async {
            mayGoOn.join()
            inner.locks()
        }
        return listOf(detached)
    }

    /** Emits more than is buffered, and so waits for its collector. */
    @DistributedLock("inner")
    open fun longFlow(): Flow<String> = flow { repeat(300) { emit(current()) } }

    @DistributedLock("outer")
    open suspend fun collecting(other: KotlinLeases): Set<String> {
        val seen = mutableSetOf<String>()
        other.longFlow().collect {
            delay(1)
            seen += it + " in " + current()
        }
        return seen
    }

    @DistributedLock(name = "busy", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open suspend fun fallingBack(): String = error("not busy")

    suspend fun instead(): String {
        delay(1)
        return current()
    }
}

/** Another bean, whose lock is inside of the first one. */
open class KotlinInnerLease {

    @DistributedLock("inner")
    open suspend fun suspending(): String {
        delay(1)
        return current()
    }

    @DistributedLock("inner")
    open suspend fun locks(): String {
        delay(1)
        return generateSequence(LockScope.current()) { it.outer() }.joinToString { it.lease().name() }
    }
}

/** Function with the result Unit, which can be skipped. */
open class KotlinUnit {

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open suspend fun work() {
        delay(1)
    }

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open fun blocking(withDefault: String = "x") {
    }

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open suspend fun optional(): Optional<String> = Optional.of("done")

    @DistributedLock(name = "job", condition = "#{false}")
    open suspend fun optionalNumber(): OptionalInt = OptionalInt.of(1)
}

/** Entry point for tests in Java. */
object KotlinCalls {

    @JvmStatic
    fun suspending(work: KotlinWork, id: String): String = runBlocking { work.suspending(id) }

    @JvmStatic
    fun <T> underLock(work: KotlinWork, name: String, result: Supplier<T>): T = runBlocking {
        work.underLock(name) {
            delay(1)
            result.get()
        }
    }

    @JvmStatic
    fun structured(work: KotlinWork): Job = runBlocking { work.structured() }

    @JvmStatic
    fun launched(work: KotlinWork, job: Job): Job = runBlocking { work.launched(job) }

    @JvmStatic
    fun leases(work: KotlinLeases): List<String> = runBlocking { work.suspending() + current() }

    @JvmStatic
    fun leasesOfFlow(work: KotlinLeases): List<String> = runBlocking {
        work.flow().map { it + " for " + current() }.toList()
    }

    @JvmStatic
    fun leasesOfLongFlow(work: KotlinLeases): Set<String> = runBlocking { work.collecting(work) }

    @JvmStatic
    fun locksIn(work: KotlinLeases): String = runBlocking { work.nested() }

    @JvmStatic
    fun locksInDetachedCoroutine(work: KotlinLeases): String = runBlocking {
        val mayGoOn = Job()
        val detached = work.detaching(mayGoOn)
        mayGoOn.complete()
        detached.single().await()
    }

    @JvmStatic
    fun leaseOfFallback(work: KotlinLeases): String = runBlocking { work.fallingBack() }

    @JvmStatic
    fun nothing(work: KotlinWork) = runBlocking { work.nothing() }

    @JvmStatic
    fun failing(work: KotlinWork): String = runBlocking { work.failing() }

    @JvmStatic
    fun skipped(work: KotlinWork): String? = runBlocking { work.skipped() }

    @JvmStatic
    fun skippedUnit(work: KotlinUnit) = runBlocking { work.work() }

    @JvmStatic
    fun optionals(work: KotlinUnit): List<Any> = runBlocking { listOf(work.optional(), work.optionalNumber()) }

    @JvmStatic
    fun fallingBack(work: KotlinWork, id: String): String = runBlocking { work.fallingBack(id) }

    @JvmStatic
    fun flow(work: KotlinWork): List<String> = runBlocking { work.flow().toList() }

    @JvmStatic
    fun suspendingFlow(work: KotlinWork): List<String> = runBlocking { work.suspendingFlow().toList() }

    @JvmStatic
    fun cancelled(work: KotlinWork, until: Runnable) = cancelled(Dispatchers.Default, until) { work.endless() }

    @JvmStatic
    fun cancelledBlocking(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(until) { work.blocking(task) }

    @JvmStatic
    fun cancelledBlockingElsewhere(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(until) { work.blockingElsewhere(task) }

    @JvmStatic
    fun cancelledCleaningUp(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(until) { work.cleaningUp(task) }

    @JvmStatic
    fun cancelledCallingAdvised(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(until) { work.callingAdvised(other, task) }

    @JvmStatic
    fun cancelledCallingLocked(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(until) { work.callingLocked(other, task) }

    @JvmStatic
    fun cancelledCallingLockedInAnotherContext(
        work: KotlinWork,
        other: KotlinHelper,
        task: Runnable,
        until: Runnable,
    ) = cancelled(until) { work.callingLockedInAnotherContext(other, task) }

    @JvmStatic
    fun cancelledFlowOn(work: KotlinWork, executor: Executor, task: Runnable, until: Runnable) =
        cancelled(until) { work.flowOn(executor, task).collect() }

    @JvmStatic
    fun cancelledCallingFallback(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(until) { work.callingFallback(other, task) }

    @JvmStatic
    fun cancelledCallingLockedFlow(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(until) { work.callingLockedFlow(other, task) }

    @JvmStatic
    fun cancelledCallingLockedMono(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(until) { work.callingLockedMono(other, task) }

    @JvmStatic
    fun detaching(work: KotlinWork, task: Runnable) = runBlocking { work.detaching(task) }

    /** Calls a function on the threads of an executor. */
    @JvmStatic
    fun nothing(work: KotlinWork, executor: Executor, onLost: OnLost): CompletableFuture<Unit> =
        CoroutineScope(executor.asCoroutineDispatcher()).future {
            if (onLost == OnLost.EVENT) work.nothingWithEvent() else work.nothing()
        }

    @JvmStatic
    fun cancelledFlowThatCleansUp(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(until) { work.flowThatCleansUp(task).collect() }

    @JvmStatic
    fun cancelledBlockingFlow(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(until) { work.blockingFlow(task).collect() }

    @JvmStatic
    fun cancelledDeferredThatCleansUp(work: KotlinWork, task: Runnable, until: Runnable) =
        cancelled(work.deferredThatCleansUp(task), until)

    @JvmStatic
    fun cancelledCallingLockedDeferred(work: KotlinWork, other: KotlinHelper, task: Runnable, until: Runnable) =
        cancelled(work.callingLockedDeferred(other, task), until)

    private fun cancelled(deferred: Deferred<*>, until: Runnable) {
        until.run()
        deferred.cancel()
    }

    /** Cancels a call that waits for its lock, on the only thread of both. */
    @JvmStatic
    fun cancelledWhileWaiting(work: KotlinWork, until: Runnable) =
        cancelled(EmptyCoroutineContext, until) { work.patient() }

    private fun cancelled(context: CoroutineContext, until: Runnable, call: suspend () -> Unit) = runBlocking {
        val job = launch(context) { call() }
        withContext(Dispatchers.IO) { until.run() }
        job.cancel()
        job.join()
    }

    /** Returns when the call is cancelled: the thread that cancels it may have to execute its end. */
    private fun cancelled(until: Runnable, call: suspend () -> Unit) {
        val job = CoroutineScope(Dispatchers.Default).launch { call() }
        until.run()
        Thread { job.cancel() }.start()
        while (job.isActive) {
            Thread.onSpinWait()
        }
    }
}
