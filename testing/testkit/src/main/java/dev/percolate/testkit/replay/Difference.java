package dev.percolate.testkit.replay;

/**
 * A difference between a recorded response and the received one.
 *
 * @param rule the kind of the difference: the rule that allows it
 * @param where the place where it begins
 * @param expected the recorded text at this place
 * @param was the received text
 */
record Difference(String rule, String where, String expected, String was) {}
