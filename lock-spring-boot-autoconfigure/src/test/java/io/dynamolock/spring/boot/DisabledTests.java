/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LogCapture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.system.CapturedOutput;

/** Remaining behavior with {@code dynamolock.enabled=false}. */
@ExtendWith(LogCapture.class)
class DisabledTests {

    @Test
    void runsWithoutLocksOrRequestsAndSaysSoOnce(CapturedOutput output) {
        FaultyHttpClient http = TestClients.http();
        TestClients.contexts(http)
                .withBean(Job.class)
                .withPropertyValues("dynamolock.enabled=false")
                .run(context -> {
                    Job job = context.getBean(Job.class);

                    assertThat(job.nested(job)).isEqualTo("ran");

                    assertThat(AopUtils.isAopProxy(job)).isFalse();
                    assertThat(http.attempts()).isEmpty();
                    assertThat(output.getOut())
                            .containsOnlyOnce("dynamolock.enabled=false")
                            .containsOnlyOnce("WARN");
                });
        assertThat(http.attempts()).isEmpty();
    }

    static class Job {

        @DistributedLock("outer")
        public String nested(Job job) {
            return job.run();
        }

        @DistributedLock("job")
        public String run() {
            return "ran";
        }
    }
}
