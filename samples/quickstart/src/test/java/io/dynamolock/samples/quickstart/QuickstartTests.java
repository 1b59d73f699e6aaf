/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockBusyException;
import io.dynamolock.spring.test.AutoConfigureTestLocks;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.RecordedLock;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Locks of the application. */
@SpringBootTest(properties = "reports.cron=-")
@AutoConfigureTestLocks
class QuickstartTests {

    @Autowired
    private Reports reports;

    @Autowired
    private Invoices invoices;

    @Autowired
    private LockRecorder locks;

    @Autowired
    private Rival rival;

    @Autowired
    private TestClock clock;

    @Test
    void reportIsWrittenUnderItsLockAndThatOfItsInvoice() {
        reports.nightlyReport();

        assertThat(locks.acquired()).extracting(RecordedLock::name).containsExactly("nightly-report", "invoice-4711");
    }

    @Test
    void reportOfAnotherProcessIsSkippedHere() {
        rival.hold("nightly-report");

        reports.nightlyReport();

        assertThat(locks.acquired()).isEmpty();
    }

    @Test
    void laterInvoiceHasAHigherToken() {
        assertThat(invoices.store("7")).isLessThan(invoices.store("7"));
    }

    @Test
    void invoiceOfAnotherProcessIsRejectedAfterFiveSeconds() {
        rival.hold("invoice-8");
        CompletableFuture<Long> invoice = CompletableFuture.supplyAsync(() -> invoices.store("8"));

        await().until(() -> locks.waitedFor().contains("invoice-8"));
        clock.advance(Duration.ofSeconds(5));

        assertThatThrownBy(invoice::join).hasCauseInstanceOf(LockBusyException.class);
    }
}
