package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds the segments of one name of a form: the first as it stands, the others with their brackets.
 *
 * @param segments at least one, unless the name is empty
 * @param tooDeep whether there were more groups of brackets than the depth allows
 */
record FormName(List<String> segments, boolean tooDeep) {

  /** Splits a name in one pass. Beyond the depth the rest of the name is one segment. */
  static FormName split(String name, int depth) {
    int open = name.indexOf('[');
    if (depth == 0 || open < 0) {
      return new FormName(List.of(name), false);
    }
    List<String> segments = new ArrayList<>(2);
    if (open > 0) {
      segments.add(name.substring(0, open));
    }
    for (int groups = 0; open >= 0; groups++) {
      int end = groups == depth ? -1 : closing(name, open);
      if (end < 0) {
        segments.add('[' + name.substring(open) + ']');
        return new FormName(segments, groups == depth);
      }
      segments.add(name.substring(open, end + 1));
      open = name.indexOf('[', end + 1);
    }
    return new FormName(segments, false);
  }

  private static int closing(String name, int open) {
    int nested = 0;
    for (int i = open; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '[') {
        nested++;
      } else if (c == ']' && --nested == 0) {
        return i;
      }
    }
    return -1;
  }
}
