package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.http.HeaderText;
import dev.percolate.http.KnownMethods;
import dev.percolate.http.Origin;
import dev.percolate.http.Quantity;
import dev.percolate.http.TimeSpan;
import dev.percolate.http.UriReference;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks the values of options. Messages contain the option and its value. */
final class Options {

  private static final int SHORTEST_SECRET = 16;
  private static final int FEWEST_CHARACTERS = 6;

  private Options() {}

  static String headerName(String option, String name) {
    if (!HeaderText.isToken(name)) {
      throw wrong(option, name, "must be a valid header name");
    }
    return name;
  }

  /**
   * Returns an origin in the form that browsers send, with the A-labels of its host.
   *
   * @param advice the end of the message for other text
   */
  static String origin(String option, String origin, String advice) {
    String encoded = UriReference.encode(origin);
    if (!Origin.isValid(encoded)) {
      throw wrong(option, origin, "must be an origin such as https://example.com" + advice);
    }
    return Origin.normal(encoded);
  }

  /**
   * Returns a method in the form of {@code Request.method()}. Known methods are in upper case.
   * Others are unchanged, since methods are case-sensitive (RFC 9110 section 9.1).
   */
  static String method(String option, String name) {
    String known = KnownMethods.find(name);
    if (known == null && !HeaderText.isToken(name)) {
      throw wrong(option, name, "must be a method name");
    }
    return known == null ? name : known;
  }

  /** Returns several methods in the form of {@code Request.method()}. */
  static Set<String> methods(String option, String... names) {
    Set<String> all = new TreeSet<>();
    for (String name : names) {
      all.add(method(option, name));
    }
    return Set.copyOf(all);
  }

  /** Returns text that is valid inside the quotes of a header value. */
  static String quotable(String option, String text) {
    boolean plain = text.chars().allMatch(c -> c >= ' ' && c != 0x7F);
    if (!plain || text.indexOf('"') >= 0 || text.indexOf('\\') >= 0) {
      throw wrong(option, text, "must not contain quotes, backslashes or control characters");
    }
    return text;
  }

  static String secret(String option, @Nullable String secret) {
    if (secret == null) {
      throw new IllegalArgumentException(
          option + ": the secret must not be null; is its environment variable set?");
    }
    if (secret.isEmpty()) {
      throw new IllegalArgumentException(option + ": the secret must not be empty");
    }
    return secret;
  }

  /** Returns a warning about secrets that can be guessed, without naming them; null for others. */
  static @Nullable String weakness(List<String> secrets) {
    String reason = null;
    for (String secret : secrets) {
      if (secret.length() < SHORTEST_SECRET) {
        reason = "is shorter than " + SHORTEST_SECRET + " characters";
      } else if (secret.chars().distinct().count() < FEWEST_CHARACTERS) {
        reason = "repeats few characters";
      }
    }
    return reason == null
        ? null
        : "has a secret that can be guessed, since it "
            + reason
            + ". Use a random one, such as 32 bytes in base64.";
  }

  /**
   * Returns the secret of the {@code CookieParser} before a middleware.
   *
   * @param user the middleware, such as {@code Sessions.of()}
   * @throws IllegalStateException if there is none
   */
  static String secretOfParser(Request req, String user) {
    String secret = req.attrOrNull(Request.SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new IllegalStateException(
          user
              + " found no secret on this request."
              + " Add app.use(CookieParser.of(secret)) before it.");
    }
    return secret;
  }

  /** Returns a time such as {@code 30 s}, which must be longer than zero. */
  static Duration positive(String option, String time) {
    long millis = TimeSpan.millis(option, time);
    if (millis == 0) {
      throw wrong(option, time, "must be positive");
    }
    return Quantity.positive(option, Duration.ofMillis(millis));
  }

  static IllegalArgumentException wrong(String option, String value, String reason) {
    return new IllegalArgumentException(option + " \"" + value + "\" " + reason);
  }
}
