/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Mono;

/** Calls that are switched off, and the events about calls that do not run. */
class ConditionTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withBean("toggle", Switch.class)
            .withBean(Jobs.class)
            .withBean(Events.class);

    @Test
    void callsAreSkippedWhileTheConditionIsFalse() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Switch toggle = context.getBean(Switch.class);

            assertThat(jobs.nightly()).contains("ran");
            toggle.on = false;
            assertThat(jobs.nightly()).isEmpty();
            assertThat(jobs.future().get(60, TimeUnit.SECONDS)).isNull();
            assertThat(jobs.mono().blockOptional()).isEmpty();
            toggle.on = true;
            assertThat(jobs.nightly()).contains("ran");
            assertThat(jobs.future().get(60, TimeUnit.SECONDS)).isEqualTo("ran");
            assertThat(jobs.mono().blockOptional()).contains("ran");
            assertThat(jobs.runs()).isEqualTo(4);
        });
    }

    @Test
    void skippedCallAcquiresNothingAndIsAnEvent() {
        contexts.run(context -> {
            context.getBean(Switch.class).on = false;

            context.getBean(Jobs.class).nightly();

            assertThat(context.getBean(Events.class).all)
                    .containsExactly(new LockEvent.Skipped(
                            "dynamolockManager",
                            "nightly",
                            Jobs.class.getName() + ".nightly",
                            LockEvent.Reason.CONDITION));
        });
    }

    @Test
    void conditionCanDependOnArguments() {
        contexts.run(context -> {
            assertThat(context.getBean(Jobs.class).of("eu")).isEqualTo("eu");
            assertThat(context.getBean(Jobs.class).of("us")).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "true,true",
        "TRUE,true",
        "on,true",
        "Yes,true",
        "1,true",
        "false,false",
        "OFF,false",
        "no,false",
        "0,false"
    })
    void conditionIsConvertedAsBySpring(String value, boolean runs) {
        contexts.withPropertyValues("app.converted=" + value)
                .withBean(Converted.class)
                .run(context -> {
                    assertThat(context.getBean(Converted.class).constant()).isEqualTo(runs ? "ran" : null);
                    assertThat(context.getBean(Converted.class).of(value)).isEqualTo(runs ? "ran" : null);
                });
    }

    @Test
    void conditionComesBeforeNameAndManager() {
        contexts.withBean(Broken.class).run(context -> {
            Broken broken = context.getBean(Broken.class);

            assertThat(broken.call(false, "unknown")).isEmpty();
            assertThat(broken.future(false, "unknown").get(60, TimeUnit.SECONDS))
                    .isNull();

            assertThat(context.getBean(Events.class).all)
                    .hasSize(2)
                    .allSatisfy(event -> assertThat(event)
                            .isEqualTo(new LockEvent.Skipped(
                                    "#{#tenant}",
                                    "job-#{#args[7]}",
                                    ((LockEvent.Skipped) event).method(),
                                    LockEvent.Reason.CONDITION)));
            assertThatIllegalStateException().isThrownBy(() -> broken.call(true, "unknown"));
        });
    }

    @Test
    void conditionThatIsNeitherTrueNorFalseFailsTheCall() {
        contexts.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Jobs.class).odd())
                .withMessageContainingAll("#{1 + 1}", "odd", "true or false", "'2'"));
    }

    @Test
    void callsThatCannotBeSkippedOrDecidedFailTheStart() {
        Locking.inMemory()
                .withBean(Primitive.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContainingAll(
                                "a skipped call has no int to return", "or FALLBACK and no condition,"));
        Locking.inMemory()
                .withBean(Constant.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("condition = \"maybe\" is neither true nor false"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "on #{true}",
                "on (#{true})",
                "#{true} on",
                "#{true} or on",
                "#region is 'eu'",
                "#{#region} = 'eu' #{true}"
            })
    void remedyForTextAroundExpressionIsAnExpression(String condition) throws Exception {
        TemplateRules rules = new TemplateRules(
                "condition", new LockExpressionVariables(null, Jobs.class.getMethod("of", String.class)), bean -> true);

        assertThatThrownBy(() -> NameTemplate.parse(condition, text -> text, rules, new LockNameConverter(null)))
                .isInstanceOfSatisfying(
                        InvalidTemplateException.class,
                        text -> assertThat(text.remedy())
                                .isEqualTo("Write one expression, such as #{@jobs.areOn() and #region == 'eu'}"));
    }

    @Test
    void declaredLocksAreKnownWithTheirConditions() {
        contexts.run(context -> {
            String jobs = Jobs.class.getName() + ".";
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .contains(
                            new DeclaredLock(List.of("nightly"), jobs + "nightly", null, "#{@toggle.isOn()}", true),
                            new DeclaredLock(List.of("of-#{#region}"), jobs + "of", null, "#{#region == 'eu'}", null),
                            new DeclaredLock(List.of("busy"), jobs + "rejected", null, null, true));
            context.getBean(Switch.class).on = false;
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .contains(new DeclaredLock(List.of("nightly"), jobs + "nightly", null, "#{@toggle.isOn()}", false));
        });
    }

    @Test
    void overloadedMethodsAreListedWithTheirOwnLocks() {
        contexts.withBean(Overloaded.class).run(context -> {
            String where = Overloaded.class.getName() + ".run";

            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .contains(
                            new DeclaredLock(List.of("all"), where, null, null, true),
                            new DeclaredLock(List.of("of-#{#region}"), where, null, null, true));
        });
    }

    static class Overloaded {
        @DistributedLock("all")
        public void run() {}

        @DistributedLock("of-#{#region}")
        public void run(String region) {}
    }

    @Test
    void lockWhoseConditionFailsIsListedWithoutIt() {
        contexts.withBean("failing", FailingSwitch.class).withBean(Failed.class).run(context -> {
            DistributedLockAdvisor advisor = context.getBean(DistributedLockAdvisor.class);
            String where = Failed.class.getName() + ".run";

            assertThat(advisor.declaredLocks())
                    .contains(new DeclaredLock(List.of("failed"), where, null, "#{@failing.isOn()}", null))
                    .extracting(DeclaredLock::enabled)
                    .contains(true);
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Failed.class).run())
                    .withMessage("flags are unavailable");
        });
    }

    @Test
    void busyCallsAreEvents() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Events events = context.getBean(Events.class);
            context.getBean(LockManager.class).acquire("busy");
            events.all.clear();

            assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::rejected);
            jobs.skipped();
            assertThat(jobs.replaced()).isEqualTo("instead");

            String type = Jobs.class.getName() + ".";
            assertThat(events.all)
                    .containsExactly(
                            new LockEvent.Rejected(
                                    "dynamolockManager", "busy", type + "rejected", LockEvent.Reason.BUSY),
                            new LockEvent.Skipped("dynamolockManager", "busy", type + "skipped", LockEvent.Reason.BUSY),
                            new LockEvent.Skipped(
                                    "dynamolockManager", "busy", type + "replaced", LockEvent.Reason.BUSY));
        });
    }

    @Test
    void failingListenerOfAnEventDoesNotAffectTheCall() {
        contexts.withBean(Failing.class).run(context -> {
            context.getBean(Switch.class).on = false;

            assertThat(context.getBean(Jobs.class).nightly()).isEmpty();
        });
    }

    @Test
    void managerCanDependOnTheCall() {
        contexts.withPropertyValues(
                        "dynamolock.managers.acme.table.name=acme-locks",
                        "dynamolock.managers.umbrella.table.name=umbrella-locks")
                .withBean(Tenants.class)
                .run(context -> {
                    Tenants tenants = context.getBean(Tenants.class);
                    Events events = context.getBean(Events.class);

                    assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                            .filteredOn(lock -> lock.names().contains("bills"))
                            .extracting(DeclaredLock::manager)
                            .containsExactly("#{#tenant}");
                    tenants.bill("acme");
                    tenants.bill("umbrella");

                    assertThat(events.all)
                            .filteredOn(LockEvent.Acquired.class::isInstance)
                            .extracting(LockEvent::manager)
                            .containsExactly("acme", "umbrella");
                    assertThatExceptionOfType(InvalidDistributedLockException.class)
                            .isThrownBy(() -> tenants.bill("initech"))
                            .withMessageContainingAll("bill", "'initech'", "acme", "umbrella");
                });
    }

    static class Switch {

        volatile boolean on = true;

        public boolean isOn() {
            return on;
        }
    }

    static class FailingSwitch {

        public boolean isOn() {
            throw new IllegalStateException("flags are unavailable");
        }
    }

    static class Failed {

        @DistributedLock(name = "failed", condition = "#{@failing.isOn()}")
        public void run() {}
    }

    static class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        @DistributedLock(name = "nightly", condition = "#{@toggle.isOn()}")
        public Optional<String> nightly() {
            return Optional.of(run());
        }

        @DistributedLock(name = "future", condition = "#{@toggle.isOn()}")
        public CompletableFuture<@Nullable String> future() {
            return CompletableFuture.completedFuture(run());
        }

        @DistributedLock(name = "mono", condition = "#{@toggle.isOn()}")
        public Mono<String> mono() {
            return Mono.just(run());
        }

        @DistributedLock(name = "of-#{#region}", condition = "#{#region == 'eu'}")
        public @Nullable String of(String region) {
            return region;
        }

        @DistributedLock(name = "odd", condition = "#{1 + 1}")
        public void odd() {}

        @DistributedLock("busy")
        public void rejected() {}

        @DistributedLock(name = "busy", onBusy = OnBusy.SKIP)
        public void skipped() {}

        @DistributedLock(name = "busy", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String replaced() {
            return "ran";
        }

        String instead() {
            return "instead";
        }

        int runs() {
            return runs.get();
        }

        private String run() {
            Locks.assertHeld();
            runs.incrementAndGet();
            return "ran";
        }
    }

    static class Primitive {

        @DistributedLock(name = "job", condition = "${some.switch:true}")
        public int run() {
            return 1;
        }
    }

    static class Constant {

        @DistributedLock(name = "job", condition = "maybe")
        public void run() {}
    }

    static class Converted {

        @DistributedLock(name = "constant", condition = "${app.converted}")
        public @Nullable String constant() {
            return "ran";
        }

        @DistributedLock(name = "converted", condition = "#{#value}")
        public @Nullable String of(String value) {
            return "ran";
        }
    }

    static class Broken {

        @DistributedLock(name = "job-#{#args[7]}", manager = "#{#tenant}", condition = "#{#runs}")
        public Optional<String> call(boolean runs, String tenant) {
            return Optional.of("ran " + runs + tenant);
        }

        @DistributedLock(name = "job-#{#args[7]}", manager = "#{#tenant}", condition = "#{#runs}")
        public CompletableFuture<@Nullable String> future(boolean runs, String tenant) {
            return CompletableFuture.completedFuture("ran " + runs + tenant);
        }
    }

    static class Tenants {

        @DistributedLock(name = "bills", manager = "#{#tenant}")
        public void bill(String tenant) {
            assertThat(tenant).isNotBlank();
        }
    }

    static class Events {

        final List<LockEvent> all = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockEvent event) {
            all.add(event);
        }
    }

    static class Failing {

        @EventListener
        void on(LockEvent event) {
            throw new IllegalStateException("a listener that fails on " + event);
        }
    }
}
