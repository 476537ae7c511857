package dev.percolate.json;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats points in time like {@code Date.prototype.toISOString}. */
final class Dates {

  /** For years with four digits, as in RFC 3339. */
  static final String PATTERN = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern(PATTERN.replace("yyyy", "uuuu"), Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Dates() {}

  /** Returns a date or instant as text, and any other value unchanged. */
  @SuppressWarnings("JavaUtilDate") // for values of applications
  static @Nullable Object asText(@Nullable Object value) {
    if (value instanceof Instant instant) {
      return FORMAT.format(instant);
    }
    // Dates of java.sql do not support toInstant.
    return value instanceof Date date ? FORMAT.format(Instant.ofEpochMilli(date.getTime())) : value;
  }
}
