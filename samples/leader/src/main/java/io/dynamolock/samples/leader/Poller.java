/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.leader;

import io.dynamolock.spring.LeadershipEvent;
import io.dynamolock.spring.OnlyOnLeader;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Work that only one instance does, for as long as it runs. */
@Component
public class Poller {

    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    private final String instance;
    private final AtomicInteger polls = new AtomicInteger();

    Poller(@Value("${dynamolock.owner}") String instance) {
        this.instance = instance;
    }

    /** Polls, in the instance that leads; the call is skipped in others. */
    @Scheduled(cron = "${poller.cron}")
    @OnlyOnLeader
    public void poll() {
        polls.incrementAndGet();
        LOG.info("{} polls", instance);
    }

    /** Called in turn when this instance becomes the leader, and when it is not any more. */
    @EventListener
    void log(LeadershipEvent event) {
        LOG.info("{}: {}", instance, event);
    }

    int polls() {
        return polls.get();
    }
}
