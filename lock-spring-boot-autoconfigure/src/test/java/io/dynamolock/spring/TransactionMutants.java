/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static io.dynamolock.Mutant.Judge.TEST;

import io.dynamolock.Mutant;
import java.util.List;

/** Seeded faults in what locks and transactions do to each other. */
final class TransactionMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "the lock is inside the transaction",
                    TEST,
                    "spring.interceptor.TransactionOrderTests.isOutsideOfTheTransactionByDefault",
                    "spring/boot/DynamolockProperties.java",
                    "static final int DEFAULT_ORDER = Integer.MAX_VALUE - 100;",
                    "static final int DEFAULT_ORDER = Integer.MAX_VALUE;"),
            Mutant.of(
                    "a lock is released before its transaction commits",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.nextHolderSeesCommit",
                    "spring/interceptor/LockedCall.java",
                    "return specification.holdsThroughTransaction() ?",
                    "return !specification.holdsThroughTransaction() ?"),
            Mutant.of(
                    "a future joins the transaction of its caller",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.futureWithoutExecutorIsOutside",
                    "spring/interceptor/FutureExecutor.java",
                    "return TransactionHold.isActive()",
                    "return Thread.interrupted()"),
            Mutant.of(
                    "an executor without threads runs a future in the transaction of its caller",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.futureOfExecutorWithoutThreadsIsOutside",
                    "spring/interceptor/FutureExecutor.java",
                    "if (TransactionHold.isActive()) {",
                    "if (Thread.interrupted()) {"),
            Mutant.of(
                    "a future outside of its caller's transaction waits for a thread that waits for it",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.futureInsideOfSuchOneNeedsNoThreadOfTheExecutor",
                    "spring/interceptor/FutureExecutor.java",
                    "Thread.currentThread() instanceof CallThread || ",
                    ""),
            Mutant.of(
                    "a future outside of its caller's transaction lacks the context of its caller",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.threadOutsideHasContextOfCallerAndKeepsProcessAlive",
                    "spring/interceptor/FutureExecutor.java",
                    "Runnable decorated = decorated(task);",
                    "Runnable decorated = task;"),
            Mutant.of(
                    "a future whose task is not run outside of its caller's transaction is never answered",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.futureWhoseTaskIsNotRunOnItsThreadFails",
                    "spring/interceptor/FutureExecutor.java",
                    "                        task.cancel(false);\n",
                    ""),
            Mutant.of(
                    "the fallback of a draining manager joins the transaction of its caller",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.fallbackWhileManagerDrainsIsOutside",
                    "spring/interceptor/FutureExecutor.java",
                    "                    callOutside(); // its failure",
                    "                    call(); // its failure"),
            Mutant.of(
                    "a process ends while a method is outside of its caller's transaction",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.threadOutsideHasContextOfCallerAndKeepsProcessAlive",
                    "spring/interceptor/FutureExecutor.java",
                    "            setDaemon(false);",
                    "            setDaemon(isDaemon());"),
            Mutant.of(
                    "a future that cannot leave its caller's transaction is never answered",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.futureThatCannotGetOutsideFails",
                    "spring/interceptor/FutureExecutor.java",
                    "ForeignCode.run(() -> startOutside(new Task(this::call)), rejected);",
                    "startOutside(new Task(this::call));"),
            Mutant.of(
                    "an interrupted cancellation repeats itself",
                    TEST,
                    "spring.interceptor.AsyncMethodTests.interruptedCancellationIsNotRepeated",
                    "spring/interceptor/MethodFuture.java",
                    "boolean unused = Thread.interrupted();",
                    "boolean unused = Thread.currentThread().isInterrupted();"),
            Mutant.of(
                    "a suspending function after a transaction is warned of",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.suspendingFunctionInTransactionIsWarnedOfOnce",
                    "spring/interceptor/LockedMethodFactory.java",
                    "if (TransactionHold.isOpen() && warned",
                    "if (TransactionHold.isActive() && warned"),
            Mutant.of(
                    "a suspending function in the transaction of its caller goes unnoticed",
                    TEST,
                    "spring.interceptor.CallerTransactionTests.suspendingFunctionInTransactionIsWarnedOfOnce",
                    "spring/interceptor/LockedMethodFactory.java",
                    "if (TransactionHold.isOpen() && warned",
                    "if (!TransactionHold.isOpen() && warned"),
            Mutant.of(
                    "a lock outlives its transaction",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.lockIsHeldUntilRollback",
                    "spring/interceptor/TransactionHold.java",
                    "all.add(lease);",
                    "lease.isHeld();"),
            Mutant.of(
                    "a lock acquired after the commit is not released",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.lockAcquiredWhileTransactionCompletesIsReleased",
                    "spring/interceptor/TransactionHold.java",
                    "return isActive() && TransactionSynchronizationManager.isSynchronizationActive();",
                    "return isActive();"),
            Mutant.of(
                    "the first call of a transaction decides how losses end",
                    TEST,
                    "spring.interceptor.TransactionLossTests.strictestCallOfTheTransactionDecides",
                    "spring/interceptor/TransactionHold.java",
                    "call.request().onLost());",
                    "OnLost.DEFAULT);"),
            Mutant.of(
                    "a loss during a later synchronization commits",
                    TEST,
                    "spring.interceptor.TransactionLossTests.lossDuringLaterSynchronizationRollsBack",
                    "spring/interceptor/TransactionGuard.java",
                    "            TransactionHold.requireHeld();\n",
                    ""),
            Mutant.of(
                    "an early transaction manager commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatIsCreatedEarlyIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "        Listener.observeAll(beans);\n",
                    ""),
            Mutant.of(
                    "a wrapped transaction manager commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatIsWrappedIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "            Listener.observeOfSpring(bean);\n",
                    ""),
            Mutant.of(
                    "a transaction manager that a factory bean makes commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatFactoryBeanMakesIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "            Listener.observe(bean);\n",
                    ""),
            Mutant.of(
                    "a transaction manager that is wrapped early commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatIsWrappedEarlyIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "                PriorityOrdered,",
                    "                org.springframework.core.Ordered,"),
            Mutant.of(
                    "a transaction manager of a parent context commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerOfParentIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "each = factory.getParentBeanFactory();",
                    "each = null;"),
            Mutant.of(
                    "a transaction manager that a parent context has made commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatFactoryBeanOfParentHasMadeIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "BeanTypes.made(name, beans)",
                    "BeanTypes.existing(name, beans)"),
            Mutant.of(
                    "a transaction manager of a child context commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerOfChildIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "            guard(context.getBeanFactory());\n",
                    ""),
            Mutant.of(
                    "a lazy transaction manager of a child context commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerOfChildIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "            factory.addBeanPostProcessor(new TransactionGuard(beans));\n",
                    ""),
            Mutant.of(
                    "a transaction manager of a child context is guarded too late if listeners run on other threads",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerOfChildIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "        return false;\n",
                    "        return true;\n"),
            Mutant.of(
                    "a lazy transaction manager of a parent context commits under a lost lock",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerOfParentIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "            guard(factory);\n",
                    "            Listener.observeAll(factory);\n"),
            Mutant.of(
                    "each child context adds a guard to its parent",
                    TEST,
                    "spring.interceptor.TransactionLossTests.guardIsAddedOnceToEachContext",
                    "spring/interceptor/TransactionGuard.java",
                    "noneMatch(TransactionGuard.class::isInstance)",
                    "noneMatch(Listener.class::isInstance)"),
            Mutant.of(
                    "the guard of a child context that has been closed fails the start of its parent",
                    TEST,
                    "spring.ChildContextTests.childThatIsClosedBeforeItsParentHasStartedIsIgnored",
                    "spring/interceptor/TransactionGuard.java",
                    "                && context.isActive()) {",
                    "                && context.getId() != null) {"),
            Mutant.of(
                    "an application with a scoped transaction manager does not start",
                    TEST,
                    "spring.interceptor.TransactionLossTests.scopedTransactionManagerIsGuarded",
                    "spring/interceptor/TransactionGuard.java",
                    "                    && !(bean instanceof AopInfrastructureBean)\n",
                    ""),
            Mutant.of(
                    "a look for transaction managers takes the lock of one that another thread creates away",
                    TEST,
                    "spring.interceptor.TransactionLossTests.transactionManagerThatAnotherThreadCreatesDuringTheStartupIsLocked",
                    "spring/interceptor/TransactionGuard.java",
                    "BeanTypes.made(name, beans)",
                    "beans.getSingleton(name)"),
            Mutant.of(
                    "a transaction inside of a lost lock commits",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.lossRollsBackTransactionInsideOfTheLock",
                    "spring/interceptor/TransactionGuard.java",
                    "                    requireNotLost(scope.lease());",
                    ""),
            Mutant.of(
                    "a transaction keeps a lease that its manager did not give",
                    TEST,
                    "spring.interceptor.SilentManagerTests.callInTransactionFails",
                    "spring/interceptor/LockedCall.java",
                    "        return required(manager().acquire(request));",
                    "        return manager().acquire(request);"),
            Mutant.of(
                    "a transaction holds only the first of several locks",
                    TEST,
                    "spring.interceptor.SeveralNamesTests.transactionHoldsAllOfThem",
                    "spring/interceptor/TransactionHold.java",
                    "call.request().names(), ",
                    "call.request().names().subList(0, 1), "),
            Mutant.of(
                    "a transaction that rolls back is recorded as a successful hold",
                    TEST,
                    "spring.interceptor.TransactionHoldTests.transactionThatIsNotCommittedIsRememberedAsFailedHold",
                    "spring/interceptor/TransactionHold.java",
                    "status != STATUS_COMMITTED",
                    "status < STATUS_COMMITTED"),
            Mutant.of(
                    "a lock outside of @Async that is woven is accepted",
                    TEST,
                    "spring.interceptor.AsyncMethodTests.wovenSubmissionStopsTheStart",
                    "spring/interceptor/AsyncOrderCheck.java",
                    "if (beans.containsBean(",
                    "if (!beans.containsBean("),
            Mutant.of(
                    "a transaction of a test loses its locks before it commits",
                    TEST,
                    "spring.test.LeftoversTests.areRemovedOutsideOfTransactionOfMethodAndBeforeItsContextIsClosed",
                    "spring/test/TestLocksExecutionListener.java",
                    "return TransactionalTestExecutionListener.ORDER - 100;",
                    "return LOWEST_PRECEDENCE;"),
            Mutant.of(
                    "a suspending function without kotlin-reflect passes the startup and fails in each call",
                    TEST,
                    "spring.interceptor.KotlinTests.needKotlinReflect",
                    "spring/interceptor/LockedMethodFactory.java",
                    "byReflection && !isPresent(\"kotlin.reflect.full.KClassifiers\")",
                    "byReflection && !isReactorPresent()"),
            Mutant.of(
                    "any of several fallbacks is called",
                    TEST,
                    "spring.interceptor.FallbackHandlerTests.thatDoesNotFitStopsTheStart",
                    "spring/interceptor/FallbackHandler.java",
                    "if (best.size() == 1) {\n            return best.get(0);",
                    "if (!fitting.isEmpty()) {\n            return fitting.get(0);"),
            Mutant.of(
                    "a fallback for another value class is called with the content of this one",
                    TEST,
                    "spring.interceptor.KotlinFunctionTests.stopTheStartIfTheirFallbackIsForAnotherValueClass",
                    "spring/interceptor/FallbackHandler.java",
                    "|| (value != null",
                    "|| (value == Void.class"));

    private TransactionMutants() {}
}
