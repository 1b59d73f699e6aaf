/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.LockManager
import io.dynamolock.OnLost
import io.dynamolock.spring.DistributedLock
import io.dynamolock.spring.Locks
import io.dynamolock.spring.OnBusy
import java.util.concurrent.Executor
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull

/** Locked functions that return a flow. */
open class KotlinFlows(private val locks: LockManager) {

    private val emitted = AtomicInteger()

    open fun emitted(): Int = emitted.get()

    open fun state(): String = locks.inspect("job").status().name

    @DistributedLock("job")
    open fun withNull(): Flow<String?> = flow {
        emit("a")
        emit(null)
        delay(1)
        emit(state())
    }

    @DistributedLock("job")
    open fun failing(): Flow<String?> = flow {
        emit(null)
        throw IllegalArgumentException("on purpose")
    }

    /** Emits what it finds in its context, before and after it has suspended. */
    @DistributedLock("job")
    open fun context(local: ThreadLocal<String>): Flow<String> = flow {
        emit(here(local))
        delay(1)
        emit(here(local))
    }

    private suspend fun here(local: ThreadLocal<String>): String =
        "${currentCoroutineContext()[CoroutineName]?.name} ${local.get()} on ${Thread.currentThread().name}"

    /** Does not check itself whether it is cancelled. */
    @DistributedLock(name = "job", waitTime = "5s", onLost = OnLost.INTERRUPT)
    open fun unchecked(): Flow<Int> = generateSequence { emitted.incrementAndGet() }.asFlow()

    @DistributedLock(name = "job", waitTime = "5s", onLost = OnLost.INTERRUPT)
    open fun endless(): Flow<Int> = flow {
        while (true) {
            emit(emitted.incrementAndGet())
            delay(1)
        }
    }

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open fun skipped(): Flow<String?> = withNull()

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun replaced(): Flow<String?> = withNull()

    fun instead(): Flow<String?> = flow {
        emit(null)
        delay(1)
        emit(Locks.current().map { it.name() }.orElse("none"))
    }

    @DistributedLock("job")
    open fun three(): Flow<String> = flow { repeat(3) { emit(Locks.current().map { it.name() }.orElse("none")) } }
}

/** Entry point for tests in Java. */
object KotlinFlowCalls {

    @JvmStatic
    fun withNull(work: KotlinFlows): List<String?> = runBlocking { work.withNull().toList() + work.state() }

    @JvmStatic
    fun failing(work: KotlinFlows): List<String?> = runBlocking {
        work.failing().catch { emit(it.message + " " + work.state()) }.toList()
    }

    @JvmStatic
    fun context(work: KotlinFlows, executor: Executor): List<String> {
        val local = ThreadLocal<String>()
        return runBlocking {
            withContext(executor.asCoroutineDispatcher() + CoroutineName("name") + local.asContextElement("local")) {
                work.context(local).toList()
            }
        }
    }

    @JvmStatic
    fun begun(work: KotlinFlows): List<Any> = runBlocking {
        listOf(work.endless().first(), work.state(), work.endless().take(1).toList(), work.state())
    }

    @JvmStatic
    fun cancelled(work: KotlinFlows): String = runBlocking {
        val collector = launch { work.endless().collect { delay(1) } }
        while (work.emitted() == 0) {
            delay(1)
        }
        collector.cancelAndJoin()
        work.state()
    }

    @JvmStatic
    fun endless(work: KotlinFlows): List<Int> = runBlocking { work.endless().toList() }

    @JvmStatic
    fun unchecked(work: KotlinFlows): List<Int> = runBlocking { work.unchecked().onEach { delay(1) }.toList() }

    @JvmStatic
    fun busy(work: KotlinFlows): List<String?> = runBlocking { work.skipped().toList() + work.replaced().toList() }

    @JvmStatic
    fun timedOut(work: KotlinFlows): List<Any?> = runBlocking {
        listOf(withTimeoutOrNull(100) { work.endless().toList() }, work.state())
    }

    @JvmStatic
    fun nested(work: KotlinFlows): List<String> = runBlocking {
        flow { emitAll(work.three()) }
            .transform {
                emit(it)
                delay(1)
                emit(Locks.current().map { it.name() }.orElse("none"))
            }
            .toList()
    }

    @JvmStatic
    fun throwing(work: KotlinFlows, failure: Exception): List<Any> = runBlocking {
        val seen = try {
            work.endless().collect {
                delay(1)
                throw failure
            }
            failure
        } catch (exception: Exception) {
            exception
        }
        listOf(seen, work.state())
    }
}
