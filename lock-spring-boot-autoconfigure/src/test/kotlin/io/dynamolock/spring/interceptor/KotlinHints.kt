/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor

import io.dynamolock.spring.DistributedLock
import java.util.Optional

/** Value class that only lists contain. */
@JvmInline
value class KotlinListedId(val number: Long)

/** Value class that only optionals contain, of a nullable one, which is boxed in it. */
@JvmInline
value class KotlinOptionalId(val id: KotlinOptionalContent?)

/** Value class that only the one above contains. */
@JvmInline
value class KotlinOptionalContent(val number: Long)

/** Value class that only maps contain. */
@JvmInline
value class KotlinMappedId(val number: Long)

/** Value class that only a property has. */
@JvmInline
value class KotlinOwnerId(val number: Long)

/** Value class that only stands for a type variable. */
@JvmInline
value class KotlinHandledId(val number: Long)

/** Parameter with properties. */
class KotlinOwned(val owners: List<KotlinOwnerId>)

/** Functions whose values are boxed in a native image, too. */
open class KotlinHinted {

    @DistributedLock("#{#ids[0]}")
    open fun listed(ids: List<KotlinListedId>) {
    }

    @DistributedLock("#{#id}")
    open fun optional(id: Optional<KotlinOptionalId>) {
    }

    @DistributedLock("#{#ids['a']}")
    open fun mapped(ids: Map<String, KotlinMappedId>) {
    }

    @DistributedLock("#{#owned.owners[0]}")
    open fun owned(owned: KotlinOwned) {
    }
}

/** Function of a value class, which a caller by the interface passes as a boxed value. */
open class KotlinHintedHandler : KotlinHandler<KotlinHandledId> {

    open override fun handle(item: KotlinHandledId): String = ""

    open override suspend fun later(item: KotlinHandledId): String = ""
}
