/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** The parts shared by all processes of a history. */
record SimWorld(
        SimScheduler scheduler, SimFaults faults, SimTrace trace, SimNet net, SimChecker checker, SimStores stores) {}
