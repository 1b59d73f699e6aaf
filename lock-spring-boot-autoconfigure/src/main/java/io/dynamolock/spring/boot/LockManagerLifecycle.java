/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagers;
import io.dynamolock.coordination.LeaderElection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Closes the lock managers when the application closes, and drains them while it is stopped: after web servers,
 * schedulers and message listeners, whose work may need its locks until it ends, and before any bean is destroyed, so
 * that the AWS client is still usable. Managers are closed concurrently: together they take no longer than the slowest.
 *
 * <p>If beans wait for work when they are destroyed, as an executor with {@code await-termination} does that runs a
 * task, elections end and managers are closed after these beans, and before what they need, such as the client.
 *
 * <p>Closing waits for open leases on the thread that stops the application, so no phase timeout interrupts it. A
 * context that is only stopped, for example for a checkpoint, can be started again: its existing managers acquire no
 * locks meanwhile, keep open leases, and acquire locks again after the start. Pausing a context does not affect them.
 *
 * <p>Concerns only managers that exist: none is created for it.
 */
final class LockManagerLifecycle
        implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, BeanNameAware, DisposableBean {

    /** Far below all usual phases: starts before and stops after their beans. */
    static final int PHASE = Integer.MIN_VALUE / 2;

    private static final Logger LOG = LoggerFactory.getLogger(LockManagerLifecycle.class);

    private final ApplicationContext application;
    private final ConfigurableListableBeanFactory beans;
    private final LateShutdown lateShutdown;
    private final Set<LockManager> drained = ConcurrentHashMap.newKeySet();
    private List<LockManager> closedLate = List.of();
    private String name = "";
    private volatile boolean running;

    LockManagerLifecycle(ApplicationContext application, ConfigurableListableBeanFactory beans) {
        this.application = application;
        this.beans = beans;
        this.lateShutdown = new LateShutdown(beans, application.getEnvironment());
    }

    @Override
    public void setBeanName(String name) {
        this.name = name;
    }

    @Override
    public void start() {
        drained.forEach(LockManager::stopDraining);
        drained.clear();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (isClosing()) {
            closeOrWaitForOtherBeans(false);
        } else {
            managers().forEach(this::drain);
        }
    }

    private void closeOrWaitForOtherBeans(boolean paused) {
        Set<String> waiting = lateShutdown.waitingBeans(paused);
        if (!waiting.isEmpty()) {
            lateShutdown.destroyAfter(name, waiting);
            closedLate = managers();
            closedLate.forEach(this::drain); // work that waits for a lock must not delay the shutdown
        } else {
            endElectionsAndClose(managers());
        }
    }

    /** Whether the context closes, and its managers are closed only after beans that wait for their work. */
    boolean closesLate() {
        return isClosing() && !lateShutdown.waitingBeans(false).isEmpty();
    }

    private boolean isClosing() {
        return application instanceof ConfigurableApplicationContext context && context.isClosed();
    }

    /** Called after the beans that wait for their work, if there are any: it may have been that of a leader. */
    @Override
    public void destroy() {
        if (!closedLate.isEmpty()) {
            endElectionsAndClose(closedLate);
        }
    }

    /** Closes the managers of a context that was stopped before: such a context does not stop its beans again. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (!running && event.getApplicationContext() == application) {
            closeOrWaitForOtherBeans(true);
        }
    }

    /** A later close would find its client closed. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    private void endElectionsAndClose(List<LockManager> managers) {
        endSideBySide(existing(LeaderElection.class));
        try {
            LockManagers.closeAll(managers);
        } catch (RuntimeException failure) {
            LOG.warn("A lock manager could not be closed cleanly; its leases expire on their own", failure);
        }
    }

    /** Awaits each election after all have begun to end, so that callbacks that return take no longer than the slowest. */
    private static void endSideBySide(List<LeaderElection> elections) {
        List<LeaderElection> ending =
                elections.stream().filter(LockManagerLifecycle::beginsToEnd).toList();
        ending.forEach(election -> succeeds(election::stop));
    }

    private static boolean beginsToEnd(LeaderElection election) {
        return succeeds(() -> {
            var unused = election.stopAsync();
        });
    }

    private static boolean succeeds(Runnable stop) {
        try {
            stop.run();
            return true;
        } catch (RuntimeException failure) {
            LOG.warn("An election could not be stopped; its lease expires on its own", failure);
            return false;
        }
    }

    private void drain(LockManager manager) {
        try {
            if (manager.diagnostics().map(state -> !state.isDraining()).orElse(true)) {
                drained.add(manager);
                manager.startDraining();
            }
        } catch (RuntimeException failure) {
            LOG.warn("A lock manager could not be drained", failure);
        }
    }

    private List<LockManager> managers() {
        return existing(LockManager.class);
    }

    /** The proxy of a scope has none of its own, and would create one. */
    private <T> List<T> existing(Class<T> type) {
        List<T> existing = new ArrayList<>();
        for (String bean : beans.getBeanNamesForType(type, false, false)) {
            if (beans.containsSingleton(bean)
                    && !beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(bean))) {
                existing.add(beans.getBean(bean, type));
            }
        }
        return existing;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
