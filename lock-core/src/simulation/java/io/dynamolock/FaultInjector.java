/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Injects spontaneous faults into random processes and rows at random times. */
final class FaultInjector {

    private static final long SECOND = 1_000_000_000;

    private final SimWorld world;
    private final SimPlan plan;
    private final FakeTable table;
    private final List<SimProcess> processes;

    FaultInjector(SimWorld world, SimPlan plan, FakeTable table, List<SimProcess> processes) {
        this.world = world;
        this.plan = plan;
        this.table = table;
        this.processes = processes;
    }

    void plan() {
        often(
                SimFault.OUTAGE,
                2,
                chance -> world.net().cut(chance.nextBoolean() ? null : someone(chance), length(chance)));
        often(SimFault.WALL_STEP, 3, this::stepWall);
        often(SimFault.WALL_APART, 2, this::setWallApart);
        often(SimFault.SUSPENSION, 4, chance -> suspend(chance, false));
        often(SimFault.FREEZE, 2, chance -> suspend(chance, true));
        often(SimFault.ROW_DELETED, 2, this::delete);
        often(SimFault.ROW_PUT_BACK, 2, this::putBack);
        often(SimFault.CRASH, 2, chance -> crash(someone(chance)));
        often(SimFault.ROW_FORGED, 3, this::forge);
    }

    /** Releases the rows that a later version has taken. */
    void releaseLaterRows() {
        for (int i = 0; i < plan.names; i++) {
            Map<String, AttributeValue> row = table.item(key(i));
            if (SimForger.isLater(row)) {
                table.put(SimForger.released(row));
            }
        }
    }

    private void delete(SplittableRandom chance) {
        Map<String, AttributeValue> key = row(chance);
        changes(key);
        table.delete(key);
    }

    private void changes(Map<String, AttributeValue> key) {
        world.faults().changed(SimRequest.text(key, SimNet.KEY));
    }

    private void forge(SplittableRandom chance) {
        Map<String, AttributeValue> key = row(chance);
        changes(key);
        Map<String, AttributeValue> row = new HashMap<>(table.item(key));
        row.putAll(key);
        table.put(SimForger.forged(row, chance));
    }

    private interface Act {
        void on(SplittableRandom chance);
    }

    private void often(SimFault kind, int most, Act act) {
        if (!world.faults().has(kind)) {
            return;
        }
        SplittableRandom chance = world.faults().chance(kind).split();
        int times = 1 + chance.nextInt(most);
        for (int i = 0; i < times; i++) {
            SplittableRandom details = chance.split();
            long moment = world.scheduler().now() + details.nextLong(15 * SECOND) * plan.slowness();
            world.scheduler().schedule(moment, null, () -> {
                if (world.faults().happens(kind, 1)) {
                    world.trace().note(0, "FAULT", kind.name());
                    act.on(details);
                }
            });
        }
    }

    private SimProcess someone(SplittableRandom chance) {
        List<SimProcess> alive = new ArrayList<>();
        for (SimProcess process : processes) {
            if (!process.isDead()) {
                alive.add(process);
            }
        }
        return alive.isEmpty() ? processes.get(0) : alive.get(chance.nextInt(alive.size()));
    }

    private long length(SplittableRandom chance) {
        return SimPlan.log(chance, SECOND / 100, 3 * plan.lease.toNanos());
    }

    /** Steps a wall clock within the limit where it matters. A step back must not hide a suspension. */
    private void stepWall(SplittableRandom chance) {
        SimProcess process = someone(chance);
        long step = process.mode == LeaseTime.SYSTEM
                ? chance.nextLong(-SimPlan.WALL_ALLOWED, SimPlan.WALL_ALLOWED) - process.clocks.wallOffset()
                : SimPlan.log(chance, SECOND / 100, 600 * SECOND) * (chance.nextBoolean() ? -1 : 1);
        if (step > 0 || process.setBack()) {
            process.clocks.stepWall(step);
        }
    }

    private void setWallApart(SplittableRandom chance) {
        someone(chance).clocks.stepWall(chance.nextLong(-10 * SECOND, 10 * SECOND));
    }

    private void suspend(SplittableRandom chance, boolean frozen) {
        SimProcess process = someone(chance);
        if (frozen || process.maySuspend()) {
            process.suspend(length(chance) / plan.slowness(), frozen);
        }
    }

    private Map<String, AttributeValue> row(SplittableRandom chance) {
        return key(chance.nextInt(plan.names));
    }

    private static Map<String, AttributeValue> key(int number) {
        return Map.of(SimNet.KEY, AttributeValue.fromS("job-" + number));
    }

    private void putBack(SplittableRandom chance) {
        String name = SimRequest.text(row(chance), SimNet.KEY);
        Map<String, AttributeValue> old =
                world.checker().ledger.rowAt(name, world.scheduler().now() - length(chance));
        if (!old.isEmpty()) {
            world.faults().changed(name);
            table.put(old);
        }
    }

    private void crash(SimProcess process) {
        world.trace().note(process.number, "crashes", "");
        process.die();
    }
}
