/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The command that runs under a lock, with all processes that it has started, directly or not. */
final class LockedProcess {

    private final Process process;
    private final Duration killAfter;

    /** The processes that were asked to end. */
    private final Set<ProcessHandle> terminated = new LinkedHashSet<>();

    LockedProcess(Process process, Duration killAfter) {
        this.process = process;
        this.killAfter = killAfter;
    }

    /** Starts the command with the standard streams of this process, so that no pipe can fill up. */
    static LockedProcess start(List<String> command, Map<String, String> environment, Duration killAfter)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        return new LockedProcess(builder.start(), killAfter);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks all processes to end, the command first: a shell that sees its child end goes on to its next line. */
    synchronized void terminate() {
        List<ProcessHandle> descendants = process.descendants().toList();
        terminated.add(process.toHandle());
        terminated.addAll(descendants);
        terminated.forEach(ProcessHandle::destroy);
    }

    /** Asks all processes to end, and kills those that have not ended after a time. */
    void stop() throws InterruptedException {
        terminate();
        if (!process.waitFor(killAfter.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
    }

    /**
     * Waits for the end of the command. Processes that it was asked to end with, but left behind, are killed in the end.
     *
     * @return its exit code, or 128 and the number of the signal that ended it
     */
    int await() throws InterruptedException {
        int exitCode = process.waitFor();
        if (!hasEnded()) {
            kill();
        }
        return exitCode;
    }

    /** Whether all processes that were asked to end have ended, after some time. */
    private boolean hasEnded() throws InterruptedException {
        CompletableFuture<?>[] ends;
        synchronized (this) {
            ends = terminated.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        }
        try {
            CompletableFuture.allOf(ends).get(killAfter.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException alive) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private synchronized void kill() {
        process.descendants().forEach(terminated::add);
        terminated.forEach(ProcessHandle::destroyForcibly);
    }
}
