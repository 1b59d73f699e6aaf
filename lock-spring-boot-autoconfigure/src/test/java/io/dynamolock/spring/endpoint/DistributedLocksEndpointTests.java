/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.boot.ClosedLocks;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockEndpointAutoConfiguration;
import io.dynamolock.spring.boot.TestClients;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.ReleaseResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.jmx.annotation.JmxEndpointDiscoverer;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;

/** Reading and releasing of locks by operators. */
@ExtendWith(LogCapture.class)
class DistributedLocksEndpointTests {

    private static final String UNRESTRICTED = "management.endpoint.distributedlocks.access=UNRESTRICTED";

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner inDynamoDb = TestClients.contexts(http)
            .withConfiguration(
                    AutoConfigurations.of(EndpointAutoConfiguration.class, DynamolockEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=distributedlocks");

    private final ApplicationContextRunner contexts = inDynamoDb.withPropertyValues("dynamolock.store=memory");
    private final ApplicationContextRunner unrestricted = contexts.withPropertyValues(UNRESTRICTED);

    @Test
    void listsLocksThatTheApplicationDeclares() {
        contexts.withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
                .withBean(Nightly.class)
                .run(context -> {
                    LocksDescriptor listed = (LocksDescriptor) endpoint(context).locks(null, null);

                    assertThat(listed.declared())
                            .containsExactly(new DeclaredLock(
                                    List.of("nightly"),
                                    Nightly.class.getName() + ".run",
                                    "dynamolockManager",
                                    "${nightly.on:false}",
                                    false));
                });
    }

    static class Nightly {

        @DistributedLock(name = "nightly", manager = "dynamolockManager", condition = "${nightly.on:false}")
        public void run() {}
    }

    @Test
    void listsWhatIsHeldHere() {
        inDynamoDb.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("job").owner("me").metadata(Map.of("why", "because")));
            locks.tryAcquire("released").orElseThrow().release();
            http.forget();

            assertThat(held(context)).singleElement().satisfies(shown -> {
                assertThat(shown.name()).isEqualTo("job");
                assertThat(shown.state()).isEqualTo("HELD");
                assertThat(shown.owner()).isEqualTo("me");
                assertThat(shown.fencingToken()).isEqualTo(lease.fencingToken());
                assertThat(shown.acquiredAt()).isEqualTo(lease.acquiredAt());
                assertThat(shown.age()).isGreaterThanOrEqualTo(Duration.ZERO);
                assertThat(shown.expiresAt()).isEqualTo(lease.expiresAt());
                assertThat(shown.metadata()).containsEntry("why", "because");
            });
            assertThat(http.attempts()).isEmpty();
        });
    }

    @Test
    void showsWhichLeasesAreAtRisk() {
        inDynamoDb.withPropertyValues("dynamolock.heartbeat.interval=50ms").run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            http.always(Fault.loseRequest());

            Awaitility.await().until(() -> held(context).get(0).state().equals("AT_RISK"));

            assertThat(lease.isHeld()).isTrue();
            http.always(Fault.none());
            Awaitility.await().until(() -> held(context).get(0).state().equals("HELD"));
        });
    }

    @Test
    void showsTheRowOfAnyLock() {
        contexts.run(context -> {
            context.getBean(LockManager.class).acquire(LockRequest.of("a/b").owner("me"));

            LockDescriptor held = row(endpoint(context), null, "a", "b");
            LockDescriptor free = row(endpoint(context), "dynamolockManager", "nobody's");

            assertThat(held.name()).isEqualTo("a/b");
            assertThat(held.state()).isEqualTo("HELD");
            assertThat(held.owner()).isEqualTo("me");
            assertThat(free.state()).isEqualTo("FREE");
            assertThat(free.owner()).isNull();
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> row(endpoint(context), "nobody", "a"))
                    .withMessageContaining("no lock manager of that name, only [dynamolockManager]")
                    .withMessageNotContaining("nobody");
        });
    }

    @Test
    void showsWhoHeldTheLockLast() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("job").owner("me"));
            lease.markFailed();
            lease.release();

            LockDescriptor free = row(endpoint(context), null, "job");
            locks.acquire(LockRequest.of("job").owner("you"));
            LockDescriptor held = row(endpoint(context), null, "job");

            assertThat(free.lastHold()).isNotNull().satisfies(last -> {
                assertThat(last.owner()).isEqualTo("me");
                assertThat(last.failed()).isTrue();
                assertThat(last.duration()).isNotNull().isBetween(Duration.ZERO, Duration.ofMinutes(1));
                assertThat(last.endedAt()).isCloseTo(lease.acquiredAt(), within(1, ChronoUnit.MINUTES));
            });
            assertThat(held.owner()).isEqualTo("you");
            assertThat(held.lastHold()).isEqualTo(free.lastHold());
            assertThat(row(endpoint(context), null, "never-held").lastHold()).isNull();
        });
    }

    @Test
    void showsWhetherTheLeaseWasRevoked() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.tryAcquire("job").orElseThrow();
            LockDescriptor before = row(endpoint(context), null, "job");

            locks.revoke("job", lease.id());

            assertThat(before.revoked()).isFalse();
            assertThat(row(endpoint(context), null, "job")).matches(LockDescriptor::revoked);
        });
    }

    @Test
    void showsWhetherNobodyCanAcquireTheLock() {
        inDynamoDb.run(context -> {
            ClosedLocks.close(context, "stuck");

            LockDescriptor stuck = row(endpoint(context), null, "stuck");

            assertThat(stuck.state()).isEqualTo("FREE");
            assertThat(stuck.closed()).isTrue();
            assertThat(stuck.defects()).containsExactly("tokenFloor");
            assertThat(stuck.fencingToken()).isZero();
            assertThat(row(endpoint(context), null, "fine").closed()).isFalse();
        });
    }

    @Test
    void listsManagersThatDrain() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            locks.startDraining();
            assertThat(draining(context)).containsExactly("dynamolockManager");
            locks.stopDraining();
            assertThat(draining(context)).isEmpty();
        });
    }

    private static List<String> draining(ApplicationContext context) {
        return ((LocksDescriptor) endpoint(context).locks(null, null)).draining();
    }

    @Test
    void showsNoLeaseIdUnlessItCanBeUsed() {
        contexts.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            assertThat(held(context)).hasSize(1).allSatisfy(shown -> {
                assertThat(shown.leaseId()).isNull();
                assertThat(shown.toString()).doesNotContain(lease.id());
            });
            assertThat(row(endpoint(context), null, "job").leaseId()).isNull();
        });
    }

    @Test
    void releasesByForceWithTheLeaseId(CapturedOutput output) {
        unrestricted.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            String[] name = {"job"};
            DistributedLocksEndpoint endpoint = endpoint(context);
            LockDescriptor shown = row(endpoint, null, name);
            assertThat(shown.leaseId()).isEqualTo(lease.id());

            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.release(name, " ", null, null));
            assertThat(endpoint.release(name, "another", null, null)).isEqualTo(new ReleaseResult("job", false, null));
            assertThat(endpoint.release(name, lease.id(), null, null)).isEqualTo(new ReleaseResult("job", true, null));
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.release(name, lease.id(), null, "nobody"));

            LockDescriptor freed = row(endpoint, null, name);
            assertThat(freed.state()).isEqualTo("FREE");
            assertThat(output.getOut()).containsOnlyOnce("Lock 'job' was released by force");
        });
    }

    @Test
    void listsEachManagerByItsName() {
        contexts.withBean(
                        "mine",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .withBean(
                        "yours",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .run(context -> {
                    Lease held = context.getBean("yours", LockManager.class)
                            .tryAcquire("job")
                            .orElseThrow();

                    assertThat(all(context).managers()).containsOnlyKeys("mine", "yours");
                    assertThat(all(context).managers().get("yours")).hasSize(1);
                    LockDescriptor row = row(endpoint(context), "yours", "job");
                    assertThat(row.state()).isEqualTo("HELD");
                    held.release();
                });
    }

    @Test
    void listsOneManagerOnRequest() {
        contexts.withPropertyValues("dynamolock.managers.billing.name-prefix=b/")
                .run(context -> {
                    LocksDescriptor ofOne = (LocksDescriptor) endpoint(context).locks(null, "billing");

                    assertThat(ofOne.managers()).containsOnlyKeys("billing");
                });
    }

    @Test
    void readsAndReleasesAnyNameByParameter() {
        unrestricted.run(context -> {
            DistributedLocksEndpoint endpoint = endpoint(context);
            for (String name : List.of("a//b", "/lead", "trail/", "semi;x", "a/../b", "100%", "ä ö?&=")) {
                Lease lease = context.getBean(LockManager.class).acquire(name);

                LockDescriptor shown = (LockDescriptor) endpoint.locks(name, null);
                ReleaseResult released = endpoint.releaseByName(name, lease.id(), null, null);

                assertThat(shown.name()).isEqualTo(name);
                assertThat(shown.state()).isEqualTo("HELD");
                assertThat(released).isEqualTo(new ReleaseResult(name, true, null));
            }
        });
    }

    @Test
    void releasesByTheBodyOfARequest() {
        unrestricted.run(context -> {
            Lease lease = context.getBean(LockManager.class).acquire("job");

            ReleaseResult other = endpoint(context).releaseByBody("job", "another", null, null);
            ReleaseResult released = endpoint(context).releaseByBody("job", lease.id(), false, null);

            assertThat(other.released()).isFalse();
            assertThat(released.released()).isTrue();
        });
    }

    @Test
    void freesALockWhoeverHoldsIt() {
        unrestricted.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("a//b").owner("me"));

            ReleaseResult freed = endpoint(context).releaseByName("a//b", null, true, null);
            ReleaseResult again = endpoint(context).release(new String[] {"job"}, null, true, null);

            assertThat(freed.released()).isTrue();
            assertThat(Objects.requireNonNull(freed.was()).owner()).isEqualTo("me");
            assertThat(freed.was().state()).isEqualTo("HELD");
            assertThat(freed.was().fencingToken()).isEqualTo(lease.fencingToken());
            assertThat(again).isEqualTo(new ReleaseResult("job", false, null));
            assertThat(locks.tryAcquire("a//b")).isPresent();
        });
    }

    @Test
    void freesALockWithoutTokens() {
        inDynamoDb.withPropertyValues(UNRESTRICTED).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            ClosedLocks.close(context, "stuck");
            assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.tryAcquire("stuck"));

            ReleaseResult freed = endpoint(context).releaseByName("stuck", null, true, null);

            assertThat(freed.released()).isTrue();
            assertThat(Objects.requireNonNull(freed.was()).state()).isEqualTo("FREE");
            assertThat(locks.tryAcquire("stuck")).isPresent();
        });
    }

    @Test
    void aReleaseSaysWhatItIsToRelease() {
        unrestricted.run(context -> {
            DistributedLocksEndpoint endpoint = endpoint(context);

            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.releaseByName("job", null, null, null))
                    .withMessageContaining("anyway=true");
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.releaseByBody("job", null, false, null));
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.releaseByName("job", "lease", true, null));
        });
    }

    @Test
    void anIllegalNameIsAMistakeOfTheRequest() {
        unrestricted.run(context -> Stream.of("", " ", "a\nb", "a\u001b[2K", "a\u202eb", "x".repeat(2_049), "\ud800")
                .forEach(name -> assertIsAMistakeOfTheRequest(name, endpoint(context))));
    }

    private static void assertIsAMistakeOfTheRequest(String name, DistributedLocksEndpoint endpoint) {
        String[] path = {name};

        for (ThrowingCallable request : List.<ThrowingCallable>of(
                () -> endpoint.locks(name, null),
                () -> endpoint.lock(path, null),
                () -> endpoint.release(path, "lease", null, null),
                () -> endpoint.releaseByName(name, null, true, null),
                () -> endpoint.releaseByBody(name, "lease", null, null))) {
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(request)
                    .satisfies(rejected -> assertThat(rejected.getReason())
                            .contains("lock name")
                            .doesNotContain("\n", "\u001b", "\u202e")
                            .hasSizeLessThan(300));
        }
    }

    @Test
    void aClosedManagerIsNoMistakeOfTheRequest() {
        unrestricted.run(context -> {
            context.getBean(LockManager.class).close();

            assertThatExceptionOfType(LockManagerClosedException.class)
                    .isThrownBy(() -> endpoint(context).locks("job", null));
        });
    }

    @Test
    void everyOperationHasAPathAndANameOfItsOwn() {
        unrestricted.run(context -> {
            WebEndpointDiscoverer web = new WebEndpointDiscoverer(
                    context,
                    new ConversionServiceParameterValueMapper(),
                    EndpointMediaTypes.DEFAULT,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
            JmxEndpointDiscoverer jmx = new JmxEndpointDiscoverer(
                    context, new ConversionServiceParameterValueMapper(), List.of(), List.of(), List.of());

            assertThat(web.getEndpoints().iterator().next().getOperations())
                    .extracting(WebOperation::getRequestPredicate)
                    .extracting(predicate -> predicate.getHttpMethod() + " " + predicate.getPath())
                    .containsExactlyInAnyOrder(
                            "GET distributedlocks",
                            "GET distributedlocks/{*name}",
                            "DELETE distributedlocks",
                            "DELETE distributedlocks/{*name}",
                            "POST distributedlocks");
            assertThat(jmx.getEndpoints().iterator().next().getOperations()).hasSize(5);
        });
    }

    @Test
    void onlyReadingIsThereByDefault() {
        contexts.run(context -> {
            WebEndpointDiscoverer web = new WebEndpointDiscoverer(
                    context,
                    new ConversionServiceParameterValueMapper(),
                    EndpointMediaTypes.DEFAULT,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(OperationFilter.byAccess(context.getBean(EndpointAccessResolver.class))));

            assertThat(web.getEndpoints().iterator().next().getOperations())
                    .extracting(operation -> operation.getType())
                    .containsOnly(OperationType.READ);
        });
    }

    @Test
    void isAbsentIfNotExposedOrDisabledOrWithoutActuator() {
        contexts.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        contexts.withPropertyValues("management.endpoint.distributedlocks.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        contexts.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        TestClients.contexts(http)
                .withConfiguration(AutoConfigurations.of(DynamolockEndpointAutoConfiguration.class))
                .withClassLoader(TestClients.without("org.springframework.boot.actuate."))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockManager.class)
                        .doesNotHaveBean("dynamolockEndpoint"));
    }

    private static LocksDescriptor all(ApplicationContext context) {
        return (LocksDescriptor) endpoint(context).locks(null, null);
    }

    private static List<LockDescriptor> held(ApplicationContext context) {
        return all(context).managers().values().iterator().next();
    }

    private static LockDescriptor row(DistributedLocksEndpoint endpoint, @Nullable String manager, String... name) {
        return endpoint.lock(name, manager);
    }

    private static DistributedLocksEndpoint endpoint(ApplicationContext context) {
        return context.getBean(DistributedLocksEndpoint.class);
    }
}
