/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.scheduledjobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.test.AutoConfigureTestLocks;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = "reports.cron=-")
@AutoConfigureTestLocks
class ScheduledJobsApplicationTests {

    @Autowired
    private Reports reports;

    @Autowired
    private LockRecorder locks;

    @Autowired
    private TestClock clock;

    @Test
    void secondStartOfARunIsSkipped() {
        reports.write();
        clock.advance(Duration.ofMillis(900));
        reports.write();
        assertThat(locks.acquired()).hasSize(1);

        clock.advance(Duration.ofMillis(101));
        reports.write();
        assertThat(locks.acquired()).hasSize(2);
    }
}
