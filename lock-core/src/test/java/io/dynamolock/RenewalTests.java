/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For how long a holder can renew. */
class RenewalTests {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Node node = Node.alone(Node.settingsWith(
            builder -> builder.settings(Node.settings(Duration.ofSeconds(30))).maxLeaseDuration(LONGEST)));

    @Test
    void refusesADurationBeyondTheLongest() {
        Lease lease = node.take("job");
        node.store.forget();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.renew(LONGEST.plusMillis(1)))
                .withMessageContaining("maxLeaseDuration")
                .withMessageContaining("job");

        assertThat(node.store.operations()).isEmpty();
        assertThat(lease.remaining()).isEqualTo(Moments.believed(Duration.ofSeconds(30)));
        lease.renew(LONGEST);
        assertThat(lease.remaining()).isEqualTo(Moments.believed(LONGEST));
    }

    @Test
    void withoutADurationRenewsForTheOneItWasAcquiredWith() {
        Lease lease = node.take("job");

        lease.renew(Duration.ofSeconds(5));
        lease.renew();

        assertThat(lease.remaining()).isEqualTo(Moments.believed(Duration.ofSeconds(30)));
    }

    @Test
    void theHeartbeatFollowsTheLastRenewalOfTheHolder() {
        Lease lease = node.take("job");

        lease.renew(LONGEST);
        node.pass(Duration.ofMinutes(5));
        Duration longer = lease.remaining();
        lease.renew();
        node.pass(Duration.ofMinutes(5));

        assertThat(longer).isBetween(Duration.ofSeconds(40), LONGEST);
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    @Test
    void aDetachedLeaseKeepsItsLastDuration() {
        Lease lease = node.take("job");
        lease.renew(Duration.ofSeconds(5));

        assertThat(lease.detach().leaseDuration()).isEqualTo(Duration.ofSeconds(5));
    }
}
