/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any lock manager exists, including non-default candidates, which {@code @ConditionalOnBean} ignores. */
final class OnLockManagerCondition extends SpringBootCondition implements ConfigurationCondition {

    /** Creates the condition. Called by Spring. */
    OnLockManagerCondition() {}

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        boolean found = beans != null && beans.getBeanNamesForType(LockManager.class, true, false).length > 0;
        ConditionMessage.Builder message = ConditionMessage.forCondition("lock managers");
        return new ConditionOutcome(found, found ? message.because("found one") : message.because("found none"));
    }
}
