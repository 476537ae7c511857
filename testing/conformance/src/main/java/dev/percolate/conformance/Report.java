package dev.percolate.conformance;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts results by area and prints them. */
final class Report {

  private final List<Result> results = new ArrayList<>();

  void add(Result result) {
    results.add(result);
  }

  long agreeing() {
    return results.stream().filter(Result::agrees).count();
  }

  /** Returns the number of scenarios that were not skipped. */
  long played() {
    return results.stream().filter(one -> one.skipped() == null).count();
  }

  boolean allAgree() {
    return played() > 0 && agreeing() == played();
  }

  /** Prints differing and skipped scenarios, the areas, and the total as the last line. */
  void print(PrintStream out) {
    for (Result result : results) {
      if (result.skipped() != null) {
        out.println("skipped " + result.scenario().id() + ": " + result.skipped());
      } else if (result.difference() != null) {
        out.println(
            "differs " + result.scenario().id() + ": " + Comparison.line(result.difference()));
      }
    }
    Map<String, List<Result>> areas = new TreeMap<>();
    results.stream()
        .filter(one -> one.skipped() == null)
        .forEach(
            one ->
                areas.computeIfAbsent(one.scenario().area(), area -> new ArrayList<>()).add(one));
    out.printf("%n%-22s %6s %6s%n", "area", "agree", "of");
    areas.forEach(
        (area, all) ->
            out.printf(
                "%-22s %6d %6d%n", area, all.stream().filter(Result::agrees).count(), all.size()));
    out.println("AGREE " + agreeing() + " of " + played());
  }
}
