/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.spring.AnnotatedBeanValidator;
import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LifecycleMethods;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.TemplateMethods;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Validates every {@link OnlyOnLeader} at startup, including those of lazy beans, so that a method that would run on
 * each process fails the startup instead. Creates no bean. A bean that is created later is validated on its creation.
 *
 * @since 0.1
 */
public final class OnlyOnLeaderValidator extends AnnotatedBeanValidator {

    private final ConfigurableListableBeanFactory beans;
    private final OnlyOnLeaderAdvisor advisor;
    private final LifecycleMethods lifecycle;
    private final TemplateMethods templates = new TemplateMethods("OnlyOnLeader");
    private final Set<String> created = ConcurrentHashMap.newKeySet();

    /**
     * Creates the validator.
     *
     * @param beans the bean factory whose definitions are validated
     * @param advisor the advisor that finds the annotations
     */
    public OnlyOnLeaderValidator(ConfigurableListableBeanFactory beans, OnlyOnLeaderAdvisor advisor) {
        super(beans, advisor, advisor.proxied());
        this.beans = beans;
        this.advisor = advisor;
        this.lifecycle = new LifecycleMethods(beans);
    }

    @Override
    protected AnnotatedBeanValidator of(ConfigurableListableBeanFactory child) {
        return new OnlyOnLeaderValidator(child, advisor);
    }

    @Override
    protected void checkClass(String name, Class<?> type) {
        BeanProxy proxy = BeanProxy.of(beans, name, type, null);
        advisor.methodsOf(type).forEach(method -> reject(type, method, proxy.obstacleOfClass(method)));
    }

    @Override
    protected RuntimeException invalid(String type, String problem, String remedy) {
        return new InvalidOnlyOnLeaderException(type, problem, remedy);
    }

    @Override
    protected void check(String name, Class<?> type, @Nullable Object bean, BeanProxy.@Nullable Obstacle unproxied) {
        Set<Method> methods = advisor.methodsOf(type);
        if (methods.isEmpty()) {
            return;
        }
        BeanProxy proxy = BeanProxy.of(beans, name, type, bean);
        methods.forEach(method -> checkMethod(name, type, method, proxy));
        Method first = methods.iterator().next();
        Set<String> leaderships = leaderships();
        require(
                !leaderships.isEmpty(),
                type,
                first,
                "there is no Leadership bean",
                "Set dynamolock.leader.name to a name that all processes of the application share");
        requireUnique(leaderships, type, first);
        if (unproxied != null && !isOfTest(name)) {
            String remedy = unproxied.remedy() + ", or mock it by @MockitoBean";
            require(false, type, first, unproxied.problem(), remedy);
        }
    }

    private Set<String> leaderships() {
        return new TreeSet<>(
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Leadership.class, true, false)));
    }

    /** Asks as each call does, but creates no bean: if one does not exist yet, only the first call asks. */
    private void requireUnique(Set<String> known, Class<?> type, Method method) {
        if (!known.stream().allMatch(name -> BeanTypes.isCreated(name, beans))) {
            return;
        }
        String names = String.join(", ", known);
        try {
            var unused = advisor.leadership();
        } catch (NoUniqueBeanDefinitionException several) {
            String remedy = "Mark one of them as @Primary, or declare the others with @Bean(defaultCandidate = false)";
            require(false, type, method, "there are several Leadership beans: " + names, remedy);
        } catch (NoSuchBeanDefinitionException none) {
            String problem = "no Leadership bean is injected without a qualifier, only with one: " + names;
            require(false, type, method, problem, "Declare the one to ask without defaultCandidate = false");
        }
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        if (beans.containsBeanDefinition(name)) {
            created.add(name);
        }
    }

    /** Whether a bean is a test, or a test replaces it, such as by a mock, which Spring does not create. */
    private boolean isOfTest(String name) {
        return name.endsWith(AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX)
                || (BeanTypes.mayBeMocks(beans) && beans.containsBeanDefinition(name) && !created.contains(name));
    }

    private void checkMethod(String name, Class<?> type, Method method, BeanProxy proxy) {
        require(
                method.getReturnType() == void.class,
                type,
                method,
                "it returns a value, which a skipped call could not return",
                "Make it void");
        reject(type, method, proxy.obstacleOf(method));
        templates.check(method, type);
        require(
                !lifecycle.contains(name, type, method),
                type,
                method,
                "Spring calls an injection, init or destroy method on the bean itself, not on its proxy, on each process",
                "Annotate another method, for example with @EventListener(LeadershipEvent.Granted.class)"
                        + LifecycleMethods.orNotInferred(method));
    }

    private static void reject(Class<?> type, Method method, BeanProxy.@Nullable Obstacle obstacle) {
        if (obstacle != null) {
            require(false, type, method, obstacle.problem(), obstacle.remedy());
        }
    }

    private static void require(boolean right, Class<?> type, Method method, String problem, String remedy) {
        if (!right) {
            throw new InvalidOnlyOnLeaderException(
                    "%s.%s".formatted(type.getName(), KotlinFunctions.sourceNameOf(method)), problem, remedy);
        }
    }
}
