package dev.percolate.demo;

import dev.percolate.http.HttpError;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Holds what a visitor wrote. */
record Entry(long id, String name, String message, Instant writtenAt) {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final int TINTS = 6;

  /**
   * Reads the number of an entry, digits only.
   *
   * @throws HttpError 400 if it is none
   */
  static long id(String text) {
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || text.isEmpty() || text.length() > 18) {
      throw new HttpError(400, "The number of an entry has 1 to 18 digits.");
    }
    return Long.parseLong(text);
  }

  /** Returns the first character of the name. */
  public String initial() {
    return name.isEmpty() ? "" : name.substring(0, name.offsetByCodePoints(0, 1));
  }

  /** Returns a number from 0 to 5, the same for all entries of a name. */
  public int tint() {
    return Math.floorMod(name.hashCode(), TINTS);
  }

  /** Returns the time in words. */
  public String written() {
    return DAY.format(writtenAt);
  }
}
