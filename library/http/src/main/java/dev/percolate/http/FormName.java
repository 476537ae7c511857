package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys in the name of a form parameter, without their brackets.
 *
 * @param keys the keys; at least one, unless the name is empty
 * @param bare whether the first key is not in brackets; all others are
 * @param tooDeep whether the name has more brackets than the depth allows
 */
record FormName(List<String> keys, boolean bare, boolean tooDeep) {

  /** Splits a name into keys. After the maximum depth, the rest of the name is one key. */
  static FormName split(String name, int depth) {
    int open = name.indexOf('[');
    if (open < 0) {
      return new FormName(List.of(name), true, false);
    }
    if (depth == 0) {
      boolean bare = open > 0 || !name.endsWith("]");
      String key = bare ? name : name.substring(1, name.length() - 1);
      return new FormName(List.of(key), bare, false);
    }
    boolean bare = open > 0;
    List<String> keys = new ArrayList<>(4);
    if (bare) {
      keys.add(name.substring(0, open));
    }
    for (int groups = 0; open >= 0; groups++) {
      int end = groups == depth ? -1 : closing(name, open);
      if (end < 0) {
        keys.add(name.substring(open));
        return new FormName(keys, bare, groups == depth);
      }
      keys.add(name.substring(open + 1, end));
      open = name.indexOf('[', end + 1);
    }
    return new FormName(keys, bare, false);
  }

  int size() {
    return keys.size();
  }

  String key(int i) {
    return keys.get(i);
  }

  boolean isBracketed(int i) {
    return i > 0 || !bare;
  }

  /** Returns true if a key is an empty pair of brackets. */
  boolean appends(int i) {
    return isBracketed(i) && key(i).isEmpty();
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
