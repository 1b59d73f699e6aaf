/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.coordination.CircuitSwitch;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;

/**
 * Keeps Spring from choosing {@link CircuitSwitch#close()} as the destroy method of a bean: it closes the switch of all
 * processes. A destroy method that the application names stays. Also for a manager of an application that disables locks,
 * as that still locks. Has priority, because other post-processors of beans may need a switch, or an advisor with one.
 */
final class CircuitSwitchPostProcessor implements MergedBeanDefinitionPostProcessor, PriorityOrdered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        if (type == CircuitSwitch.class
                && AbstractBeanDefinition.INFER_METHOD.equals(definition.getDestroyMethodName())) {
            definition.setDestroyMethodName("");
        }
    }
}
