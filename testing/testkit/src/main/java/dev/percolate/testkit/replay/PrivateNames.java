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
  private static final Pattern DIGITS = Pattern.compile("\\d*");
  private static final Pattern PARTS = Pattern.compile("(?<=\\p{Ll})(?=\\p{Lu})|[^\\p{L}\\p{N}]+");

  /** Returns names that also contain those of the application. */
  PrivateNames and(String... names) {
    return new PrivateNames(
        Stream.concat(further.stream(), Arrays.stream(names).map(PrivateNames::plain)).toList());
  }

  /** Returns true if values with this name are masked. */
  boolean contain(String name) {
    String decoded = Percent.decodeQuery(name);
    String plain = plain(decoded);
    boolean named = NAMES.contains(lastPart(decoded));
    if (!named && !hasWord(plain)) {
      return false; // as most names
    }
    String rest = PLAIN.matcher(plain).replaceAll("");
    return hasWord(rest) || (named && !DIGITS.matcher(rest).matches());
  }

  /** Returns true if a text contains a private name anywhere. */
  boolean appearIn(String text) {
    String unescaped = unescaped(text);
    return hasWord(plain(unescaped))
        || PARTS.splitAsStream(unescaped).anyMatch(part -> NAMES.contains(lastPart(part)));
  }

  private boolean hasWord(String plain) {
    return WORDS.stream().anyMatch(plain::contains) || further.stream().anyMatch(plain::contains);
  }

  /** Returns the last part of a name in lower case, without digits at its end: otp[0], address2. */
  private static String lastPart(String name) {
    int end = name.length();
    while (end > 0 && !Character.isLetter(name.charAt(end - 1))) {
      end--;
    }
    int start = end;
    while (start > 0
        && Character.isLetterOrDigit(name.charAt(start - 1))
        && (start == end || !isBoundary(name, start))) {
      start--;
    }
    return name.substring(start, end).toLowerCase(Locale.ROOT);
  }

  /** Returns true between the parts of a name such as {@code zipCode}. */
  private static boolean isBoundary(String name, int at) {
    return Character.isLowerCase(name.charAt(at - 1)) && Character.isUpperCase(name.charAt(at));
  }

  /** Returns a name in JSON without escapes of characters. */
  static String unescaped(String name) {
    return name.indexOf('\\') < 0
        ? name
        : ESCAPE
            .matcher(name)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        Character.toString((char) Integer.parseInt(found.group(1), 16))));
  }

  private static String plain(String name) {
    StringBuilder plain = new StringBuilder(name.length());
    name.chars().filter(Character::isLetterOrDigit).forEach(c -> plain.append((char) c));
    return plain.toString().toLowerCase(Locale.ROOT);
  }
}
