/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Settings of all tests: timeouts for slow machines, and progress lines for slow test classes. */
public final class TestRun implements LauncherSessionListener {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final ClassLoader LOADER = TestRun.class.getClassLoader();

    /** Timeout for conditions that are bound to hold: ends a hanging test, and is short where a test is expected to hang. */
    public static final Duration TIMEOUT = SeededCopy.timeout(TestRun.class);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
        // Uncaught exceptions may be those of a seeded fault, in a thread that outlived its test
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
        if (LOADER == ClassLoader.getSystemClassLoader()) {
            session.getLauncher().registerTestExecutionListeners(ProgressListener.INSTANCE);
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        Awaitility.setDefaultTimeout(LONG);
    }
}
