/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A machine that is short of threads for a moment. */
class NoThreadTests {

    private final Node node = Node.alone();

    @Test
    void aBeatThatCannotStartIsFollowedByAnother() {
        Lease lease = node.take("job");
        node.tasks.failNextBeat();
        assertThatThrownBy(() -> node.pass(Duration.ofSeconds(15))).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofMinutes(2));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(node.told.losses).isEmpty();
    }

    @Test
    void aWatchThatCannotBeSetIsSetWithTheNextBeat() {
        Lease lease = node.take("job");
        node.tasks.failNextAlarm();
        assertThatThrownBy(() -> node.pass(Duration.ofSeconds(15))).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofMinutes(2));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);

        node.tasks.keepThreadsBusy();
        node.pass(Duration.ofMinutes(2));
        assertThat(node.told.losses).hasSize(1);
    }

    @Test
    void aLeaseThatCannotBeKeptAliveIsGivenBack() {
        node.tasks.failNextAlarm();
        assertThatThrownBy(() -> node.take("job")).hasRootCauseInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofSeconds(1));

        assertThat(node.locks.held()).isEmpty();
        assertThat(node.rival().locks.tryAcquire("job")).isPresent();
    }
}
