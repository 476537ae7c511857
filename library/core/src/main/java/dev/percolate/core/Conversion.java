package dev.percolate.core;

import java.util.function.Function;

/**
 * Converts strings to one type.
 *
 * @param wanted a description of valid strings, such as {@code a UUID}
 * @param reading returns the value; rejects a string with an exception that {@link
 *     Conversions#with} lists
 */
record Conversion(String wanted, Function<String, ?> reading) {}
