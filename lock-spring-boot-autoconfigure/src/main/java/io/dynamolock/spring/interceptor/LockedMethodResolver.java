/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LookedUp;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.observation.LockObservationConvention;
import io.dynamolock.spring.observation.LockObservations;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodClassKey;

/** Resolves the annotation of each method once, and rejects invalid ones. */
final class LockedMethodResolver {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethodResolver.class);

    private final Map<MethodClassKey, LockedMethod> known = new ConcurrentHashMap<>();
    private final Map<MethodClassKey, LockSpecification> declared = new ConcurrentHashMap<>();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<OnBusy> onBusy;
    private final BooleanSupplier holdsThroughTransaction;
    private final TemplateParser templates;
    private final LockedMethodFactory methodFactory;
    private final LockManagerResolver managers;
    private final Supplier<LockObservations> observations;
    private final ApplicationContext application;

    LockedMethodResolver(
            ConfigurableListableBeanFactory beans,
            Supplier<OnBusy> onBusy,
            BooleanSupplier holdsThroughTransaction,
            LockManagerResolver managers,
            ApplicationContext application) {
        this.beans = beans;
        this.application = application;
        this.onBusy = onBusy;
        this.holdsThroughTransaction = holdsThroughTransaction;
        this.methodFactory = new LockedMethodFactory(beans, application);
        this.managers = managers;
        this.observations = new LookedUp<>(
                application,
                () -> new LockObservations(
                        beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP),
                        beans.getBeanProvider(LockObservationConvention.class).getIfUnique()),
                () -> new LockObservations(ObservationRegistry.NOOP, null));
        this.templates = new TemplateParser(beans, application);
    }

    /**
     * Returns the locked method behind a call.
     *
     * @param method the called method, possibly of an interface
     * @param type the class of the bean
     * @return null if the method has no annotation
     * @throws InvalidDistributedLockException if the annotation is invalid
     */
    @Nullable
    LockedMethod of(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        LockedMethod locked = known.get(key);
        if (locked == null) {
            AnnotatedMethod annotated = AnnotatedMethod.find(method, type);
            if (annotated != null) {
                locked = annotated.read(() -> read(annotated));
                known.put(key, locked);
            }
        }
        return locked;
    }

    private LockedMethod read(AnnotatedMethod annotated) {
        annotated.requireOne();
        LockRequestFactory requests = requests(annotated);
        CallCondition condition = condition(annotated);
        LockSpecification specification = new LockSpecification(
                annotated.method(),
                annotated.where(),
                requests,
                manager(annotated, requests.example()),
                annotated.manager(),
                condition,
                busyHandler(annotated),
                condition.template() == null ? BusyHandler.THROW : skip(annotated),
                observations,
                application,
                holdsThroughTransaction.getAsBoolean());
        LockedMethod locked = methodFactory.of(annotated, specification);
        declared.put(new MethodClassKey(annotated.method(), annotated.type()), specification);
        return locked;
    }

    /** Returns the locks of the methods that were resolved so far, by method. An interface has several proxies. */
    List<DeclaredLock> declared() {
        return declared.values().stream()
                .map(specification -> new DeclaredLock(
                        specification.requests().templates(),
                        specification.where(),
                        specification.manager().isEmpty() ? null : specification.manager(),
                        specification.condition().source(),
                        specification.condition().now()))
                .distinct()
                .sorted(Comparator.comparing(DeclaredLock::method)
                        .thenComparing(lock -> LockedCall.joined(lock.names())))
                .toList();
    }

    private CallCondition condition(AnnotatedMethod annotated) {
        String source = annotated.text("condition");
        if (source.isBlank()) {
            return new CallCondition(null);
        }
        AttributeTemplate template = templates.parse(annotated, "condition", source);
        if (template.constant() != null && CallCondition.parse(template.constant()) == null) {
            throw annotated.rejected(
                    "condition = \"%s\" %s neither true nor false"
                            .formatted(source, AnnotatedMethod.valueOf(source, template.constant())),
                    "Use true or false (or on, off, yes, no, 1, 0), a placeholder with such a value, or an expression such as"
                            + " \"#{@switches.isOn('nightly')}\"",
                    null);
        }
        return new CallCondition(template);
    }

    private Function<MethodInvocation, NamedBeanHolder<LockManager>> manager(
            AnnotatedMethod annotated, LockRequest example) {
        String source = annotated.manager();
        AttributeTemplate template = source.isEmpty() ? null : templates.parse(annotated, "manager", source);
        if (template == null || template.constant() != null) {
            String name = template == null ? source : Objects.requireNonNull(template.constant());
            Supplier<NamedBeanHolder<LockManager>> manager = managers.of(annotated, name, example);
            return call -> manager.get();
        }
        Map<String, Supplier<NamedBeanHolder<LockManager>>> byName = new ConcurrentHashMap<>();
        return call -> {
            String name = template.forCall(call);
            Supplier<NamedBeanHolder<LockManager>> manager = byName.get(name);
            if (manager == null) {
                manager = managers.of(annotated, name, example); // without the lock of the map, as in LookedUp
                byName.put(name, manager);
            }
            return manager.get();
        };
    }

    private BusyHandler busyHandler(AnnotatedMethod annotated) {
        OnBusy said = annotated.onBusy(onBusy.get());
        EventLoopCheck.check(annotated, said);
        if ((said == OnBusy.FALLBACK) == annotated.text("fallback").isBlank()) {
            throw annotated.rejected(
                    said == OnBusy.FALLBACK
                            ? "onBusy = OnBusy.FALLBACK without a fallback"
                            : "a fallback without onBusy = OnBusy.FALLBACK",
                    "Set both, for example onBusy = OnBusy.FALLBACK, fallback = \"someMethod\"",
                    null);
        }
        return switch (said) {
            case SKIP -> skip(annotated);
            case FALLBACK -> FallbackHandler.of(annotated, beans);
            case THROW, DEFAULT -> BusyHandler.THROW;
        };
    }

    private static BusyHandler skip(AnnotatedMethod annotated) {
        if (!ReturnTypes.canSkip(annotated)) {
            throw annotated.rejected(
                    "a skipped call has no %s to return"
                            .formatted(annotated.returnType().getName()),
                    "Use onBusy = OnBusy.THROW or FALLBACK%s, or return an Optional or a nullable type%s"
                            .formatted(
                                    annotated.text("condition").isEmpty() ? "" : " and no condition",
                                    annotated.orAnnotateMethods()),
                    null);
        }
        return BusyHandler.skip(annotated.where(), ReturnTypes.skipped(annotated.returnType()));
    }

    private LockRequestFactory requests(AnnotatedMethod annotated) {
        List<AttributeTemplate> names = annotated.names().stream()
                .map(name -> nameTemplate(annotated, name))
                .toList();
        LockRequest pattern = pattern(annotated);
        try {
            LockRequestFactory requests = new LockRequestFactory(names, annotated.hasSeveralNames(), pattern);
            LockRequest unused = requests.example();
            return requests;
        } catch (IllegalArgumentException invalid) {
            throw annotated.rejected(String.valueOf(invalid.getMessage()), "Correct the name", invalid);
        }
    }

    private AttributeTemplate nameTemplate(AnnotatedMethod annotated, String source) {
        AttributeTemplate template = templates.parse(annotated, "name", source);
        if (template.parsed().joinsValues() && warned.add(annotated.where())) {
            LOG.warn(
                    "The name template '{}' of {} joins two values without a separator: \"ab\" and \"c\" give the same"
                            + " lock as \"a\" and \"bc\". Separate them by text that no value contains, such as"
                            + " '#{#tenant}/#{#id}'",
                    source,
                    annotated.where());
        }
        return template;
    }

    private LockRequest pattern(AnnotatedMethod annotated) {
        UnaryOperator<String> placeholders = templates::resolveDuration;
        try {
            LockRequest request = LockRequest.of("-").reentrant(true).onLost(annotated.onLost());
            request = with(request, annotated.duration("leaseDuration", placeholders), LockRequest::leaseDuration);
            request = with(request, annotated.isJob() ? Duration.ZERO : null, LockRequest::waitTime);
            request = with(request, annotated.duration("waitTime", placeholders), LockRequest::waitTime);
            request = with(request, annotated.duration("maxHold", placeholders), LockRequest::maxHold);
            return with(request, annotated.duration("minHold", placeholders), LockRequest::minHold);
        } catch (InvalidSettingException invalid) {
            throw annotated.rejected(
                    String.valueOf(invalid.getMessage()),
                    invalid.rule().contains("maxHold")
                            ? "Lower minHold, or raise maxHold"
                            : "Correct " + invalid.setting(),
                    invalid);
        }
    }

    private static LockRequest with(
            LockRequest request, @Nullable Duration duration, BiFunction<LockRequest, Duration, LockRequest> setting) {
        return duration == null ? request : setting.apply(request, duration);
    }
}
