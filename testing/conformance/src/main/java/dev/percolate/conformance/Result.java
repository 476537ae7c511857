package dev.percolate.conformance;

import org.jspecify.annotations.Nullable;

/**
 * Says how the playing of a scenario went.
 *
 * @param scenario the scenario
 * @param difference what differs; null if nothing does
 * @param skipped why it was not played; null if it was
 */
record Result(Scenario scenario, @Nullable String difference, @Nullable String skipped) {

  boolean agrees() {
    return difference == null && skipped == null;
  }
}
