package dev.percolate.testkit.replay;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the character references of HTML, which have several spellings. */
final class Entities {

  private static final Pattern ENTITY =
      Pattern.compile("&(?:#(\\d{1,6})|#[xX](\\p{XDigit}{1,5})|(quot|apos|lt|gt|amp));");

  private static final Map<String, Integer> NAMED =
      Map.of("quot", 34, "apos", 39, "lt", 60, "gt", 62, "amp", 38);

  private Entities() {}

  /** Returns a text in which all references are decimal. */
  static String uniform(String html) {
    return ENTITY.matcher(html).replaceAll(entity -> "&#" + code(entity) + ";");
  }

  /** Returns a text in which characters replace the references. */
  static String decoded(String html) {
    return ENTITY
        .matcher(html)
        .replaceAll(entity -> Matcher.quoteReplacement(Character.toString(code(entity))));
  }

  private static int code(MatchResult entity) {
    if (entity.group(3) != null) {
      return NAMED.getOrDefault(entity.group(3), 0);
    }
    return entity.group(1) == null
        ? Integer.parseInt(entity.group(2), 16)
        : Integer.parseInt(entity.group(1));
  }
}
