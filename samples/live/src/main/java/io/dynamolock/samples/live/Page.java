/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What the page {@code index.html} shows, and its buttons. */
@RestController
final class Page {

    /**
     * All that the page shows.
     *
     * @param lease the milliseconds of a lease
     */
    record View(
            long lease,
            boolean tableAway,
            List<RowView> locks,
            List<Processes.View> processes,
            List<Processes.Event> events) {}

    /**
     * A lock, as its row in the table says.
     *
     * @param owner the holder; null if the lock is free
     * @param token the last fencing token
     * @param remaining the milliseconds until the lease ends
     */
    record RowView(
            String name, LockState.Status status, @Nullable String owner, long token, long remaining) {

        static RowView of(LockState row) {
            Instant end = row.expiresAt();
            long remaining =
                    end == null ? 0 : Duration.between(Instant.now(), end).toMillis();
            return new RowView(row.name(), row.status(), row.owner(), row.fencingToken(), Math.max(0, remaining));
        }
    }

    private final Set<SseEmitter> emitters = ConcurrentHashMap.newKeySet();
    private final Processes processes;
    private final LockManager locks;
    private final Duration lease;

    /** The manager reads the table directly, whatever happens to the connections of the processes. */
    Page(Processes processes, LockManager locks, @Value("${dynamolock.lease.duration}") Duration lease) {
        this.processes = processes;
        this.locks = locks;
        this.lease = lease;
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events() {
        SseEmitter emitter = new SseEmitter(0L); // no timeout
        emitter.onCompletion(() -> emitters.remove(emitter));
        emitters.add(emitter);
        return emitter;
    }

    @Scheduled(fixedRate = 200)
    void send() {
        if (emitters.isEmpty()) {
            return;
        }
        List<RowView> rows =
                Jobs.LOCKS.stream().map(locks::inspect).map(RowView::of).toList();
        View view = new View(lease.toMillis(), processes.isTableAway(), rows, processes.views(), processes.events());
        emitters.removeIf(emitter -> !isSent(view, emitter));
    }

    private static boolean isSent(View view, SseEmitter emitter) {
        try {
            emitter.send(view, MediaType.APPLICATION_JSON);
            return true;
        } catch (IOException | IllegalStateException closed) {
            return false;
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        emitters.forEach(SseEmitter::complete);
    }

    @PostMapping("/processes")
    void start() throws IOException {
        processes.start();
    }

    @PostMapping("/processes/{name}/{action}")
    void act(@PathVariable String name, @PathVariable String action) throws IOException {
        switch (action) {
            case "start" -> processes.start(name);
            case "kill" -> processes.kill(name);
            case "pause" -> processes.pause(name);
            case "wake" -> processes.wake(name);
            case "lose-answers" -> processes.loseAnswers(name, true);
            case "get-answers" -> processes.loseAnswers(name, false);
            default -> throw new IllegalStateException("Unknown action: " + action);
        }
    }

    @PostMapping("/table/{place}")
    void move(@PathVariable String place) {
        processes.takeTableAway(place.equals("away"));
    }

    /** The state has changed since the button was shown, or the operating system has no such signals. */
    @ExceptionHandler({IllegalStateException.class, IOException.class})
    @ResponseStatus(HttpStatus.CONFLICT)
    String refuse(Exception refused) {
        return String.valueOf(refused.getMessage());
    }
}
