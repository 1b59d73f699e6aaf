/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.TemplateWork;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import io.dynamolock.spring.leader.Follower;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** Protected methods that a superclass calls on the bean itself. */
@ExtendWith(LogCapture.class)
class TemplateMethodTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void ofSuperclassOfOtherPackageIsWarnedOf(CapturedOutput output) {
        contexts.withBean("first", Prices.class)
                .withBean("second", Prices.class)
                .run(context -> {
                    context.getBean("first", Prices.class).handle("a");

                    assertThat(context.getBean("first", Prices.class).handled()).isEqualTo("a, unlocked");
                    assertThat(output)
                            .containsOnlyOnce("@DistributedLock on " + Prices.class.getName()
                                    + ".handleMessage has no effect if " + TemplateWork.class.getName() + " calls it")
                            .contains("Annotate a public method");
                });
    }

    @Test
    void thatOnlyTheLeaderMayRunIsWarnedOf(CapturedOutput output) {
        contexts.withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withBean(Leadership.class, Follower::new)
                .withBean(Reports.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce("@OnlyOnLeader on " + Reports.class.getName()
                                + ".handleMessage has no effect if " + TemplateWork.class.getName() + " calls it"));
    }

    /** A final method runs on the proxy itself, which intercepts the methods that it calls. */
    @Test
    void thatFinalMethodCallsIsLocked(CapturedOutput output) {
        contexts.withBean(Orders.class).run(context -> {
            Orders.handled = "";
            context.getBean(Orders.class).handleLast("a");

            assertThat(Orders.handled).isEqualTo("a, locked");
            assertThat(output).doesNotContain("has no effect if");
        });
    }

    /** Classes of the package can call it on the proxy; everybody can call a public one. */
    @Test
    void thatOthersCanCallIsNotWarnedOf(CapturedOutput output) {
        contexts.withBean(Near.class).withBean(Public.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("has no effect if");
        });
    }

    private static String locked() {
        return Locks.current().isPresent() ? "locked" : "unlocked";
    }

    static class Prices extends TemplateWork.Of<String> {

        private String handled = "";

        @Override
        @DistributedLock("prices")
        protected void handleMessage(String message) {
            handled = message + ", " + locked();
        }

        public String handled() {
            return handled;
        }
    }

    static class Reports extends TemplateWork<String> {

        @Override
        @OnlyOnLeader
        protected void handleMessage(String message) {}
    }

    static class Orders extends TemplateWork.WithFinal<String> {

        private static String handled = "";

        @Override
        @DistributedLock("orders")
        protected void handleMessage(String message) {
            handled = message + ", " + locked();
        }
    }

    abstract static class OfPackage {

        protected void work() {}
    }

    static class Near extends OfPackage {

        @Override
        @DistributedLock("near")
        protected void work() {}
    }

    static class Public extends TemplateWork<String> {

        @Override
        @DistributedLock("public")
        public void handleMessage(String message) {}
    }
}
