package dev.percolate.reliability.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A head as it was sent, split into its parts without validation. */
final class HeadText {

  private static final String END = "\r\n";

  private final String[] words;
  private final List<String> lines = new ArrayList<>();

  HeadText(String head) {
    String[] all = (head.startsWith(END) ? head.substring(2) : head).split(END, -1);
    words = all[0].split(" ", -1);
    for (int i = 1; i < all.length; i++) {
      if (!all[i].isEmpty()) {
        lines.add(all[i]);
      }
    }
  }

  String method() {
    return words[0];
  }

  String target() {
    return words.length > 1 ? words[1] : "";
  }

  String version() {
    return words.length > 2 ? words[2] : "";
  }

  /** Returns the number of header lines. */
  int lines() {
    return lines.size();
  }

  /** Returns the values of a header, in the order of its lines. */
  List<String> all(String name) {
    List<String> values = new ArrayList<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
        values.add(line.substring(colon + 1).strip());
      }
    }
    return values;
  }
}
