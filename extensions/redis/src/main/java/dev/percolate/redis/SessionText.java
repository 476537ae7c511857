package dev.percolate.redis;

import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.StoreClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Converts sessions to text and back. The first lines can be read by scripts. Times are those of
 * the clock of Redis.
 *
 * <pre>
 *   1                  the version of the format
 *   001795600000000    the expiry, in milliseconds since 1970; blanks if there is none
 *   001795600000000    the time of the last touch
 *   -62135596800000    the version of the session, any number
 *   3600000            the time to live after each touch, in milliseconds; empty if not set
 *   Ym9i.1795600000000.TW96aWxsYQ
 *                      the owner in base64url, the time since when, and the user agent in base64url;
 *                      empty if there is no owner
 *   {"path":"/x"}      changed cookie attributes; empty if there are none
 *   {"n":1}            the values
 * </pre>
 */
final class SessionText {

  private static final String FORM = "1";
  private static final String NO_TIME = " ".repeat(15);
  private static final int LINES = 8;
  private static final int OWNER_PARTS = 3;

  private SessionText() {}

  static String write(SessionData session, long version, Instant touched, StoreClock clock) {
    Instant end = session.expires();
    return String.join(
        "\n",
        FORM,
        end == null ? NO_TIME : time(clock.toStore(end)),
        time(clock.toStore(touched)),
        Long.toString(version),
        session.maxAge() == null ? "" : session.maxAge().toString(),
        owner(session.owner(), clock),
        oneLine(session.cookie()),
        session.json());
  }

  /**
   * Parses the text of a session.
   *
   * @throws IOException if the text is invalid
   */
  static Entry read(Object response, StoreClock clock) throws IOException {
    String[] lines = response instanceof String text ? text.split("\n", LINES) : new String[0];
    if (lines.length != LINES || !lines[0].equals(FORM)) {
      throw garbage();
    }
    try {
      Instant end = lines[1].equals(NO_TIME) ? null : instant(lines[1], clock);
      Long maxAge = lines[4].isEmpty() ? null : Long.valueOf(lines[4]);
      String cookie = lines[6].isEmpty() ? null : lines[6];
      Owner owner = ownerOf(lines[5], clock);
      SessionData session = new SessionData(lines[7], end, maxAge, cookie, owner);
      return new Entry(session, Long.parseLong(lines[3]), instant(lines[2], clock));
    } catch (IllegalArgumentException e) {
      throw garbage();
    }
  }

  static IOException garbage() {
    return new IOException("Redis returned an invalid session");
  }

  /** Returns a time as 15 digits. */
  static String time(long millis) {
    return String.format(java.util.Locale.ROOT, "%015d", Math.max(0, millis));
  }

  static Instant instant(String text, StoreClock clock) {
    return clock.toLocal(Long.parseLong(text));
  }

  private static String owner(@Nullable Owner owner, StoreClock clock) {
    if (owner == null) {
      return "";
    }
    String userAgent = owner.userAgent();
    return encode(owner.name())
        + '.'
        + clock.toStore(owner.since())
        + '.'
        + (userAgent == null ? "" : encode(userAgent));
  }

  private static @Nullable Owner ownerOf(String line, StoreClock clock) {
    if (line.isEmpty()) {
      return null;
    }
    String[] parts = line.split("\\.", OWNER_PARTS);
    if (parts.length != OWNER_PARTS) {
      throw new IllegalArgumentException("an owner has three parts");
    }
    String userAgent = parts[2].isEmpty() ? null : decode(parts[2]);
    return new Owner(decode(parts[0]), instant(parts[1], clock), userAgent);
  }

  static String encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decode(String text) {
    return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
  }

  /** Replaces line breaks, which in JSON occur only between values and have no meaning. */
  private static String oneLine(@Nullable String json) {
    return json == null ? "" : json.replace('\n', ' ');
  }
}
