package dev.percolate.http;

/** Finds what comes next in a text; goes over the text once, however often it is asked. */
final class Lookahead {
  private final String text;
  private final String wanted;
  private int place = -1;

  Lookahead(String text, String wanted) {
    this.text = text;
    this.wanted = wanted;
  }

  /**
   * Gives the place of the first at or behind a start.
   *
   * @param start not before that of an earlier call
   * @return the place; the greatest number if there is none
   */
  int from(int start) {
    if (place < start) {
      int found = text.indexOf(wanted, start);
      place = found < 0 ? Integer.MAX_VALUE : found;
    }
    return place;
  }
}
