/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.target.SingletonTargetSource;

/** Finds the proxies of a bean, of which it has several if several creators have made one each. */
public final class Proxies {

    private Proxies() {}

    /**
     * Returns the proxies of a bean.
     *
     * @param bean a bean
     * @return the outermost first; empty if the bean has no proxy
     */
    public static List<Advised> of(@Nullable Object bean) {
        List<Advised> proxies = new ArrayList<>();
        Object next = bean;
        while (next instanceof Advised proxy) {
            proxies.add(proxy);
            next = proxy.getTargetSource() instanceof SingletonTargetSource source ? source.getTarget() : null;
        }
        return proxies;
    }
}
