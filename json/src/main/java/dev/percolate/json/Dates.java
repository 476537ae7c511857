package dev.percolate.json;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes points in time as {@code Date.prototype.toISOString} does. */
final class Dates {

  /** For years of four digits, which is all that RFC 3339 has. */
  static final String PATTERN = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern(PATTERN.replace("yyyy", "uuuu"), Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Dates() {}

  /** Returns the text of a date or instant; any other value as it is. */
  @SuppressWarnings("JavaUtilDate") // it is users who have them
  static @Nullable Object asText(@Nullable Object value) {
    if (value instanceof Instant instant) {
      return FORMAT.format(instant);
    }
    // Dates of java.sql refuse toInstant.
    return value instanceof Date date ? FORMAT.format(Instant.ofEpochMilli(date.getTime())) : value;
  }
}
