/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.test.AutoConfigureTestLocks;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.RecordedLock;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = {"reports.cron-before=-", "reports.cron-after=-"})
@AutoConfigureTestLocks
class MovingApplicationTests {

    @Autowired
    private Reports reports;

    @Autowired
    private LockRecorder locks;

    @Autowired
    private TestClock clock;

    @Test
    void methodsBeforeAndAfterTheMoveExcludeEachOther() {
        reports.before();
        reports.after(); // skipped: lockAtLeastFor
        assertThat(locks.acquired()).extracting(RecordedLock::name).containsExactly("report");

        clock.advance(Duration.ofSeconds(1));
        reports.after();
        reports.before(); // skipped: minHold
        assertThat(locks.acquired()).hasSize(2);
    }
}
