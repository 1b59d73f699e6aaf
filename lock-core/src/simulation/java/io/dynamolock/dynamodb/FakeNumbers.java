/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.math.BigDecimal;

/** DynamoDB's numbers: decimal, 38 digits, kept without leading and trailing zeros. */
final class FakeNumbers {

    private static final int DIGITS_OF_A_LONG = 18;
    private static final BigDecimal GREATEST = new BigDecimal("9.9999999999999999999999999999999999999E+125");
    private static final BigDecimal SMALLEST = new BigDecimal("1E-130");

    private FakeNumbers() {}

    static String kept(String text) {
        return isPlain(text) ? text : keptDecimal(text);
    }

    /** For kept numbers. */
    static int compare(String a, String b) {
        if (isPlain(a) && isPlain(b)) {
            return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
        }
        return new BigDecimal(a).compareTo(new BigDecimal(b));
    }

    /** Only digits, without a leading zero: most numbers of the library. */
    private static boolean isPlain(String text) {
        int length = text.length();
        if (length == 0 || length > DIGITS_OF_A_LONG || (text.charAt(0) == '0' && length > 1)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static String keptDecimal(String text) {
        BigDecimal number = decimal(text).stripTrailingZeros();
        if (number.precision() > 38) {
            throw FakeErrors.validation("Attempting to store more than 38 significant digits in a Number");
        }
        if (number.abs().compareTo(GREATEST) > 0) {
            throw FakeErrors.validation(
                    "Number overflow. Attempting to store a number with magnitude larger than " + "supported range");
        }
        if (number.signum() != 0 && number.abs().compareTo(SMALLEST) < 0) {
            throw FakeErrors.validation(
                    "Number underflow. Attempting to store a number with magnitude smaller than " + "supported range");
        }
        return number.toPlainString();
    }

    private static BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException none) {
            throw FakeErrors.validation("The parameter cannot be converted to a numeric value: " + text);
        }
    }
}
