/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.LockBusyException
import io.dynamolock.spring.DistributedLock
import io.dynamolock.spring.Locks
import io.dynamolock.spring.OnBusy
import java.util.Optional
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible

/** Value class, which is a `long` where it is neither nullable nor generic. */
@JvmInline
value class KotlinId(val number: Long)

/** Value class of another one. */
@JvmInline
value class KotlinWrappedId(val id: KotlinId)

/** Returns the name of the current lock. */
internal fun current(): String = Locks.current().map { it.name() }.orElse("none")

/** Functions whose locks are those of an id, whatever the type of their parameter. */
open class KotlinIds {

    @DistributedLock("id-#{#id}")
    open fun plain(id: KotlinId): String = current()

    @DistributedLock("id-#{#id}")
    open suspend fun suspending(id: KotlinId): String {
        delay(1)
        return current()
    }

    @DistributedLock("id-#{#id}")
    open fun nullable(id: KotlinId?): String = current()

    @DistributedLock("#{'id-' + #id}")
    open fun concatenated(id: KotlinId?): String = current()

    @DistributedLock("id-#{#id}")
    open fun wrapped(id: KotlinWrappedId?): String = current()

    @DistributedLock("id-#{#id}")
    open fun optional(id: Optional<KotlinId>): String = current()

    @DistributedLock("id-#{#ids[0]}")
    open fun element(ids: List<KotlinId>): String = current()

    @DistributedLock(names = ["id-#{#ids}"])
    open fun elements(ids: List<KotlinId>): String = current()
}

/** Annotated functions of any type of parameter. */
interface KotlinHandler<T> {

    @DistributedLock("id-#{#item}")
    fun handle(item: T): String

    @DistributedLock("id-#{#item}")
    suspend fun later(item: T): String
}

/** Overrides functions by those of a value class, which the compiler names differently. */
open class KotlinIdHandler : KotlinHandler<KotlinId> {

    open override fun handle(item: KotlinId): String = current()

    open override suspend fun later(item: KotlinId): String {
        delay(1)
        return current()
    }
}

/** Overrides them once more, by their other names. */
open class KotlinNextHandler : KotlinIdHandler() {

    override fun handle(item: KotlinId): String = "next " + current()
}

/** Generic function that a superclass declares, and one without parameters. */
abstract class KotlinSource<T> {

    @DistributedLock("next")
    abstract fun next(): T

    @DistributedLock("pair-#{#text}")
    protected abstract fun pair(item: T, more: List<T>, text: String): String

    fun pairOf(item: T, text: String): String = pair(item, listOf(item), text)
}

/** Overrides them with a nullable value class. */
open class KotlinIdSource : KotlinSource<KotlinId?>() {

    override fun next(): KotlinId? = if (current() == "next") KotlinId(7) else null

    override fun pair(item: KotlinId?, more: List<KotlinId?>, text: String): String = current()
}

/** Overrides functions by default methods of an interface. */
interface KotlinDefaultHandler : KotlinHandler<KotlinId> {

    override fun handle(item: KotlinId): String = current()

    override suspend fun later(item: KotlinId): String {
        delay(1)
        return current()
    }
}

/** Inherits them. */
open class KotlinInheritingHandler : KotlinDefaultHandler

/** Overrides an annotated function, and has others of its name, which are not annotated. */
open class KotlinTextHandler : KotlinHandler<String> {

    open override fun handle(item: String): String = current()

    open override suspend fun later(item: String): String = current()

    open fun handle(id: KotlinId): String = current()

    fun handle(id: KotlinWrappedId): String = current()
}

/** Functions whose compiled names are longer than those in the source. */
open class KotlinLongNames {

    @DistributedLock("module")
    internal open fun ofModule(): String = current()

    @DistributedLock("id")
    open fun ofId(id: KotlinId): String = current() + id
}

/** Annotated type with such functions, one of which is final. */
@DistributedLock("type")
open class KotlinLongNamesOfType {

    open fun work(): String = current()

    fun ofId(id: KotlinId): String = current() + id
}

/** Functions with fallbacks whose compiled names differ from those in the source. */
open class KotlinFallbacks {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "ofInternal")
    open fun withInternal(text: String): String = "work on $text"

    internal fun ofInternal(text: String): String = listOf(text).joinToString { "instead of $it" }

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "ofId")
    open fun withId(id: KotlinId): String = "work on $id"

    fun ofId(id: KotlinId): String = "instead of $id"

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "ofInternalId")
    open suspend fun withInternalId(id: KotlinId): String = "work on $id"

    internal suspend fun ofInternalId(id: KotlinId): String {
        delay(1)
        return "instead of $id"
    }
}

/** Value class with the content of another one. */
@JvmInline
value class KotlinOtherId(val number: Long)

/** Function with several fallbacks of one name, which are compiled to the same parameters. */
open class KotlinAlternatives {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun work(id: KotlinId): String = "work on $id"

    fun instead(id: Long): String = "long $id"

    fun instead(id: KotlinOtherId): String = "other $id"

    fun instead(id: KotlinId): String = "instead of $id"
}

/** Function with a fallback for another value class. */
open class KotlinOtherFallback {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun work(id: KotlinId): String = "work on $id"

    fun instead(id: KotlinOtherId): String = "other $id"
}

/** Function with a fallback of the same module only. */
open class KotlinInternalFallback {

    @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun work(text: String): String = current() + text

    internal fun instead(text: String): String = listOf(text).joinToString { "instead of $it" }
}

/** Annotated type with functions whose names begin with that of the fallback, as if the compiler had added the rest. */
@DistributedLock(name = "type", onBusy = OnBusy.FALLBACK, fallback = "skip")
open class KotlinFallbackOfType {

    open fun work(text: String): String = current() + text

    open fun `skip-all`(text: String): String = current() + text

    open fun `skip-invoice`(text: String): String = current() + text

    open fun `skip$all`(text: String): String = current() + text

    open fun skip(text: String): String = "instead of $text"
}

/** Annotated type with overloads of its fallback, which fit its work but are not called instead of it. */
@DistributedLock(name = "type", onBusy = OnBusy.FALLBACK, fallback = "instead")
open class KotlinFallbacksOfType {

    open fun work(id: KotlinId): String = current() + id.number

    open fun instead(id: KotlinId): String = current() + id.number

    open fun instead(id: Long): String = current() + id

    open fun instead(id: Long, busy: LockBusyException): String = current() + id + busy.lockName()
}

/** Function with overloads for callers in Java, which the compiler makes final, with the same annotation. */
open class KotlinOverloads {

    @JvmOverloads
    @DistributedLock("#{#id}/#{#times}")
    open fun work(id: String, times: Int = 3): String = current()
}

/** Annotated type with such a function. */
@DistributedLock("type")
open class KotlinOverloadsOfType {

    @JvmOverloads
    open fun work(id: String = "", times: Int = 3): String = current() + times
}

/** Annotated type whose functions are all final, although one has an overload. */
@DistributedLock("type")
open class KotlinFinalOverloads {

    @JvmOverloads
    fun work(id: String = ""): String = id
}

/** Function that its callers execute themselves: it knows the type that each of them names. */
open class KotlinInline {

    @DistributedLock("job")
    inline fun <reified T> work(): String = T::class.java.name
}

/** Annotated type with such a function beside another one. */
@DistributedLock("type")
open class KotlinInlineOfType {

    open fun other(): String = current()

    inline fun <reified T> work(): String = T::class.java.name
}

/** Function that Java does not see, and that can be overridden. */
open class KotlinSynthetic {

    @JvmSynthetic
    @DistributedLock("job")
    open fun work(): String = current()
}

/** Accessor of a property, which no function calls. */
open class KotlinAccessor {

    @get:DistributedLock("job")
    val work: String
        get() = current()

    open fun getWork(times: Int): String = current() + times
}

/** Final function that is no overload of the compiler. */
open class KotlinOwnOverload {

    @DistributedLock("job")
    open fun work(id: String, times: Int = 3): String = id + times

    @DistributedLock("job")
    fun work(id: String): String = id
}

/** Function with a context parameter, which is the first one when it is compiled. */
open class KotlinContext {

    context(tenant: StringBuilder)
    @DistributedLock("order-#{#id}")
    open fun work(id: String): String = "$tenant " + current()
}

/** Suspending functions with expressions of all arguments. */
open class KotlinArguments {

    @DistributedLock(names = ["job-#{#args}"])
    open suspend fun each(text: String, times: Int) {
    }

    @DistributedLock("count-#{#root.args.length}")
    open suspend fun count(text: String, times: Int) {
    }

    @DistributedLock("job", condition = "#{#args.length == 2}")
    open suspend fun conditional(text: String, times: Int) {
    }
}

/** Function with an expression of what the compiler adds to its parameters. */
open class KotlinContinuation {

    @DistributedLock("job-#{#p1}")
    open suspend fun work(text: String): String = current()
}

/** The same by the name that it is compiled to. */
open class KotlinNamedContinuation {

    context(tenant: StringBuilder)
    @DistributedLock("job-#{#\$completion}")
    open suspend fun work(text: String): String = "$tenant " + current()
}

/** Functions that block a thread while they wait, one of which declares that it may be interrupted. */
open class KotlinInterruptible {

    @Throws(InterruptedException::class)
    @DistributedLock(name = "job", waitTime = "10m")
    open fun declared(): String = current()

    @DistributedLock(name = "job", waitTime = "10m")
    open fun undeclared(): String = current()
}

/** Work whose implementation has no class of its own. */
fun interface KotlinJob {

    @DistributedLock("job")
    suspend fun run(): String
}

/** Entry point for tests in Java. */
object KotlinFunctionCalls {

    @JvmStatic
    fun job(): KotlinJob = KotlinJob { current() }

    @JvmStatic
    fun arguments(work: KotlinArguments) = runBlocking {
        work.each("a", 2)
        work.count("a", 2)
        work.conditional("a", 2)
    }

    /** Cancels calls, each by the only thread that waits for the lock, and returns what they end with. */
    @JvmStatic
    fun interrupted(work: KotlinInterruptible, untilWaiting: Runnable): List<Throwable?> =
        listOf<() -> String>(work::declared, work::undeclared).map { function ->
            val end = CompletableDeferred<Throwable?>()
            val call = CoroutineScope(Dispatchers.IO).launch(CoroutineExceptionHandler { _, _ -> }) {
                runInterruptible { function() }
            }
            call.invokeOnCompletion { end.complete(it) }
            untilWaiting.run()
            call.cancel()
            runBlocking { end.await() }
        }

    @JvmStatic
    fun synthetic(work: KotlinSynthetic): String = work.work()

    @JvmStatic
    fun ids(work: KotlinIds, number: Long): List<String> {
        val id = KotlinId(number)
        return listOf(
            work.plain(id),
            runBlocking { work.suspending(id) },
            work.nullable(id),
            work.concatenated(id),
            work.wrapped(KotlinWrappedId(id)),
            work.optional(Optional.of(id)),
            work.element(listOf(id)),
            work.elements(listOf(id)),
        )
    }

    @JvmStatic
    fun overrides(work: KotlinIdHandler, number: Long): List<String> = runBlocking {
        listOf(work.handle(KotlinId(number)), work.later(KotlinId(number)))
    }

    /** Calls a bridge. Spring cannot call that of a suspend function. */
    @JvmStatic
    fun override(work: KotlinHandler<KotlinId>, number: Long): String = work.handle(KotlinId(number))

    @JvmStatic
    fun overrides(work: KotlinIdSource, number: Long): List<Any?> =
        listOf(work.next()?.number, work.pairOf(KotlinId(number), "a"))

    @JvmStatic
    fun overrides(work: KotlinDefaultHandler, number: Long): List<String> = runBlocking {
        listOf(work.handle(KotlinId(number)), work.later(KotlinId(number)))
    }

    @JvmStatic
    fun overloads(work: KotlinTextHandler, number: Long): List<String> =
        listOf(work.handle("a"), work.handle(KotlinId(number)), work.handle(KotlinWrappedId(KotlinId(number))))

    @JvmStatic
    fun fallbacks(work: KotlinFallbacks): List<String> = runBlocking {
        listOf(work.withInternal("a"), work.withId(KotlinId(5)), work.withInternalId(KotlinId(6)))
    }

    @JvmStatic
    fun fallback(work: KotlinAlternatives, number: Long): String = work.work(KotlinId(number))

    @JvmStatic
    fun fallbacks(work: KotlinFallbackOfType): List<String> =
        listOf(work.work("a"), work.`skip-all`("b"), work.`skip-invoice`("c"), work.`skip$all`("d"), work.skip("e"))

    @JvmStatic
    fun fallbacks(work: KotlinFallbacksOfType): List<String> =
        listOf(work.work(KotlinId(1)), work.instead(KotlinId(2)), work.instead(3))

    @JvmStatic
    fun inContext(work: KotlinContext, tenant: String, id: String): String =
        with(StringBuilder(tenant)) { work.work(id) }
}
