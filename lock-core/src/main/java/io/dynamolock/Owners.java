/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Generates the default owner: host, process id and a random part. */
final class Owners {

    private Owners() {}

    static String ofThisProcess() {
        String random = Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));
        return host() + "-" + ProcessHandle.current().pid() + "-" + random;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
