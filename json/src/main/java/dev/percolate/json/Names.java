package dev.percolate.json;

import org.jspecify.annotations.Nullable;

/**
 * Keeps some names of one text, since most texts have the same ones again and again.
 *
 * <p>Each name has one place, which the last one takes: names made to meet cost no more than
 * without this.
 */
final class Names {

  private static final int PLACES = 64;

  private @Nullable String @Nullable [] places;

  /** Gives a part of a text. */
  String name(String text, int start, int end) {
    int length = end - start;
    if (length == 0) {
      return "";
    }
    if (places == null) {
      places = new String[PLACES];
    }
    int mix = (31 * text.charAt(start) + text.charAt(end - 1)) * 31 + length;
    int place = (mix ^ (mix >>> 6)) & (PLACES - 1);
    String known = places[place];
    if (known != null && known.length() == length && text.startsWith(known, start)) {
      return known;
    }
    String name = text.substring(start, end);
    places[place] = name;
    return name;
  }
}
