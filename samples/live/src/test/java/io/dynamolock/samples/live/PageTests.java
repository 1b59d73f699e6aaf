/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The page in a real browser. Stores pictures of it in {@code target/pictures}. */
@Tag("proof")
@Timeout(180)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
class PageTests {

    private static final String REPORT = "document.getElementById('locks-report').";

    private ConfigurableApplicationContext live;
    private Browser browser;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        Optional<Path> program = Browser.program();
        assumeTrue(program.isPresent(), "needs Chromium or Chrome, on the PATH or in CHROME_BIN");
        live = Live.start(3, "--server.port=0");
        browser = new Browser(program.orElseThrow(), folder, "http://localhost:" + Live.port(live));
        awaitTrue(
                "document.getElementById('locks-report')?.dataset.owner > ''"
                        + " && [...document.querySelectorAll('#processes .card')].every(card => card.dataset.status == 'RUNNING')");
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (live != null) { // also if the browser did not start
            live.close();
        }
    }

    @Test
    void anotherProcessTakesOverFromAKilledOne() throws Exception {
        String killed = owner();
        long token = token();
        assertThat(browser.evaluate(REPORT + "querySelector('.holder').textContent"))
                .isEqualTo("held by " + killed);
        assertThat(browser.evaluate(REPORT + "querySelector('.token').textContent"))
                .isEqualTo("" + token);

        click(killed, "kill");

        awaitTrue(REPORT + "dataset.owner != '" + killed + "' && " + REPORT + "dataset.status == 'HELD'");
        assertThat(owner()).isNotEqualTo(killed).isNotEmpty();
        assertThat(token()).isGreaterThan(token);
        assertThat(status(killed)).isEqualTo("ENDED");
        assertThat(browser.evaluate("document.getElementById('events').textContent"))
                .contains("is killed by SIGKILL")
                .contains("has ended with exit code 137");
    }

    @Test
    void aPausedProcessLearnsOfItsLossWhenItIsWoken() throws Exception {
        String paused = owner();

        click(paused, "pause");

        awaitTrue(card(paused) + ".dataset.status == 'PAUSED'");
        awaitTrue(card(paused) + ".querySelector('.pause').textContent == 'Wake'");
        awaitTrue(REPORT + "dataset.owner != '" + paused + "' && " + REPORT + "dataset.status == 'HELD'");
        awaitTrue(card(paused) + ".textContent.includes('which is over')");
        click(paused, "pause");
        awaitTrue(card(paused) + ".dataset.status == 'RUNNING'");
        awaitTrue("document.querySelector('#events [data-kind=LOST]')?.textContent.includes('report: lost')");
    }

    @Test
    void aProcessWithoutAnswersLosesItsLock() throws Exception {
        String disturbed = owner();

        click(disturbed, "lose");

        awaitTrue(card(disturbed) + ".querySelector('.lose').getAttribute('aria-pressed')");
        awaitTrue("document.querySelector('#events [data-kind=RENEWAL_FAILED]') != null");
        awaitTrue("document.querySelector('#events [data-kind=LOST]')?.textContent.includes('UNREACHABLE')");
        awaitTrue(REPORT + "dataset.owner != '" + disturbed + "' && " + REPORT + "dataset.status == 'HELD'");
        click(disturbed, "lose");
        awaitTrue(card(disturbed) + ".querySelector('.lose').getAttribute('aria-pressed') == 'false'");
    }

    @Test
    void keysPressButtonsThatKeepTheirFocus() throws Exception {
        browser.evaluate("document.getElementById('table').focus()");
        browser.press("Enter", 13, "\r");

        awaitTrue("document.getElementById('table').getAttribute('aria-pressed')");
        awaitTrue("document.querySelector('#events [data-kind=RENEWAL_FAILED]') != null");
        assertThat(browser.evaluate("document.activeElement.textContent")).isEqualTo("Bring the table back");
        browser.press("Enter", 13, "\r");
        awaitTrue("document.getElementById('table').getAttribute('aria-pressed') == 'false'");
    }

    @Test
    void fitsIntoWindowsOfAllSizes() throws Exception {
        for (String scheme : new String[] {"light", "dark"}) {
            for (int width : new int[] {1280, 400}) {
                browser.look(width, 800, scheme);
                browser.picture(Path.of("target/pictures/%s-%d.png".formatted(scheme, width)));
                assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth"))
                        .isEqualTo("0");
            }
        }
    }

    private void click(String process, String button) throws InterruptedException {
        browser.evaluate(card(process) + ".querySelector('." + button + "').click()");
    }

    private static String card(String process) {
        return "document.getElementById('processes-" + process + "')";
    }

    private String owner() throws InterruptedException {
        return browser.evaluate(REPORT + "dataset.owner");
    }

    private long token() throws InterruptedException {
        return Long.parseLong(browser.evaluate(REPORT + "dataset.token"));
    }

    private String status(String process) throws InterruptedException {
        return browser.evaluate(card(process) + ".dataset.status");
    }

    private void awaitTrue(String condition) {
        await(condition).atMost(Duration.ofSeconds(40)).until(() -> browser.evaluate(condition), "true"::equals);
    }
}
