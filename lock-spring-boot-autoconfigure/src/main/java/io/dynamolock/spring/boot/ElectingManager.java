/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The manager by which an election of the auto-configuration runs. */
final class ElectingManager {

    private ElectingManager() {}

    /** Returns its name; creates none. */
    static String in(ConfigurableListableBeanFactory beans) {
        String[] managers = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockManager.class, false, false);
        return Stream.of(managers)
                .filter(name -> managers.length == 1 || isPrimary(beans, name))
                .findFirst()
                .orElse(ManagerProperties.DEFAULT_MANAGER);
    }

    private static boolean isPrimary(@Nullable BeanFactory where, String name) {
        if (!(where instanceof ConfigurableListableBeanFactory here)) {
            return false;
        }
        return here.containsBeanDefinition(name)
                ? here.getMergedBeanDefinition(name).isPrimary()
                : isPrimary(here.getParentBeanFactory(), name);
    }
}
