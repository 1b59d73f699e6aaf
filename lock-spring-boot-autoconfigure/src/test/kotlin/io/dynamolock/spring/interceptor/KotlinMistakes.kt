/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.spring.DistributedLock
import io.dynamolock.spring.OnlyOnLeader
import io.dynamolock.spring.OnBusy
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.SharedFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.runBlocking
import org.springframework.scheduling.annotation.Async

/** Function with a non-null result, which cannot be skipped. */
open class KotlinNeverNull {

    @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
    open suspend fun work(): String = ""
}

/** Final class: Kotlin classes are final unless declared open. */
class KotlinFinal {

    @DistributedLock("job")
    fun work() {
    }
}

/** Final function of an open class. */
open class KotlinFinalFunction {

    @DistributedLock("job")
    fun work() {
    }
}

/** Open class whose functions are all final. */
@DistributedLock("job")
open class KotlinAllFinal {

    fun work() {
    }

    override fun toString(): String = "all final"
}

/** Flow, which needs the same artifact as a suspending function. */
open class KotlinFlow {

    @DistributedLock("job")
    open fun work(): Flow<String> = emptyFlow()
}

/** Value of a coroutine, which needs that artifact and Kotlin's reflection. */
open class KotlinDeferred {

    @DistributedLock("job")
    open fun work(): Deferred<String> = CompletableDeferred("")
}

/** Value that is declared with more than what is awaited. */
open class KotlinCompletableDeferred {

    @DistributedLock("job")
    open fun work(): CompletableDeferred<String> = CompletableDeferred("")
}

/** Flow that is declared with more than what is collected. */
open class KotlinSharedFlow {

    @DistributedLock("job")
    open fun work(): SharedFlow<String> = MutableSharedFlow()
}

/** Flow with a value at each time. */
open class KotlinStateFlow {

    @DistributedLock("job")
    open fun work(): StateFlow<String> = MutableStateFlow("")
}

/** Channel whose elements are sent while they are received. */
open class KotlinChannel {

    @DistributedLock("job")
    open fun work(): ReceiveChannel<String> = Channel()
}

/** Suspending function whose result is computed after it has ended. */
open class KotlinSuspendingFuture {

    @DistributedLock("job")
    open suspend fun work(): CompletableFuture<String> {
        delay(1)
        return CompletableFuture()
    }
}

/** Suspending function that starts a coroutine, and does not await it. */
open class KotlinSuspendingDeferred {

    @DistributedLock("job")
    open suspend fun work(): Deferred<String> = CoroutineScope(currentCoroutineContext() + Job()).async { "" }
}

/** Suspending function with a fallback that does not suspend. */
open class KotlinPlainFallback {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open suspend fun work(id: String): String {
        delay(1)
        return id
    }

    fun instead(id: String): String = id
}

/** Function that does not suspend, with a fallback that does. */
open class KotlinSuspendingFallback {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun work(id: String): String = id

    suspend fun instead(id: String): String {
        delay(1)
        return id
    }
}

/** Suspending function that never returns: Kotlin's reflection cannot read its type, so that Spring cannot call it. */
open class KotlinNothing {

    @DistributedLock("job")
    open suspend fun work(): Nothing = error("on purpose")
}

/** Suspending function with a fallback of that type. */
open class KotlinNothingFallback {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open suspend fun work(): String = ""

    suspend fun instead(): Nothing = error("on purpose")
}

/** Annotated type with such functions. */
@DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
open class KotlinNothingOfType {

    open suspend fun work(): Nothing = error("on purpose")

    suspend fun instead(): Nothing = error("on purpose")
}

/** Functions that return one that suspends, and is called without the lock. */
open class KotlinSuspendingLambda {

    @DistributedLock("job")
    open fun declared(): suspend () -> String = { current() }

    @DistributedLock("job")
    open fun undeclared(): Any = suspend { current() }

    @DistributedLock("job")
    open suspend fun suspending(): suspend () -> String = { current() }

    /** Returns one whose result depends on an argument, like an ordinary function. */
    @DistributedLock("job")
    open suspend fun withParameter(): suspend (String) -> String = { it + current() }
}

/** Entry point for tests in Java. */
object KotlinMistakeCalls {

    @JvmStatic
    fun call(work: KotlinSuspendingLambda, function: String): Any = runBlocking {
        when (function) {
            "declared" -> work.declared()
            "undeclared" -> work.undeclared()
            "suspending" -> work.suspending()
            else -> work.withParameter()("a ")
        }
    }
}

/** Function with a longer compiled name whose lock would be outside of its submission. */
open class KotlinInternalAsync {

    @Async
    @DistributedLock("job")
    internal open fun work() = Unit
}

/** Function with a longer compiled name that a call could not skip. */
open class KotlinInternalLeaderWork {

    @OnlyOnLeader
    internal open fun work(): String = "work"
}
