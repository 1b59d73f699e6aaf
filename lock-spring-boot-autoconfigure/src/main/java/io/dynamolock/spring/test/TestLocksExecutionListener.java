/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRow;
import io.dynamolock.LockState;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.Rival;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.transaction.TransactionalTestExecutionListener;

/** Removes the locks that a test method left behind. Does nothing without test locks. */
final class TestLocksExecutionListener implements TestExecutionListener, Ordered {

    /** Attribute of a test: the leases in the rows that the application had left before it. */
    private static final String BEFORE = TestLocksExecutionListener.class.getName() + ".before";

    /** The mark of an open {@code CircuitSwitch} in the metadata of its row. */
    private static final Map.Entry<String, String> SWITCH = Map.entry("dynamolock.kind", "switch");

    /** Comes before a transaction of the test begins, and after it has ended, until when it holds its locks. */
    @Override
    public int getOrder() {
        return TransactionalTestExecutionListener.ORDER - 100;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            ApplicationContext beans = test.getApplicationContext();
            beans.getBeanProvider(LockRecorder.class).ifAvailable(taken -> {
                taken.clear();
                test.setAttribute(BEFORE, leasesIn(beans, row -> !isMinimumHold(row)));
            });
        }
    }

    /** Returns the leases in the rows that are retained. Removes the others, and free rows. */
    private static Set<String> leasesIn(ApplicationContext beans, Predicate<LockRow> retained) {
        Set<String> leases = new HashSet<>();
        retain(beans, row -> {
            if (!retained.test(row)) {
                return false;
            }
            leases.add(Objects.requireNonNull(row.leaseId()));
            return true;
        });
        return leases;
    }

    /**
     * Returns whether a row is kept for the minimum hold of a lock. An open switch is kept, too, as are work that is
     * done once and the number of permits, which are kept for longer than any minimum hold.
     */
    private static boolean isMinimumHold(LockRow row) {
        return row.isKept()
                && !row.metadata().entrySet().contains(SWITCH)
                && !Lease.LONGEST_KEEP.equals(row.leaseDuration());
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            ApplicationContext beans = test.getApplicationContext();
            beans.getBeanProvider(LockRecorder.class).ifAvailable(taken -> cleanUp(beans, taken, before(test)));
        }
    }

    @SuppressWarnings("unchecked") // set by this class
    private static Set<String> before(TestContext test) {
        Object before = test.removeAttribute(BEFORE);
        return before == null ? Set.of() : (Set<String>) before;
    }

    /**
     * Removes no row that is written meanwhile, and asks for the held locks last: work in the background, such as that
     * of a scheduler, would lose a lock that it acquires at this moment.
     */
    private static void cleanUp(ApplicationContext beans, LockRecorder taken, Set<String> before) {
        Set<String> left = leasesIn(beans, row -> true);
        existing(beans, Rival.class).forEach(Rival::releaseAll);
        Set<String> ofLeaders = existing(beans, LeaderElection.class)
                .flatMap(election -> election.lease().stream())
                .map(Lease::id)
                .collect(Collectors.toSet());
        taken.releaseExcept(lease -> ofLeaders.contains(lease.id()));
        retain(
                beans,
                row -> before.contains(row.leaseId())
                        || (!left.contains(row.leaseId()) && !isMinimumHold(row))
                        || isHeld(beans, row));
    }

    private static boolean isHeld(ApplicationContext beans, LockRow row) {
        return existing(beans, LockManager.class)
                .flatMap(LockManager::held)
                .map(LockState::leaseId)
                .anyMatch(Predicate.isEqual(row.leaseId()));
    }

    private static void retain(ApplicationContext beans, Predicate<LockRow> rows) {
        existing(beans, LockManager.class)
                .flatMap(manager -> manager.diagnostics().stream())
                .map(LockDiagnostics::store)
                .filter(InMemoryLockStore.class::isInstance)
                .distinct()
                .forEach(store -> ((InMemoryLockStore) store).retain(rows));
    }

    /** Creates no bean: one that no test has used has left nothing. */
    private static <T> Stream<T> existing(ApplicationContext beans, Class<T> type) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, false, false))
                .filter(name -> BeanTypes.isCreated(name, beans.getAutowireCapableBeanFactory()))
                .map(name -> beans.getBean(name, type));
    }
}
