/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import io.dynamolock.LeaseLostException;
import io.dynamolock.samples.files.Event.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Application that imports the files of a folder. Several processes run it. */
@SpringBootApplication
@EnableScheduling
public class Consumer {

    private static final Semaphore GO_ON = new Semaphore(0);

    private final FileImporter importer;
    private final Path folder;

    Consumer(FileImporter importer, @Value("${folder}") Path folder) {
        this.importer = importer;
        this.folder = folder;
    }

    /**
     * Runs a consumer until its standard input ends. Each line of that lets it go on in the middle of a file.
     *
     * @param args properties
     */
    public static void main(String[] args) {
        ConfigurableApplicationContext consumer = SpringApplication.run(Consumer.class, args);
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .lines()
                .forEach(line -> GO_ON.release());
        consumer.close();
    }

    static void awaitLauncher() {
        GO_ON.acquireUninterruptibly();
    }

    /** A file that another consumer has locked is skipped until the next time. */
    @Scheduled(fixedDelay = 100)
    void importFiles() throws IOException {
        for (Path file : files()) {
            String name = file.getFileName().toString();
            try {
                importer.importFile(name, file);
            } catch (LeaseLostException lost) {
                Event.report(Kind.LOST, name);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
