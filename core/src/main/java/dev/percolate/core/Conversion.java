package dev.percolate.core;

import java.util.function.Function;

/**
 * Reads one type from text.
 *
 * @param wanted what a text has to be, such as {@code a UUID}
 * @param reading gives the value; refuses a text by an exception that {@link Conversions#with}
 *     names
 */
record Conversion(String wanted, Function<String, ?> reading) {}
