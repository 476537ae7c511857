package dev.percolate.demo;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** An entry of a visitor. */
record Entry(long id, String name, String message, Instant writtenAt) {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final int TINTS = 6;

  /** Returns the first character of the name. */
  public String initial() {
    return name.isEmpty() ? "" : name.substring(0, name.offsetByCodePoints(0, 1));
  }

  /** Returns a number from 0 to 5, which depends on the name. */
  public int tint() {
    return Math.floorMod(name.hashCode(), TINTS);
  }

  /** Returns the time as text. */
  public String written() {
    return DAY.format(writtenAt);
  }
}
