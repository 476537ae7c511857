package dev.percolate.conformance;

import org.jspecify.annotations.Nullable;

/**
 * The result of playing a scenario.
 *
 * @param scenario the scenario
 * @param difference a description of the difference; null if there is none
 * @param skipped the reason why the scenario was skipped; null if it was played
 */
record Result(Scenario scenario, @Nullable String difference, @Nullable String skipped) {

  boolean agrees() {
    return difference == null && skipped == null;
  }
}
