package dev.percolate.framework;

import dev.percolate.http.EditDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds routes whose paths are similar to a path without a route. */
final class RouteSuggestions {

  private static final int MOST = 3;

  /** Longer paths are unlikely to be typos, and comparing them is slow. */
  private static final int LONGEST = 200;

  private RouteSuggestions() {}

  private record Candidate(AppMap.Entry route, int distance) {}

  /** Returns the routes in a map whose paths are similar to a path, the most similar first. */
  static List<String> nearest(AppMap map, String path) {
    int limit = 2 + path.length() / 4;
    return routes(map.entries())
        .filter(route -> Math.max(path.length(), route.path().length()) <= LONGEST)
        .map(route -> new Candidate(route, distance(path, route.path())))
        .filter(candidate -> candidate.distance <= limit)
        .sorted(Comparator.comparingInt(Candidate::distance))
        .limit(MOST)
        .map(Candidate::route)
        .map(route -> route.kind() + " " + route.path() + " at " + route.origin())
        .toList();
  }

  private static Stream<AppMap.Entry> routes(List<AppMap.Entry> entries) {
    return entries.stream()
        .flatMap(one -> one.kind().equals("use") ? routes(one.inner()) : Stream.of(one));
  }

  /**
   * Returns the number of characters to change until a path matches a template. A parameter matches
   * any segment, and counts as one character if the path lacks it.
   */
  static int distance(String path, String template) {
    String[] sent = path.toLowerCase(Locale.ROOT).split("/", -1);
    String[] wanted = template.toLowerCase(Locale.ROOT).split("/", -1);
    int[] before = new int[wanted.length + 1];
    for (int j = 1; j <= wanted.length; j++) {
      before[j] = before[j - 1] + added(wanted[j - 1]);
    }
    for (String segment : sent) {
      int[] now = new int[wanted.length + 1];
      now[0] = before[0] + segment.length() + 1;
      for (int j = 1; j <= wanted.length; j++) {
        int changed = before[j - 1] + segment(segment, wanted[j - 1]);
        int dropped = before[j] + segment.length() + 1;
        int added = now[j - 1] + added(wanted[j - 1]);
        now[j] = Math.min(changed, Math.min(dropped, added));
      }
      before = now;
    }
    return before[wanted.length];
  }

  private static int added(String wanted) {
    return 1 + (matchesAny(wanted) ? 1 : wanted.length());
  }

  private static int segment(String sent, String wanted) {
    return matchesAny(wanted) ? (sent.isEmpty() ? 1 : 0) : EditDistance.between(sent, wanted);
  }

  private static boolean matchesAny(String wanted) {
    return wanted.startsWith(":") || wanted.equals("*");
  }
}
