package dev.percolate.conformance;

import dev.percolate.core.Settings;
import dev.percolate.framework.AppSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The scenarios that differ with our own defaults, and the settings that restore them. They are run
 * with the entity tags of the originals, since two thirds of them have one.
 *
 * @param played the number of scenarios that were run
 * @param differing the scenarios that differ
 */
record Defaults(int played, List<Differing> differing) {

  /**
   * A scenario that differs with our defaults.
   *
   * @param id the name of the scenario
   * @param difference a description of the difference
   * @param settings the settings of {@link AppSettings#express} that it needs; empty if it differs
   *     even with all of them
   */
  record Differing(String id, String difference, List<String> settings) {

    /** Returns a line for lists: the name and the settings. */
    String line() {
      return id + " " + (settings.isEmpty() ? "no setting" : String.join(", ", settings));
    }
  }

  /** Runs scenarios. Runs those that differ again, for each setting with all other settings. */
  static Defaults of(Player player, List<Scenario> scenarios)
      throws IOException, InterruptedException {
    List<Differing> differing = new ArrayList<>();
    int played = 0;
    for (Scenario scenario : scenarios) {
      Result ours = player.play(scenario, new Settings().set(Settings.ETAG_HASH, "md5"));
      String difference = ours.difference();
      played += ours.skipped() == null ? 1 : 0;
      if (difference != null) {
        differing.add(new Differing(scenario.id(), difference, needed(player, scenario)));
      }
    }
    return new Defaults(played, differing);
  }

  /** Counts the scenarios that need each setting. */
  Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    counted().forEach(name -> counts.put(name, 0));
    differing.forEach(one -> one.settings().forEach(name -> counts.merge(name, 1, Integer::sum)));
    return counts;
  }

  /** Prints the differences, the settings, and the total as the last line. */
  void print(PrintStream out) {
    for (Differing one : differing) {
      out.println("differs " + one.line() + ": " + Comparison.line(one.difference()));
    }
    out.printf("%n%-32s %9s%n", "setting", "scenarios");
    counts().forEach((name, count) -> out.printf("%-32s %9d%n", name, count));
    long none = differing.stream().filter(one -> one.settings().isEmpty()).count();
    out.printf("%-32s %9d%n", "no setting", none);
    out.println("DIFFER " + differing.size() + " of " + played);
  }

  private static List<String> needed(Player player, Scenario scenario)
      throws IOException, InterruptedException {
    List<String> needed = new ArrayList<>();
    if (player.play(scenario).agrees()) {
      for (String name : counted()) {
        if (!player.play(scenario, expressBut(name)).agrees()) {
          needed.add(name);
        }
      }
    }
    return needed;
  }

  private static List<String> counted() {
    return AppSettings.express().names().stream()
        .filter(name -> !name.equals(Settings.ETAG_HASH.name()))
        .toList();
  }

  private static Settings expressBut(String left) {
    Settings express = AppSettings.express();
    Settings others = new Settings();
    for (String name : express.names()) {
      if (!name.equals(left)) {
        others.set(name, express.get(name));
      }
    }
    return others;
  }
}
