/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.spring.DistributedLock
import io.dynamolock.spring.OnBusy
import io.dynamolock.spring.OnlyOnLeader
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking

/** Overrides functions by those of a primitive type. */
open class KotlinLongHandler : KotlinHandler<Long> {

    open override fun handle(item: Long): String = current()

    open override suspend fun later(item: Long): String {
        delay(1)
        return current()
    }
}

/** Overrides one of them once more. */
open class KotlinNextLongHandler : KotlinLongHandler() {

    override fun handle(item: Long): String = "next " + current()
}

/** Value class of a text. */
@JvmInline
value class KotlinName(val text: String)

/** Overrides functions by those of that class. */
open class KotlinNameHandler : KotlinHandler<KotlinName> {

    open override fun handle(item: KotlinName): String = current()

    open override suspend fun later(item: KotlinName): String = current()
}

/** Function of any type of parameter, without an annotation. */
interface KotlinPlainHandler<T> {

    fun handle(item: T): String
}

/** Has the annotation where it overrides the function. */
open class KotlinLockedIdHandler : KotlinPlainHandler<KotlinId> {

    @DistributedLock("id-#{#item + 1}", onBusy = OnBusy.FALLBACK, fallback = "instead")
    override fun handle(item: KotlinId): String = current()

    open fun instead(item: KotlinId): String = "instead of ${item.number}"
}

/** The same with a primitive type. */
open class KotlinLockedLongHandler : KotlinPlainHandler<Long> {

    @DistributedLock("id-#{#item + 1}", onBusy = OnBusy.FALLBACK, fallback = "instead")
    override fun handle(item: Long): String = current()

    open fun instead(item: Long): String = "instead of $item"
}

/** Has a function without the annotation beside the one that overrides, for a value class of the same content. */
open class KotlinIdBesideOther : KotlinPlainHandler<KotlinId> {

    @DistributedLock("id-#{#item}")
    override fun handle(item: KotlinId): String = current()

    open fun handle(item: KotlinOtherId): String = current()
}

/** The same the other way round. */
open class KotlinOtherBesideId : KotlinPlainHandler<KotlinOtherId> {

    @DistributedLock("id-#{#item}")
    override fun handle(item: KotlinOtherId): String = current()

    open fun handle(item: KotlinId): String = current()
}

/** Value class of any object. */
@JvmInline
value class KotlinAny(val content: Any)

/** Has a fallback whose parameter takes any object. */
open class KotlinAnyHandler : KotlinPlainHandler<KotlinAny> {

    @DistributedLock("any", onBusy = OnBusy.FALLBACK, fallback = "instead")
    override fun handle(item: KotlinAny): String = current()

    open fun instead(item: KotlinAny): String = "instead of ${item.content}"
}

/** Declares a fallback of any type. */
abstract class KotlinSpare<T> {

    abstract fun instead(item: T): String
}

/** Has one that overrides it. */
open class KotlinTextSpare : KotlinSpare<String>() {

    @DistributedLock("any", onBusy = OnBusy.FALLBACK, fallback = "instead")
    open fun work(item: String): String = current()

    override fun instead(item: String): String = "instead of $item"
}

/** Work that only the leader does, with any type of parameter. */
interface KotlinLeaderWork<T> {

    @OnlyOnLeader
    fun work(item: T)

    fun more(item: T)
}

/** Work with a primitive type. */
open class KotlinLongLeaderWork : KotlinLeaderWork<Long> {

    override fun work(item: Long) = Unit

    @OnlyOnLeader
    override fun more(item: Long) = Unit
}

/** Work with a value class. */
open class KotlinIdLeaderWork : KotlinLeaderWork<KotlinId> {

    override fun work(item: KotlinId) = Unit

    @OnlyOnLeader
    override fun more(item: KotlinId) = Unit
}

/** Calls of the functions above, by their class and by their interface. */
object KotlinBridgeCalls {

    @JvmStatic
    fun longs(work: KotlinLongHandler): List<String> = runBlocking {
        listOf(work.handle(7), work.later(7))
    }

    @JvmStatic
    fun names(work: KotlinNameHandler): List<String> = runBlocking {
        listOf(work.handle(KotlinName("a")), work.later(KotlinName("a")))
    }

    @JvmStatic
    fun byType(work: KotlinHandler<Long>): String = work.handle(7)

    @JvmStatic
    fun id(work: KotlinPlainHandler<KotlinId>): String = work.handle(KotlinId(7))

    @JvmStatic
    fun plainLong(work: KotlinPlainHandler<Long>): String = work.handle(7)

    @JvmStatic
    fun other(work: KotlinPlainHandler<KotlinOtherId>): String = work.handle(KotlinOtherId(7))

    @JvmStatic
    fun any(work: KotlinPlainHandler<KotlinAny>): String = work.handle(KotlinAny("a"))

    @JvmStatic
    fun idByClass(work: KotlinLockedIdHandler): String = work.handle(KotlinId(7))
}
