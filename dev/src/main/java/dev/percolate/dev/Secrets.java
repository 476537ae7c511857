package dev.percolate.dev;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Masks what should not be copied about: values whose names speak of secrets. */
final class Secrets {

  static final String MASK = "masked";

  private static final List<String> WORDS =
      List.of(
          "auth",
          "cookie",
          "token",
          "secret",
          "passw",
          "pwd",
          "api-key",
          "apikey",
          "session",
          "csrf",
          "xsrf",
          "signature",
          "credential",
          "private");

  private Secrets() {}

  /** Tells whether a name speaks of a secret. */
  static boolean isSecret(String name) {
    String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
    return WORDS.stream().anyMatch(lower::contains);
  }

  /** Returns the value of a header or field, or the mask. */
  static String value(String name, String value) {
    return isSecret(name) ? MASK : value;
  }

  /** Returns a target with the values of its parameters masked. */
  static String target(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query + 1) + form(target.substring(query + 1));
  }

  /** Returns a form, or the query of a target, with its values masked. */
  static String form(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (String pair : (Iterable<String>) Stream.of(text.split("&", -1))::iterator) {
      int equals = pair.indexOf('=');
      boolean secret = equals >= 0 && isSecret(pair.substring(0, equals));
      out.append(out.isEmpty() ? "" : "&");
      out.append(secret ? pair.substring(0, equals + 1) + MASK : pair);
    }
    return out.toString();
  }

  private static final Pattern FIELD =
      Pattern.compile("(\"([^\"\\\\]{0,100})\"\\s*:\\s*)(\"(?:[^\"\\\\]|\\\\.)*+\"|[^\\s,}\\]]++)");

  /** Returns JSON with the values of its fields masked, as far as they are no lists or objects. */
  static String json(String text) {
    return FIELD
        .matcher(text)
        .replaceAll(
            found ->
                java.util.regex.Matcher.quoteReplacement(
                    isSecret(found.group(2)) && !found.group(3).startsWith("{")
                        ? found.group(1) + "\"" + MASK + "\""
                        : found.group()));
  }
}
