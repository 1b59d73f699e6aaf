/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import io.dynamolock.spring.LockEvents;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of a {@link LockManager}. A {@code LockManager}, {@link LockStore} or {@link RetryPolicy} bean of the
 * application takes the place of ours; its {@link LockListener} beans are told what happens,
 * and its {@link LockManagerCustomizer} beans have the last word about the manager.
 *
 * @since 0.1
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DynamolockProperties.class)
@Import({DynamoDbStoreConfiguration.class, MemoryStoreConfiguration.class, SecretsConfiguration.class})
public final class DynamolockAutoConfiguration {

    /** Is created by Spring. */
    DynamolockAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    RetryPolicy dynamolockRetryPolicy(DynamolockProperties properties) {
        return CoreSettings.retryPolicy(properties);
    }

    @Bean
    @ConditionalOnMissingBean
    LockEvents dynamolockEvents(ApplicationEventPublisher publisher) {
        return new LockEvents(publisher);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockStore.class)
    LockManager dynamolockManager(
            LockStore store,
            DynamolockProperties properties,
            RetryPolicy retryPolicy,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockManagerCustomizer> customizers,
            ApplicationContext application) {
        LockManager.Builder builder = LockManager.builder(store)
                .settings(CoreSettings.lockSettings(properties))
                .retryPolicy(retryPolicy)
                .shutdownAction(new ApplicationExit(application, System::exit));
        if (StringUtils.hasText(properties.owner())) {
            builder.owner(properties.owner());
        }
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    @Bean
    @ConditionalOnBean(LockManager.class)
    LockManagerLifecycle dynamolockLifecycle(List<LockManager> managers) {
        return new LockManagerLifecycle(managers);
    }
}
