/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.interceptor.DistributedLockAdvisor;
import io.dynamolock.spring.interceptor.DistributedLockPosition;
import io.dynamolock.spring.interceptor.DistributedLockValidator;
import io.dynamolock.spring.interceptor.LockRuntimeHints;
import io.dynamolock.spring.interceptor.TransactionGuard;
import java.util.List;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.ApplicationContext;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySources;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of {@link io.dynamolock.spring.DistributedLock @DistributedLock}: the advice, a proxy creator if
 * no other is registered, and the validation of all annotations at startup. Calls are observed if there is one
 * {@link io.micrometer.observation.ObservationRegistry}. Like any observations, they can be disabled:
 * {@code management.observations.enable.dynamolock=false}. With {@code dynamolock.enabled=false}, all of it applies as
 * well, but the methods run without locks.
 *
 * @since 0.1
 */
@AutoConfiguration(after = {DynamolockAutoConfiguration.class, DynamolockDisabledAutoConfiguration.class})
@ImportRuntimeHints(LockRuntimeHints.class)
@Import({
    CircuitSwitchPostProcessor.class,
    DistributedLockAutoConfiguration.ProxyCreator.class,
    PropertiesConfiguration.class
})
public final class DistributedLockAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DistributedLockAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAdvisor dynamolockAdvisor(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DynamolockProperties> properties,
            ObjectProvider<DynamolockDisabledAutoConfiguration.Unlocked> unlocked,
            ApplicationContext application) {
        return new DistributedLockAdvisor(
                beans,
                () -> onBusy(properties.getObject()),
                () -> properties.getObject().annotation().holdUntilTransactionCompletes(),
                SingletonSupplier.of(() -> order(application))::obtain,
                unlocked.stream()
                        .map(DynamolockDisabledAutoConfiguration.Unlocked::manager)
                        .findAny()
                        .orElse(null),
                application);
    }

    /**
     * Returns the order. Creates no bean: Spring creates none where a background thread makes a proxy, and the properties
     * would be bound before all are registered. Their binding rejects an invalid order.
     */
    private static int order(ApplicationContext application) {
        PropertySources sources = sources(application);
        Iterable<ConfigurationPropertySource> properties = ConfigurationPropertySources.from(sources);
        try {
            return new Binder(properties, new PropertySourcesPlaceholdersResolver(sources))
                    .bind(PropertyKeys.DEFAULT.of("annotation.order"), Integer.class)
                    .orElse(DynamolockProperties.Annotation.DEFAULT.order());
        } catch (BindException invalid) {
            return DynamolockProperties.Annotation.DEFAULT.order();
        }
    }

    /** Returns the sources from which Spring Boot binds properties: more than the environment, if one configurer has them. */
    private static PropertySources sources(ApplicationContext application) {
        List<PropertySourcesPlaceholderConfigurer> configurers = List.copyOf(application
                .getBeansOfType(PropertySourcesPlaceholderConfigurer.class, false, false)
                .values());
        return configurers.size() == 1
                ? configurers.get(0).getAppliedPropertySources()
                : ((ConfigurableEnvironment) application.getEnvironment()).getPropertySources();
    }

    /** Returns the default action for a busy lock, which cannot be a fallback. */
    private static OnBusy onBusy(DynamolockProperties properties) {
        OnBusy onBusy = properties.annotation().onBusy();
        PropertyKeys.DEFAULT.require(
                onBusy != OnBusy.FALLBACK, "annotation.on-busy", onBusy, "be default, skip or throw");
        return onBusy;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockValidator dynamolockValidator(
            ConfigurableListableBeanFactory beans, DistributedLockAdvisor advisor) {
        return new DistributedLockValidator(beans, advisor);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockPosition dynamolockPosition(DistributedLockAdvisor advisor) {
        return new DistributedLockPosition(advisor);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionGuard dynamolockTransactionGuard(ConfigurableListableBeanFactory beans) {
        return new TransactionGuard(beans);
    }

    /** Registers Spring's own proxy creator, unless a more capable one is registered. */
    static final class ProxyCreator implements ImportBeanDefinitionRegistrar, EnvironmentAware {

        private boolean classProxies = true;

        @Override
        public void setEnvironment(Environment environment) {
            classProxies = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (classProxies) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
