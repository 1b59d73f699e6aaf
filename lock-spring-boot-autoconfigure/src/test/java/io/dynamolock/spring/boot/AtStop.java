/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.context.SmartLifecycle;

/**
 * Runs an action when the context stops a phase. The action looks its beans up: Spring stops a bean before those that it
 * depends on, whatever their phases.
 */
final class AtStop implements BeanFactoryAware, SmartLifecycle {

    private final int phase;
    private final Consumer<BeanFactory> action;
    private @Nullable BeanFactory beans;
    private volatile boolean running;

    AtStop(int phase, Consumer<BeanFactory> action) {
        this.phase = phase;
        this.action = action;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        this.beans = factory;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        action.accept(Objects.requireNonNull(beans));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
