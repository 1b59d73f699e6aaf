/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStore;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.spring.CountingStore;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LeadershipEvent;
import io.dynamolock.spring.LeadershipEvent.Granted;
import io.dynamolock.spring.LeadershipEvent.Revoked;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Undeclared;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LeaderDescriptor;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.leader.ElectedLeadership;
import io.dynamolock.spring.leader.Follower;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;

/** Election of a leader by property. */
class LeaderAutoConfigurationTests {

    private final CountingStore store = new CountingStore();
    private final ApplicationContextRunner without = Locking.inMemory()
            .withBean("shared", LockStore.class, () -> store)
            .withPropertyValues("dynamolock.lease.duration=1s", "dynamolock.wait.poll-max=50ms")
            .withConfiguration(AutoConfigurations.of(
                    DynamolockDisabledAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class))
            .withBean(Events.class);
    private final ApplicationContextRunner contexts = without.withPropertyValues("dynamolock.leader.name=reporter");

    private static Leadership awaitLeader(ApplicationContext context) {
        Leadership leadership = context.getBean(Leadership.class);
        Awaitility.await().until(leadership::isLeader);
        return leadership;
    }

    private static LeadershipEvent nextEvent(ApplicationContext context) throws InterruptedException {
        return Objects.requireNonNull(
                context.getBean(Events.class).events.poll(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void oneOfTwoApplicationsLeads() {
        contexts.run(other -> {
            Leadership follower = other.getBean(Leadership.class);
            awaitLeader(other);
            contexts.run(one -> {
                Awaitility.await().until(() -> store.acquisitions() > 1 && store.reads() > 1); // is rejected, and polls
                assertThat(one.getBean(Leadership.class).isLeader()).isFalse();
                assertThat(one.getBean(Leadership.class)).asString().endsWith(", not leading]");
                assertThat(one.getBean(Leadership.class).lease()).isEmpty();
                assertThat(follower.isLeader()).isTrue();
            });
        });
    }

    @Test
    void nextApplicationLeadsWhenTheLeaderCloses() {
        contexts.run(next -> {
            awaitLeader(next);
            next.getSourceApplicationContext().stop();
            contexts.run(leader -> {
                awaitLeader(leader);
                next.getSourceApplicationContext().start();
            });

            awaitLeader(next);
            Granted first = (Granted) nextEvent(next);
            assertThat(nextEvent(next)).isEqualTo(new Revoked("reporter"));
            assertThat(((Granted) nextEvent(next)).fencingToken()).isGreaterThan(first.fencingToken());
        });
    }

    @Test
    void eventsComeInTurnWhenLeadershipIsLost() {
        contexts.run(context -> {
            Granted first = (Granted) nextEvent(context);
            Leadership leadership = awaitLeader(context);
            assertThat(leadership.name()).isEqualTo("reporter");
            assertThat(leadership.lease().map(Lease::fencingToken)).contains(first.fencingToken());

            LockManager locks = context.getBean(LockManager.class);
            LockState held = locks.inspect("reporter");
            locks.forceRelease("reporter", Objects.requireNonNull(held.leaseId()));

            assertThat(nextEvent(context)).isEqualTo(new Revoked("reporter"));
            assertThat(((Granted) nextEvent(context)).fencingToken()).isGreaterThan(first.fencingToken());
        });
    }

    @Test
    void leaderOfAStoreThatHangsLeadsNoMore() {
        contexts.run(context -> {
            Leadership leadership = awaitLeader(context);

            store.hang();
            Awaitility.await().until(() -> !leadership.isLeader());
            assertThat(nextEvent(context)).isInstanceOf(Granted.class);
            assertThat(nextEvent(context)).isEqualTo(new Revoked("reporter"));
            store.heal();

            awaitLeader(context);
        });
    }

    @Test
    void leaderHasItsOwnLease() {
        contexts.withPropertyValues("dynamolock.leader.lease-duration=40s").run(context -> {
            Lease lease = awaitLeader(context).lease().orElseThrow();

            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
        });
    }

    @Test
    void leadershipEndsAfterTheWorkOfTheApplication() {
        AtomicBoolean led = new AtomicBoolean();
        AtStop work = new AtStop(
                Integer.MIN_VALUE / 4,
                beans -> led.set(beans.getBean(Leadership.class).isLeader()));
        contexts.withBean(AtStop.class, () -> work).run(context -> {
            awaitLeader(context);

            context.getSourceApplicationContext().close();

            assertThat(led).isTrue();
        });
        LockManager next = LockManager.builder(store).build();
        assertThat(next.inspect("reporter").status()).isEqualTo(Status.FREE);
        next.close();
    }

    @Test
    void stoppedLeaderHasNotLostLeadership() {
        CountingLosses losses = new CountingLosses();
        CompletableFuture<Void> told = new CompletableFuture<>();
        ElectedLeadership leadership = losses.leadership(event -> told.complete(null));
        leadership.start();
        assertThat(told).succeedsWithin(Locking.TIMEOUT);

        leadership.stop();

        assertThat(losses.count).hasValue(0);
        losses.manager.close();
    }

    @Test
    void applicationThatLostLeadershipExitsIfAsked() {
        List<String> exits = new ArrayList<>();

        DynamolockLeaderAutoConfiguration.Election.onLoss(new LeaderProperties("reporter", null, false), exits::add)
                .run();
        assertThat(exits).isEmpty();

        DynamolockLeaderAutoConfiguration.Election.onLoss(new LeaderProperties("reporter", null, true), exits::add)
                .run();
        assertThat(exits).containsExactly("it does not lead 'reporter' any more (dynamolock.leader.exit-on-loss)");
    }

    @ParameterizedTest
    @CsvSource({"true, stopped", "false, candidate"})
    void applicationThatExitsIsNoCandidateAgain(boolean exits, String expected) {
        CountingLosses losses = new CountingLosses();
        LeaderElection election = LeaderElection.of(losses.manager, "reporter");
        CompletableFuture<String> state = new CompletableFuture<>();
        ElectedLeadership leadership = losses.leadership(election, exits, event -> {
            if (event instanceof Revoked) {
                state.complete(election.toString());
            }
        });
        leadership.start();
        Awaitility.await().until(leadership::isLeader);

        losses.loseLeadership();

        assertThat(state).succeedsWithin(Locking.TIMEOUT).isEqualTo("LeaderElection[reporter, " + expected + "]");
        leadership.stop();
        losses.manager.close();
    }

    @Test
    void stopAfterALossThatEndsTheElectionAwaitsListeners() {
        CountingLosses losses = new CountingLosses();
        CompletableFuture<Void> mayReturn = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        CompletableFuture<Boolean> stoppedBefore = new CompletableFuture<>();
        ElectedLeadership leadership = losses.leadership(LeaderElection.of(losses.manager, "reporter"), true, event -> {
            if (event instanceof Granted) {
                mayReturn.join();
            } else {
                stoppedBefore.complete(endsSoon(stopped));
            }
        });
        leadership.start();
        Awaitility.await().until(leadership::isLeader);
        losses.loseLeadership();

        var unused = CompletableFuture.runAsync(leadership::stop).thenAccept(stopped::complete);
        assertThat(endsSoon(stopped)).isFalse();
        mayReturn.complete(null);

        assertThat(stoppedBefore).succeedsWithin(Locking.TIMEOUT).isEqualTo(false);
        assertThat(stopped).succeedsWithin(Locking.TIMEOUT);
        losses.manager.close();
    }

    private static boolean endsSoon(CompletableFuture<Void> end) {
        return end.thenApply(none -> true)
                .completeOnTimeout(false, Locking.WATCH.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    @Test
    void lateCallbackOfFormerLeadershipIsNoLossOfTheNext() {
        CountingLosses losses = new CountingLosses();
        LeaderElection election = LeaderElection.of(losses.manager, "reporter");
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        CompletableFuture<Void> wentOn = new CompletableFuture<>();
        election.onElected(lease -> lease.onLost(loss -> mayGoOn.join()));
        ElectedLeadership leadership = losses.leadership(election, false, event -> {});
        AtomicInteger elected = new AtomicInteger(); // also to the leadership, whose callback comes before
        election.onElected(lease -> {
            lease.onLost(loss -> wentOn.complete(null));
            elected.incrementAndGet();
        });
        leadership.start();
        Awaitility.await().until(() -> elected.get() == 1);
        losses.loseLeadership();
        Awaitility.await().until(() -> elected.get() == 2);

        mayGoOn.complete(null);

        assertThat(wentOn).succeedsWithin(Locking.TIMEOUT);
        assertThat(losses.count).hasValue(1);
        leadership.stop();
        losses.manager.close();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("on purpose"), new IOException("on purpose"), new NoClassDefFoundError());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void listenerThatFailsNeitherEndsLeadershipNorHidesTheLoss(Throwable failure) {
        CountingLosses losses = new CountingLosses();
        ElectedLeadership leadership = losses.leadership(event -> {
            throw Undeclared.rethrow(failure);
        });
        leadership.start();
        Awaitility.await().until(leadership::isLeader);

        losses.loseLeadership();

        leadership.stop();
        losses.manager.close();
    }

    @ParameterizedTest
    @ValueSource(classes = {Granted.class, Revoked.class})
    void listenerThatDoesNotReturnDoesNotHideTheLoss(Class<?> event) {
        CountingLosses losses = new CountingLosses();
        CompletableFuture<Void> mayReturn = new CompletableFuture<>();
        ElectedLeadership leadership = losses.leadership(published -> {
            if (event.isInstance(published)) {
                mayReturn.join();
            }
        });
        leadership.start();
        Awaitility.await().until(leadership::isLeader);

        losses.loseLeadership();

        mayReturn.complete(null);
        leadership.stop();
        losses.manager.close();
    }

    @Test
    void leaderThatReleasesItsLeaseHasLostLeadershipOnce() {
        CountingLosses losses = new CountingLosses();
        List<ElectedLeadership> leading = new ArrayList<>();
        leading.add(losses.leadership(event -> {
            if (event instanceof Granted) {
                leading.get(0).lease().orElseThrow().release();
            }
        }));

        leading.get(0).start();

        Awaitility.await().until(() -> losses.count.get() == 1);
        leading.get(0).stop();
        assertThat(losses.count).hasValue(1);
        losses.manager.close();
    }

    private final class CountingLosses {

        private final LockManager manager = LockManager.builder(store)
                .leaseDuration(Duration.ofSeconds(1))
                .shutdownGrace(Duration.ZERO)
                .build();
        private final AtomicInteger count = new AtomicInteger();

        private void loseLeadership() {
            manager.forceRelease(
                    "reporter",
                    Objects.requireNonNull(manager.inspect("reporter").leaseId()));
            Awaitility.await().until(() -> count.get() == 1);
        }

        private ElectedLeadership leadership(ApplicationEventPublisher events) {
            return leadership(LeaderElection.of(manager, "reporter"), false, events);
        }

        private ElectedLeadership leadership(LeaderElection election, boolean exits, ApplicationEventPublisher events) {
            return new ElectedLeadership(election, "reporter", events, exits, count::incrementAndGet, 0, () -> false);
        }
    }

    @Test
    void everyApplicationWithoutLocksLeads() {
        contexts.withPropertyValues("dynamolock.enabled=false").run(one -> {
            awaitLeader(one);
            contexts.withPropertyValues("dynamolock.enabled=false").run(LeaderAutoConfigurationTests::awaitLeader);
            ElectedLeadership leadership = one.getBean(ElectedLeadership.class);
            leadership.stop();
            assertThat(leadership.isLeader()).isFalse();
        });
    }

    /** Without locks, a process is elected before the start of its election has returned; with locks, it can be. */
    @Test
    void listenerDoesNotDelayTheStartup() {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Void> handled = new CompletableFuture<>();
        contexts.withPropertyValues("dynamolock.enabled=false")
                .withInitializer(context -> context.addApplicationListener(event -> {
                    if (event instanceof PayloadApplicationEvent<?> payload
                            && payload.getPayload() instanceof Granted) {
                        started.orTimeout(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                                .join();
                        handled.complete(null);
                    }
                }))
                .run(context -> {
                    started.complete(null);
                    assertThat(handled).succeedsWithin(Locking.TIMEOUT);
                });
    }

    @Test
    void applicationHasNoLeaderByDefault() {
        without.run(
                context -> assertThat(context).doesNotHaveBean(Leadership.class).doesNotHaveBean(LeaderElection.class));
    }

    @Test
    void leadershipOfTheApplicationWins() {
        contexts.withBean(Leadership.class, Follower::new).run(context -> {
            assertThat(context).hasSingleBean(Leadership.class).doesNotHaveBean(LeaderElection.class);
            assertThat(store.writes()).isZero();
        });
    }

    @Test
    void electionOfTheApplicationWins() {
        contexts.withBean("own", LeaderElection.class, () -> LeaderElection.of(LockManager.unlocked(), "own"))
                .run(context -> {
                    awaitLeader(context);
                    assertThat(context).hasSingleBean(LeaderElection.class);
                    assertThat(store.writes()).isZero();
                });
    }

    @Test
    void propertiesWithoutNameFailTheStartup() {
        without.withPropertyValues("dynamolock.leader.exit-on-loss=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockPropertyException.class)
                        .hasMessageContaining("dynamolock.leader.name is not set"));
    }

    @Test
    void falseIsAName() {
        without.withPropertyValues("dynamolock.leader.name=false")
                .run(context -> assertThat(awaitLeader(context).name()).isEqualTo("false"));
    }

    @Test
    void severalManagersWithoutPrimaryFailTheStartup() {
        contexts.withBean("one", LockManager.class, LockManager::unlocked)
                .withBean("two", LockManager.class, LockManager::unlocked)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidLockPropertyException.class)
                        .hasMessageContaining("several LockManager beans"));
        contexts.withBean("one", LockManager.class, LockManager::unlocked)
                .withBean("two", LockManager.class, LockManager::unlocked, bean -> bean.setPrimary(true))
                .run(LeaderAutoConfigurationTests::awaitLeader);
    }

    @Test
    void optionsOutOfRangeNameTheirProperty() {
        assertThatStartupFails("dynamolock.leader.lease-duration=400d", "dynamolock.leader.lease-duration must be");
        assertThatStartupFails("dynamolock.leader.lease-duration=0", "dynamolock.leader.lease-duration must be");
        String tooLong = "dynamolock.leader.name=" + "z".repeat(3_000);
        assertThatStartupFails(tooLong, "dynamolock.leader.name must not exceed");
        assertThatStartupFails(tooLong, "or remove it to elect none.");
    }

    private void assertThatStartupFails(String property, String message) {
        contexts.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidSettingException.class)
                        .satisfies(
                                cause -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message)));
    }

    @Test
    void endpointShowsTheLeader() {
        ApplicationContextRunner shown = contexts.withConfiguration(
                        AutoConfigurations.of(DynamolockEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=distributedlocks");
        shown.run(context -> {
            awaitLeader(context);
            assertThat(leaderIn(context)).isEqualTo(new LeaderDescriptor("reporter", true));
            shown.run(other -> assertThat(leaderIn(other)).isEqualTo(new LeaderDescriptor("reporter", false)));
        });
    }

    private static LeaderDescriptor leaderIn(ApplicationContext context) {
        LocksDescriptor shown = (LocksDescriptor)
                context.getBean(DistributedLocksEndpoint.class).locks(null, null);
        return Objects.requireNonNull(shown.leader());
    }

    static class Events {

        private final BlockingQueue<LeadershipEvent> events = new LinkedBlockingQueue<>();

        @EventListener
        void on(LeadershipEvent event) {
            events.add(event);
            throw new IllegalStateException("on purpose");
        }
    }
}
