/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A web application with Spring MVC: one order is shipped by one request at a time. */
@SpringBootApplication
public class WebMvcApplication {

    /**
     * Starts the application.
     *
     * @param args properties, such as {@code --server.port=8080}
     */
    public static void main(String[] args) {
        SpringApplication.run(WebMvcApplication.class, args);
    }
}
