package dev.percolate.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path in the syntax of OpenAPI.
 *
 * @param text the path, such as <code>/books/{id}</code>
 * @param patterns the patterns of the parameters by name; empty for any text without a slash
 */
record PathTemplate(String text, Map<String, String> patterns) {

  private static final Pattern PART =
      Pattern.compile(
          "(?<slash>/?):(?<name>\\w+)(?<regexp>\\((?:\\\\.|[^\\\\()])*\\))?(?<optional>\\?)?(?<star>\\*)?"
              + "|\\*");

  private static final Pattern OPERATOR = Pattern.compile("[()?+\\[\\]|{}^$\\\\]");

  /**
   * Returns the templates of a route path: two for each optional parameter. Empty if the path
   * cannot be expressed, like most regular expressions.
   */
  static List<PathTemplate> of(String prefix, Object path) {
    if (!(path instanceof String text)) {
      return List.of();
    }
    List<PathTemplate> all = new ArrayList<>();
    all.add(new PathTemplate(prefix, Map.of()));
    Matcher part = PART.matcher(text);
    int end = 0;
    int stars = 0;
    while (part.find()) {
      String literal = text.substring(end, part.start());
      if (OPERATOR.matcher(literal).find()) {
        return List.of();
      }
      end = part.end();
      all.replaceAll(one -> one.plus(literal));
      if (part.group("name") == null) {
        String name = stars++ == 0 ? "rest" : "rest" + stars;
        all.replaceAll(one -> one.plus("{" + name + "}").with(name, ""));
        continue;
      }
      List<PathTemplate> with = new ArrayList<>();
      for (PathTemplate one : all) {
        with.add(one.plus(part.group("slash")).parameter(part));
        if (part.group("optional") != null) {
          with.add(one);
        }
      }
      all = with;
    }
    String last = text.substring(end);
    if (OPERATOR.matcher(last).find()) {
      return List.of();
    }
    all.replaceAll(one -> one.plus(last).normal());
    return all;
  }

  /** Returns the path without the names of its parameters. */
  String form() {
    return text.replaceAll("\\{[^}]*}", "{}");
  }

  private PathTemplate parameter(Matcher part) {
    String regexp = part.group("regexp");
    String name = part.group("name");
    String inner = regexp == null ? "" : regexp.substring(1, regexp.length() - 1);
    return plus("{" + name + "}").with(name, inner);
  }

  private PathTemplate plus(String more) {
    return new PathTemplate(text + more, patterns);
  }

  private PathTemplate with(String name, String pattern) {
    Map<String, String> more = new LinkedHashMap<>(patterns);
    more.put(name, pattern);
    return new PathTemplate(text, more);
  }

  private PathTemplate normal() {
    String path = text.startsWith("/") ? text : "/" + text;
    path = path.replaceAll("/{2,}", "/");
    boolean slash = path.length() > 1 && path.endsWith("/");
    return new PathTemplate(slash ? path.substring(0, path.length() - 1) : path, patterns);
  }
}
