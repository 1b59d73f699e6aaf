/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static io.dynamolock.TestRows.free;
import static io.dynamolock.TestRows.heldBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockRowTests {

    @Test
    void rowVersionsOfOneLockAreOrdered() {
        List<LockRow> life = List.of(
                LockRow.ABSENT,
                heldBy("a", 10).renewals(0L).build(),
                heldBy("a", 10).renewals(1L).build(),
                heldBy("a", 10).renewals(2L).build(),
                heldBy("a", 10).renewals(2L).tokenFloor(11L).build(),
                heldBy("b", 12).renewals(0L).build(),
                heldBy("b", 12).renewals(1L).build(),
                free(12).lastLeaseId("b").build(),
                free(12).tokenFloor(13L).lastLeaseId("b").build(),
                heldBy("c", 14).renewals(0L).build());

        for (int i = 0; i < life.size(); i++) {
            for (int j = 0; j < life.size(); j++) {
                assertThat(life.get(i).isOlderThan(life.get(j)))
                        .as("%s older than %s", life.get(i), life.get(j))
                        .isEqualTo(i < j && !life.get(i).equals(LockRow.ABSENT));
            }
        }
    }

    @Test
    void incomparableRowIsNotOlder() {
        LockRow unnumbered = heldBy("a").renewals(null).build();
        LockRow numbered = heldBy("a").renewals(1L).build();

        assertThat(unnumbered.isOlderThan(numbered)).isFalse();
        assertThat(numbered.isOlderThan(unnumbered)).isFalse();
        assertThat(heldBy("a").build().isOlderThan(heldBy("b").renewals(5L).build()))
                .isFalse();
    }

    @Test
    void highestTokenIsTokenOrFloor() {
        assertThat(heldBy("a", 10).tokenFloor(12L).build().highestToken()).isEqualTo(12);
        assertThat(heldBy("a", 10).tokenFloor(null).build().highestToken()).isEqualTo(10);
        assertThat(LockRow.ABSENT.highestToken()).isZero();
    }

    @Test
    void isFreeWithoutLease() {
        assertThat(free().build().isFree()).isTrue();
        assertThat(heldBy("a").build().isFree()).isFalse();
    }

    @Test
    void isHeldByItsLeaseOnly() {
        assertThat(heldBy("a").build().isHeldBy("a")).isTrue();
        assertThat(heldBy("a").build().isHeldBy("b")).isFalse();
        assertThat(free().lastLeaseId("a").build().isHeldBy("a")).isFalse();
    }
}
