/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.integration;

import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskExecutor;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Application that handles messages concurrently, but never two of one account, in whatever process. */
@SpringBootApplication
@EnableIntegration
public class IntegrationApplication {

    /**
     * Sends five payments to two accounts.
     *
     * @param args properties
     * @throws InterruptedException if this thread is interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        ConfigurableApplicationContext application = SpringApplication.run(IntegrationApplication.class, args);
        MessageChannel payments = application.getBean("booking.input", MessageChannel.class);
        for (String account : new String[] {"7", "7", "8", "8", "7"}) {
            payments.send(new GenericMessage<>(account));
        }
        application.getBean(Payments.class).awaitBooked(5, TimeUnit.MINUTES);
        application.close();
    }

    /** The registry is configured by dynamolock: each key is a lock of that name. */
    @Bean
    IntegrationFlow booking(LockRegistry<?> locks, Payments payments, TaskExecutor applicationTaskExecutor) {
        LockRequestHandlerAdvice oneAtATime =
                new LockRequestHandlerAdvice(locks, message -> "account-" + message.getPayload());
        return flow -> flow.channel(channels -> channels.executor(applicationTaskExecutor))
                .handle(payments, "book", handler -> handler.advice(oneAtATime));
    }
}
