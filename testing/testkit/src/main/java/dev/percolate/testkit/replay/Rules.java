package dev.percolate.testkit.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The differences that a file of rules allows, one per line:
 *
 * <pre>
 *   header x-frame-options    responses may differ in this header
 *   status 301 303            recorded 301, received 303
 *   json /items/&#42;/id           values at this place; * stands for each index
 *   body GET /about           the body of this path; * stands for a number or an id
 *   html-space                white space in HTML
 * </pre>
 */
final class Rules {

  /** Allows differences in the white space of HTML. */
  static final String HTML_SPACE = "html-space";

  private static final Set<String> KINDS = Set.of("header", "status", "json", "body", "request");

  private final Set<String> allowed = new LinkedHashSet<>();

  /**
   * Reads rules from a file. Empty lines, and lines that begin with {@code #}, are skipped.
   *
   * @throws IllegalArgumentException if a line is not a rule
   */
  void read(Path file) throws IOException {
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String rule = line.strip();
      if (rule.isEmpty() || rule.startsWith("#")) {
        continue;
      }
      String kind = rule.contains(" ") ? rule.substring(0, rule.indexOf(' ')) : "";
      if (!rule.equals(HTML_SPACE) && !KINDS.contains(kind)) {
        throw new IllegalArgumentException(
            file + ":" + number + ": not a rule: " + rule + ". Write header, status, json, body");
      }
      allowed.add(rule);
    }
  }

  boolean allows(String rule) {
    return allowed.contains(rule);
  }

  /** Returns a path in which {@code *} replaces numbers and ids. */
  static String pattern(String path) {
    StringBuilder out = new StringBuilder();
    for (String segment : path.substring(1).split("/", -1)) {
      boolean varies = segment.matches("\\d+") || Generated.in(segment).find();
      out.append('/').append(varies ? "*" : segment);
    }
    return out.toString();
  }
}
