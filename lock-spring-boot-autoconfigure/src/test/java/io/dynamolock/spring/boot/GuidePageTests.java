/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** The code in guide.md is that of this class, and of the controller in samples/web-mvc. */
class GuidePageTests {

    private static final String GUIDE = Docs.page("guide.md");
    private static final String OVER_HTTP = "## A busy lock over HTTP";

    @Test
    void pageShowsTheCodeThatIsRunHere() {
        String[] parts = GUIDE.split("(?=## )");

        Docs.assertCodeIsThatOf(GuidePageTests.class, without(OVER_HTTP, parts), 3);
    }

    private static String without(String heading, String[] parts) {
        return String.join(
                "", Stream.of(parts).filter(part -> !part.startsWith(heading)).toList());
    }

    @Test
    void pageShowsTheHandlerOfTheSample() {
        String controller = Docs.read(Docs.ROOT.resolve(
                Path.of("samples/web-mvc/src/main/java/io/dynamolock/samples/webmvc/OrderController.java")));
        String section = GUIDE.substring(GUIDE.indexOf(OVER_HTTP));

        assertThat(controller).contains(Docs.blocks("java", section).get(0).indent(4));
    }

    @Test
    void pageNamesEveryPolicy() {
        String section = GUIDE.substring(GUIDE.indexOf("## When a lock is lost"));

        assertThat(Stream.of(OnLost.values()).filter(policy -> policy != OnLost.DEFAULT))
                .allSatisfy(policy -> assertThat(section).contains("| `" + policy + "`"));
    }

    @Test
    void codeOfThePageWorks() {
        Locking.inMemory().withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            jobs.nightly();
            jobs.nightly(); // skipped: the lock is kept for the minimum hold time
            jobs.importFiles(List.of(Path.of("a"), Path.of("b")));

            assertThat(jobs.done()).containsExactly("report", "a", "b");
        });
    }

    @Test
    void partOfPipelineRunsUnderTheLock() {
        Locking.inMemory().withBean(Jobs.class).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Mono<Status> work = Mono.fromSupplier(() -> locks.inspect("order-7").status());

            assertThat(context.getBean(Jobs.class).underLock("order-7", work).block())
                    .isEqualTo(Status.HELD);

            assertThat(locks.inspect("order-7").status()).isEqualTo(Status.FREE);
        });
    }

    interface Reports {
        void build();
    }

    static class Jobs {

        private final List<String> done = new ArrayList<>();
        private final Reports reports = () -> done.add("report");

        List<String> done() {
            return done;
        }

        private void importFile(Path file, long fencingToken) {
            assertThat(fencingToken).isPositive();
            done.add(file.toString());
        }

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "nightly", minHold = "1m")
        public void nightly() {
            reports.build();
        }

        @DistributedLock("#{#name}")
        public <T> Mono<T> underLock(String name, Mono<T> work) {
            return work;
        }

        @DistributedLock("import")
        public void importFiles(List<Path> files) {
            for (Path file : files) {
                Locks.assertHeld();
                importFile(file, Locks.current().orElseThrow().fencingToken());
            }
        }
    }
}
