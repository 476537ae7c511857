package dev.percolate.framework;

import dev.percolate.http.EditDistance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds routes whose paths are similar to a path without a route. */
final class Spelling {

  private static final int MOST = 3;

  /** Longer paths are unlikely to be typos, and comparing them is slow. */
  private static final int LONGEST = 200;

  private Spelling() {}

  private record Candidate(String route, int distance) {}

  /** Returns the routes in a map whose paths are similar to a path, the most similar first. */
  static List<String> nearest(AppMap map, String path) {
    List<Candidate> found = new ArrayList<>();
    if (path.length() <= LONGEST) {
      collect(map.entries(), path, 2 + path.length() / 4, found);
    }
    return found.stream()
        .sorted(Comparator.comparingInt(Candidate::distance))
        .limit(MOST)
        .map(Candidate::route)
        .toList();
  }

  private static void collect(
      List<AppMap.Entry> entries, String path, int limit, List<Candidate> found) {
    for (AppMap.Entry entry : entries) {
      if (!entry.kind().equals("use") && entry.path().length() <= LONGEST) {
        int distance = distance(path, entry.path());
        if (distance <= limit) {
          found.add(
              new Candidate(entry.kind() + " " + entry.path() + " at " + entry.origin(), distance));
        }
      }
      collect(entry.inner(), path, limit, found);
    }
  }

  /**
   * Returns the number of characters to change until a path matches a template. A parameter matches
   * any segment.
   */
  static int distance(String path, String template) {
    String[] sent = path.toLowerCase(Locale.ROOT).split("/", -1);
    String[] wanted = template.toLowerCase(Locale.ROOT).split("/", -1);
    int[] before = new int[wanted.length + 1];
    for (int j = 1; j <= wanted.length; j++) {
      before[j] = before[j - 1] + wanted[j - 1].length() + 1;
    }
    for (String segment : sent) {
      int[] now = new int[wanted.length + 1];
      now[0] = before[0] + segment.length() + 1;
      for (int j = 1; j <= wanted.length; j++) {
        int changed = before[j - 1] + segment(segment, wanted[j - 1]);
        int dropped = before[j] + segment.length() + 1;
        int added = now[j - 1] + wanted[j - 1].length() + 1;
        now[j] = Math.min(changed, Math.min(dropped, added));
      }
      before = now;
    }
    return before[wanted.length];
  }

  private static int segment(String sent, String wanted) {
    boolean any = wanted.startsWith(":") || wanted.equals("*");
    return any ? (sent.isEmpty() ? 1 : 0) : EditDistance.between(sent, wanted);
  }
}
