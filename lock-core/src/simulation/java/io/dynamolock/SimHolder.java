/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.Fencing;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Works under a lease: increments a fenced counter, renews, detaches, and finally releases. */
final class SimHolder {

    private final SimWorld world;
    private final SimPlan plan;
    private final SimProcess process;
    private final SplittableRandom chance;
    private final SimMailbox mailbox;
    private int operations;

    SimHolder(SimWorld world, SimPlan plan, SimProcess process, SplittableRandom chance, SimMailbox mailbox) {
        this.world = world;
        this.plan = plan;
        this.process = process;
        this.chance = chance;
        this.mailbox = mailbox;
    }

    int operations() {
        return operations;
    }

    void work(Lease lease) {
        boolean certain = true;
        int acts = chance.nextInt(4);
        for (int i = 0; i < acts; i++) {
            process.sleep(chance.nextLong(plan.lease.toNanos() / 2));
            boolean unused = Thread.interrupted();
            boolean held = lease.isHeld();
            operations++;
            int what = chance.nextInt(10);
            if (what < 5) {
                certain = certain && increment(lease);
            } else if (what < 8) {
                renew(lease);
            } else if (what == 8 && detach(lease)) {
                return;
            }
            if (lease.state() == LeaseState.DETACHED) {
                break; // it may be marked in its row or not
            }
            if (!held && lease.isHeld()) {
                world.checker().verdict.broken(4, lease.id() + " was not held and is again");
            }
        }
        if (chance.nextInt(plan.isLong() ? 2 : 12) == 0) {
            outlive(lease);
        }
        release(lease);
    }

    /** Returns whether the lock could be acquired. */
    boolean runUnder(LockRequest request) {
        boolean executed;
        SimWorks.Work[] work = new SimWorks.Work[1];
        try {
            executed = process.locks
                    .tryCall(request, lease -> {
                        work[0] = begin(lease);
                        return workUnder(work[0]);
                    })
                    .executed();
            if (work[0] != null) {
                world.checker().works.returned(work[0]);
            }
        } catch (LeaseLostException lost) {
            world.checker().works.threw(Objects.requireNonNull(work[0]));
            executed = true;
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
        if (Thread.interrupted()) {
            world.checker().verdict.broken(5, "An interrupt has outlived the work under " + request.name());
        }
        return executed;
    }

    /** Works without checking its lease until done or interrupted. Returns whether it was interrupted. */
    private boolean workUnder(SimWorks.Work work) {
        boolean noticed = false;
        for (int i = chance.nextInt(4); i >= 0 && !noticed; i--) {
            process.sleep(chance.nextLong(plan.lease.toNanos()));
            noticed = i > 0 && Thread.interrupted();
        }
        world.checker().works.ends(work, noticed);
        return noticed;
    }

    private SimWorks.Work begin(Lease lease) {
        return world.checker().works.begins(world.scheduler().current(), (HeldLease) lease);
    }

    private void outlive(Lease lease) {
        process.sleep(chance.nextLong(3 * plan.lease.toNanos()));
        world.trace().note(process.number, "still holds", lease.id() + " " + lease.isHeld());
    }

    private void renew(Lease lease) {
        SimCost cost = new SimCost(world, process, lease.name());
        try {
            if (chance.nextInt(2) == 0) {
                lease.renew();
            } else {
                lease.renew(plan.lease.multipliedBy(1 + chance.nextInt(6)).dividedBy(4));
                world.checker().verdict.reached(SimSometimes.SHORTENED);
            }
            cost.ofOne("A renewal");
        } catch (LeaseLostException | LockStoreException expected) {
            world.trace().note(process.number, "cannot renew", lease.id());
        } catch (LockManagerClosedException closed) {
            world.trace().note(process.number, "gets", "closed");
        }
    }

    private boolean detach(Lease lease) {
        try {
            mailbox.put(lease.detach());
            world.checker().tokens.released(lease.id());
            world.trace().note(process.number, "detached", lease.id());
            return true;
        } catch (LeaseLostException | LockStoreException | LockManagerClosedException expected) {
            return false;
        }
    }

    void release(Lease lease) {
        operations++;
        SimCost cost = new SimCost(world, process, lease.name());
        ReleaseOutcome outcome = null;
        try {
            outcome = lease.release();
        } catch (LockStoreException failure) {
            world.trace().note(process.number, "cannot release", lease.id());
        }
        if (lease.isHeld()) {
            world.checker().verdict.broken(4, lease.id() + " is held after its release");
        }
        cost.ofRelease();
        if (!isShared(lease)) {
            world.checker().tokens.released(lease.id());
            noteOutcome(lease, outcome);
            if (outcome != null && chance.nextInt(4) == 0) {
                again(lease, outcome);
            }
        }
    }

    private static boolean isShared(Lease lease) {
        return lease instanceof ReentrantLease;
    }

    private void noteOutcome(Lease lease, @org.jspecify.annotations.Nullable ReleaseOutcome outcome) {
        world.trace().note(process.number, "gets", outcome + " " + lease.id());
        if (outcome != null) {
            world.checker().ends.released(lease, outcome);
        }
    }

    private void again(Lease lease, ReleaseOutcome before) {
        SimCost cost = new SimCost(world, process, lease.name());
        ReleaseOutcome now = lease.release();
        cost.ofNone("A second release");
        if (now != before) {
            world.checker().verdict.broken(5, lease.id() + " was " + before + " and then " + now);
        }
    }

    /** Reads and writes the counter of this lock. Returns whether the outcome is known. */
    private boolean increment(Lease lease) {
        Map<String, AttributeValue> key = Map.of(SimNet.KEY, AttributeValue.fromS(SimCounters.PREFIX + lease.name()));
        String id = lease.id() + "+" + operations;
        try {
            SimClient client = world.stores().clientOf(process);
            Map<String, AttributeValue> item = client.getItem(GetItemRequest.builder()
                            .tableName(SimNet.TABLE)
                            .key(key)
                            .consistentRead(true)
                            .build())
                    .item();
            if (chance.nextInt(4) == 0) {
                process.sleep(chance.nextLong(2 * plan.lease.toNanos()));
            }
            long next = SimCounters.number(item, "value") + 1;
            client.transactWriteItems(write(lease, key, next, id));
            world.checker().counters.acknowledged(id);
            world.checker().verdict.reached(SimSometimes.INCREMENTED);
            return true;
        } catch (LeaseLostException | IllegalStateException over) {
            return true;
        } catch (TransactionCanceledException rejected) {
            world.checker().verdict.reached(SimSometimes.INCREMENT_FENCED_OFF);
            return true;
        } catch (SdkException unknown) {
            return false;
        }
    }

    private static TransactWriteItemsRequest write(
            Lease lease, Map<String, AttributeValue> key, long value, String id) {
        ConditionCheck holds = Fencing.conditionCheck(lease);
        Expression newest = Fencing.notFencedOff(lease, "fence");
        Update update = Update.builder()
                .tableName(SimNet.TABLE)
                .key(key)
                .updateExpression("SET #value = :value, #fence = :fence, #by = :by")
                .conditionExpression(newest.expression())
                .expressionAttributeNames(Map.of("#value", "value", "#fence", "fence", "#by", "by"))
                .expressionAttributeValues(Map.of(
                        ":value",
                        AttributeValue.fromN(Long.toString(value)),
                        ":fence",
                        AttributeValue.fromN(Long.toString(lease.fencingToken())),
                        ":by",
                        AttributeValue.fromS(id)))
                .build();
        return TransactWriteItemsRequest.builder()
                .clientRequestToken(id)
                .transactItems(
                        TransactWriteItem.builder().conditionCheck(holds).build(),
                        TransactWriteItem.builder().update(update).build())
                .build();
    }
}
