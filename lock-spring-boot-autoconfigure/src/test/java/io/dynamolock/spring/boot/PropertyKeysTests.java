/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockSettings;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PropertyKeysTests {

    @Test
    void everySettingHasItsProperty() {
        List<String> settings = Stream.of(LockSettings.Builder.class.getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 1)
                .map(Method::getName)
                .toList();

        assertThat(settings).contains("leaseDuration", "onLost").allSatisfy(setting -> {
            assertThatExceptionOfType(InvalidLockPropertyException.class)
                    .isThrownBy(() -> reject(setting))
                    .withMessageStartingWith("dynamolock.");
        });
    }

    @Test
    void settingWithoutPropertyIsPassedOn() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> reject("shoeSize"))
                .withMessage("shoeSize must fit, but is 46");
    }

    private static void reject(String setting) {
        PropertyKeys.DEFAULT.translating(() -> {
            throw new InvalidSettingException(setting, "must fit", 46);
        });
    }
}
