package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the {@code Vary} header (RFC 9110 section 12.5.5). */
public final class Vary {
  private static final String SEPARATORS = "()<>@,;:\\\"/[]?={} \t";

  private Vary() {}

  /**
   * Splits a list of header names.
   *
   * @param text the names, separated by commas
   * @return the names; empty if the text is blank
   */
  public static List<String> names(String text) {
    String trimmed = ListText.trim(text);
    return trimmed.isEmpty() ? List.of() : ListText.split(trimmed, ',');
  }

  /**
   * Adds names to a value of the header. Names that it already contains, in any letter case, are
   * not added again.
   *
   * @param value the current value; empty if there is none
   * @param names the names to add
   * @return the new value; {@code *} if one of the names is {@code *}
   * @throws IllegalArgumentException if a name contains a separator or a character outside ASCII
   */
  public static String with(String value, List<String> names) {
    for (String name : names) {
      if (name.chars().anyMatch(c -> c > 0x7E || SEPARATORS.indexOf(c) >= 0)) {
        throw new IllegalArgumentException(
            "vary(\"" + LogText.escape(name) + "\"): must be the name of a header");
      }
    }
    List<String> known = new ArrayList<>(names(value.toLowerCase(Locale.ROOT)));
    if (known.contains("*") || names.contains("*")) {
      return "*";
    }
    StringBuilder all = new StringBuilder(value);
    for (String name : names) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!name.isEmpty() && !known.contains(lower)) {
        known.add(lower);
        all.append(all.isEmpty() ? "" : ", ").append(name);
      }
    }
    return all.toString();
  }
}
