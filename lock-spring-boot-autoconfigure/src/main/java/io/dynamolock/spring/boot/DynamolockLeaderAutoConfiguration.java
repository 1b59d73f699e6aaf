/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LookedUp;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.interceptor.DistributedLockAdvisor;
import io.dynamolock.spring.leader.ElectedLeadership;
import io.dynamolock.spring.leader.OnlyOnLeaderAdvisor;
import io.dynamolock.spring.leader.OnlyOnLeaderValidator;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration of the election of a leader by {@code dynamolock.leader.name}: a {@link LeaderElection} on the
 * default lock manager, which starts and stops with the context, and the {@link Leadership} to ask. Several managers
 * without a primary one fail the startup. A bean of the application of either type replaces it. {@link OnlyOnLeader}
 * methods are advised and validated in any case.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = {
            DistributedLockAutoConfiguration.class,
            DynamolockAutoConfiguration.class,
            DynamolockDisabledAutoConfiguration.class
        })
@Import({DistributedLockAutoConfiguration.ProxyCreator.class, PropertiesConfiguration.class})
public final class DynamolockLeaderAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockLeaderAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyOnLeaderAdvisor dynamolockLeaderAdvisor(
            ObjectProvider<Leadership> leadership,
            ConfigurableListableBeanFactory beans,
            ApplicationContext application) {
        BeanFactory parent = beans.getParentBeanFactory();
        return new OnlyOnLeaderAdvisor(
                new LookedUp<>(application, () -> Optional.of(leadership.getObject()), Optional::empty),
                parent == null
                        ? null
                        : parent.getBeanProvider(OnlyOnLeaderAdvisor.class).getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyOnLeaderValidator dynamolockLeaderValidator(
            ConfigurableListableBeanFactory beans, OnlyOnLeaderAdvisor advisor) {
        return new OnlyOnLeaderValidator(beans, advisor);
    }

    @Bean
    static SmartInitializingSingleton dynamolockLeaderProperties(
            ObjectProvider<DynamolockProperties> properties, ListableBeanFactory beans) {
        return () -> {
            LeaderProperties leader = properties.getObject().leader();
            leader.validate();
            boolean elects = !has(beans, LockManager.class) || has(beans, Leadership.class);
            ProcessedProperties.requireUnchanged(leader.name() == null || elects, "leader.name", "not set");
        };
    }

    private static boolean has(ListableBeanFactory beans, Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0;
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(OnLeaderName.class)
    @ConditionalOnBean(LockManager.class)
    @ConditionalOnMissingBean(Leadership.class)
    static class Election {

        /** Starts after the managers, and stops before them, but after the work of the application. */
        private static final int PHASE = LockManagerLifecycle.PHASE + 1;

        private static final String ELECTION = "dynamolockLeaderElection";

        @Bean(ELECTION)
        @ConditionalOnMissingBean
        LeaderElection dynamolockLeaderElection(ObjectProvider<LockManager> managers, DynamolockProperties properties) {
            LockManager locks = managers.getIfUnique();
            if (locks == null) {
                throw PropertyKeys.DEFAULT.rejection(
                        "{leader.name} is set, but there are several LockManager beans, and none of them is primary",
                        "Mark one of them as @Primary, or define a LeaderElection bean on the one to use.",
                        null);
            }
            return PropertyKeys.LEADER.translating(() -> LeaderElection.of(locks, request(properties.leader())));
        }

        private static LockRequest request(LeaderProperties leader) {
            LockRequest request = LockRequest.of(PropertyKeys.DEFAULT.requireText("leader.name", leader.name()));
            return leader.leaseDuration() == null ? request : request.leaseDuration(leader.leaseDuration());
        }

        /** Not of an election of the application, whose lock and manager are not known. */
        @Bean
        @ConditionalOnBean(name = ELECTION)
        LeaderLockCheck dynamolockLeaderLockCheck(
                ObjectProvider<DistributedLockAdvisor> advisor,
                DynamolockProperties properties,
                Environment environment,
                ConfigurableListableBeanFactory beans) {
            return new LeaderLockCheck(advisor, properties, environment, beans);
        }

        @Bean
        ElectedLeadership dynamolockLeadership(
                LeaderElection election,
                DynamolockProperties properties,
                ObjectProvider<LockManagerFactory> managers,
                ObjectProvider<LockManagerLifecycle> lifecycle,
                ApplicationContext application) {
            String name = String.valueOf(properties.leader().name());
            Duration grace = properties.shutdown().gracePeriod();
            ApplicationExit exit = new ApplicationExit(
                    application,
                    () -> exitMillis(managers.getIfAvailable(), grace, application),
                    System::exit,
                    Runtime.getRuntime()::halt);
            return new ElectedLeadership(
                    election,
                    name,
                    application,
                    properties.leader().exitOnLoss(),
                    onLoss(properties.leader(), exit::exitOnThread),
                    PHASE,
                    () -> closesLate(lifecycle.getIfAvailable()));
        }

        /** Without locking there is neither. */
        private static boolean closesLate(@Nullable LockManagerLifecycle lifecycle) {
            return lifecycle != null && lifecycle.closesLate();
        }

        private static long exitMillis(
                @Nullable LockManagerFactory managers, Duration grace, ApplicationContext application) {
            return managers == null
                    ? ApplicationExit.haltTimeoutMillis(grace, application.getEnvironment())
                    : managers.exitMillis(grace);
        }

        static Runnable onLoss(LeaderProperties leader, Consumer<String> exit) {
            return () -> {
                if (leader.exitOnLoss()) {
                    exit.accept(
                            "it does not lead '%s' any more (dynamolock.leader.exit-on-loss)".formatted(leader.name()));
                }
            };
        }
    }

    /** Matches whenever there is a name, which may be "false". */
    static final class OnLeaderName implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getEnvironment().containsProperty("dynamolock.leader.name");
        }
    }
}
