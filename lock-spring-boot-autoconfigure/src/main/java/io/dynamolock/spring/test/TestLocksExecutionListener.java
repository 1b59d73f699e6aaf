/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.Rival;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Removes the locks that a test method left behind. Does nothing without test locks. */
final class TestLocksExecutionListener implements TestExecutionListener {

    @Override
    public void beforeTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(LockRecorder.class).ifAvailable(LockRecorder::clear);
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            ApplicationContext beans = test.getApplicationContext();
            beans.getBeanProvider(LockRecorder.class).ifAvailable(taken -> cleanUp(beans, taken));
        }
    }

    private static void cleanUp(ApplicationContext beans, LockRecorder taken) {
        beans.getBeanProvider(Rival.class).forEach(Rival::releaseAll);
        taken.release();
        List<LockManager> managers =
                beans.getBeanProvider(LockManager.class).stream().toList();
        Set<String> held = managers.stream()
                .flatMap(LockManager::held)
                .map(LockState::leaseId)
                .collect(Collectors.toSet());
        managers.stream()
                .flatMap(manager -> manager.diagnostics().stream())
                .map(LockDiagnostics::store)
                .filter(InMemoryLockStore.class::isInstance)
                .forEach(store -> ((InMemoryLockStore) store).retain(held::contains));
    }
}
