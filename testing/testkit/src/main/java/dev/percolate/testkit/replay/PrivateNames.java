package dev.percolate.testkit.replay;

import dev.percolate.http.Percent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of fields, parameters, headers and cookies whose values are secret or personal. Names
 * may be written in any case, with any separators, and percent-encoded.
 *
 * @param further the names that the application adds, as letters and digits in lower case
 */
record PrivateNames(List<String> further) {

  /** Parts of names, without separators. */
  private static final List<String> WORDS =
      List.of(
          ("auth token secret passw passphrase pwd apikey accesskey session csrf xsrf signature"
                  + " credential assertion verifier privatekey email phone mobile iban birth"
                  + " creditcard cardnumber passport firstname lastname surname postcode"
                  + " forwardedfor realip connectingip clientip")
              .split(" "));

  /** Complete names, or the last part of names. */
  private static final Set<String> NAMES =
      Set.of(
          "address",
          "code",
          "cookie",
          "cvc",
          "cvv",
          "dob",
          "forwarded",
          "jwt",
          "key",
          "mail",
          "otp",
          "pin",
          "sid",
          "ssn",
          "street",
          "zip");

  /** Names that contain such words and are not private. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "author(?!i[sz])|authenticate|^accesscontrol.*|^idempotencykey|^secwebsocket.*"
              + "|^(country|status|error)code");

  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})");
  private static final Pattern PARTS = Pattern.compile("(?<=\\p{Ll})(?=\\p{Lu})|[^\\p{L}\\p{N}]+");

  /** Returns names that also contain those of the application. */
  PrivateNames and(String... names) {
    return new PrivateNames(
        Stream.concat(further.stream(), Arrays.stream(names).map(PrivateNames::plain)).toList());
  }

  /** Returns true if values with this name are masked. */
  boolean contain(String name) {
    String decoded = Percent.decodeQuery(name);
    String plain = PLAIN.matcher(plain(decoded)).replaceAll("");
    if (WORDS.stream().anyMatch(plain::contains) || further.stream().anyMatch(plain::contains)) {
      return true;
    }
    String last =
        PARTS
            .splitAsStream(decoded)
            .map(part -> part.replaceFirst("\\d+$", "")) // otp[0], address2
            .filter(part -> !part.isEmpty())
            .reduce("", (before, part) -> part);
    return !plain.matches("\\d*") && NAMES.contains(last.toLowerCase(Locale.ROOT));
  }

  /** Returns true if a text contains a private name anywhere. */
  boolean appearIn(String text) {
    String unescaped = unescaped(text);
    return PARTS.splitAsStream(unescaped).anyMatch(this::contain)
        || WORDS.stream().anyMatch(plain(unescaped)::contains)
        || further.stream().anyMatch(plain(unescaped)::contains);
  }

  /** Returns a name in JSON without escapes of characters. */
  static String unescaped(String name) {
    return ESCAPE
        .matcher(name)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    Character.toString((char) Integer.parseInt(found.group(1), 16))));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "");
  }
}
