/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The examples in annotation.md are the code in this class, and the page names every attribute. */
class AnnotationPageTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(Shop.class);

    @Test
    void thePageShowsTheCodeThatIsRunHere() {
        Docs.assertCodeIsThatOf(AnnotationPageTests.class, page(), 2);
    }

    @Test
    void thePageNamesEveryAttributeAndValue() {
        List<String> attributes = Stream.of(DistributedLock.class.getDeclaredMethods())
                .map(attribute -> "`" + attribute.getName() + "`")
                .filter(name -> !name.equals("`value`"))
                .toList();

        assertThat(page()).contains(attributes);
        assertThat(page()).contains(Stream.of(OnBusy.values()).map(OnBusy::name).toList());
    }

    @Test
    void theCodeOfThePageWorks() {
        contexts.run(context -> {
            Shop shop = context.getBean(Shop.class);

            assertThat(shop.invoice(new Order("7"))).startsWith("invoice 7 under token ");
            assertThat(shop.prices("home")).containsExactly("fresh prices of home");
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("prices").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(shop.prices("home")).containsExactly("prices of home while prices is busy");
            }
            assertThat(context.getBean(Locking.class).acquired()).contains("invoice-7", "prices");
        });
    }

    private static String page() {
        return Docs.page("annotation.md");
    }

    /** Public, because name expressions access it. */
    public record Order(String id) {}

    static class Shop {

        @DistributedLock(name = "invoice-#{#order.id}", waitTime = "5s", leaseDuration = "${app.lease:20s}")
        public String invoice(Order order) {
            Locks.assertHeld(); // fails if the method was called on 'this', and not under another lock
            return "invoice " + order.id() + " under token " + token();
        }

        private static long token() {
            return Locks.current().orElseThrow().fencingToken();
        }

        @DistributedLock(name = "prices", onBusy = OnBusy.FALLBACK, fallback = "cached")
        public List<String> prices(String market) {
            return List.of("fresh prices of " + market);
        }

        List<String> cached(String market, LockBusyException busy) {
            return List.of("prices of " + market + " while " + busy.lockName() + " is busy");
        }
    }
}
