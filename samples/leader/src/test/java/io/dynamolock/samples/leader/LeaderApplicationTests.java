/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.test.AutoConfigureTestLocks;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = {"poller.cron=-", "dynamolock.owner=this"})
@AutoConfigureTestLocks
class LeaderApplicationTests {

    @Autowired
    private Poller poller;

    @Autowired
    private Leadership leadership;

    @Autowired
    private Rival rival;

    @Autowired
    private TestClock clock;

    @Test
    void pollsWhileItLeads() {
        await().until(leadership::isLeader);
        poller.poll();
        assertThat(poller.polls()).isEqualTo(1);

        rival.steal("poller");
        clock.advance(Duration.ofSeconds(15)); // until the next renewal
        assertThat(leadership.isLeader()).isFalse();
        poller.poll();
        assertThat(poller.polls()).isEqualTo(1);

        rival.release("poller");
        await().until(leadership::isLeader);
        poller.poll();
        assertThat(poller.polls()).isEqualTo(2);
    }
}
