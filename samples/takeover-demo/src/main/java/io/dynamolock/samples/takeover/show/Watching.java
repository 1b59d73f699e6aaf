/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that report events of a worker: to its journal, and to the launcher, which reads its standard output. */
@Configuration(proxyBeanMethods = false)
class Watching {

    @Bean
    Journal journal(
            @Value("${" + Launcher.JOURNALS + "}") Path journals, @Value("${" + Launcher.WORKER + "}") String worker)
            throws IOException {
        return Journal.open(journals, worker, InstantSource.system(), event -> System.out.println(event.line()));
    }

    @Bean
    Work work(Journal journal, ObjectProvider<LockManager> locks) {
        return new Work(journal, locks);
    }

    @Bean
    LockListener lockStory(Journal journal) {
        return new LockStory(journal);
    }
}
