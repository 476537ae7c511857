package dev.percolate.inspector;

import dev.percolate.http.Percent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Masks values whose names indicate secrets. */
final class Secrets {

  static final String MASK = "masked";

  /** Values are walked by recursion, and clients choose how deep a body nests. */
  private static final int MOST_LEVELS = 100;

  /** Parts of secret names, in lower case with hyphens. */
  private static final List<String> WORDS =
      List.of(
          ("auth cookie token secret passw passphrase pwd api-key apikey access-key accesskey"
                  + " session csrf xsrf signature credential assertion code-verifier private")
              .split(" "));

  /** Complete names of secrets: {@code code} of OAuth is a secret, {@code country-code} is not. */
  private static final Set<String> NAMES =
      Set.of("code", "jwt", "otp", "pin", "sid", "key", "cvc", "cvv", "pass", "passcode", "sig");

  /** Names such as {@code author} and {@code authority}, but not {@code authorization}. */
  private static final Pattern AUTHOR = Pattern.compile("author(?!i[sz])");

  /** A name and value in a query, a form or a log line. */
  private static final Pattern PAIR =
      Pattern.compile("([^\\s\"'&=?;,{}]{1,200})=(\"(?:[^\"\\\\]|\\\\.)*+\"?|[^\\s\"'&;]*+)");

  /** The password of a URL, such as {@code redis://user:password@host}. */
  private static final Pattern PASSWORD = Pattern.compile("(://[^\\s/:@?#\"']*+:)[^\\s/@?#\"']++@");

  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})");

  private Secrets() {}

  /** Returns true if a name indicates a secret; the name may be percent-encoded. */
  static boolean isSecret(String name) {
    String plain = Percent.decodeQuery(name);
    String lower = plain.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-");
    // With brackets, as in user[code], the last name is the name of the value.
    String last = lower.endsWith("-") ? lower.substring(0, lower.length() - 1) : lower;
    String words = AUTHOR.matcher(lower).replaceAll("");
    return WORDS.stream().anyMatch(words::contains)
        || NAMES.contains(last)
        || (plain.endsWith("]") && NAMES.contains(last.substring(last.lastIndexOf('-') + 1)));
  }

  /**
   * Returns the value of a header with masked secrets, or only the mask if the name indicates a
   * secret.
   */
  static String value(String name, String value) {
    return isSecret(name) ? MASK : text(value);
  }

  /** Returns a request target with masked secrets in its query. */
  static String target(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query + 1) + form(target.substring(query + 1));
  }

  /** Returns a form or query with masked secrets. */
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

  /** Returns fields with masked secrets. A dash replaces what nests deeper than 100 levels. */
  static @Nullable Object fields(@Nullable Object value) {
    return fields(value, MOST_LEVELS);
  }

  private static @Nullable Object fields(@Nullable Object value, int levels) {
    if (levels == 0 && (value instanceof Map<?, ?> || value instanceof List<?>)) {
      return "-";
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> masked = new LinkedHashMap<>();
      map.forEach(
          (key, one) -> {
            String name = String.valueOf(key);
            masked.put(name, isSecret(name) ? MASK : fields(one, levels - 1));
          });
      return masked;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> masked = new ArrayList<>();
      list.forEach(one -> masked.add(fields(one, levels - 1)));
      return masked;
    }
    return value;
  }

  /** Returns a text, such as a log line, with masked secrets in its URLs, pairs and JSON fields. */
  static String text(String text) {
    return text.contains("://")
        ? pairs(PASSWORD.matcher(text).replaceAll("$1" + MASK + "@"))
        : pairs(text);
  }

  private static String pairs(String text) {
    if (text.indexOf('=') < 0) {
      return text.indexOf('"') < 0 ? text : json(text);
    }
    StringBuilder out = new StringBuilder(text.length());
    Matcher pair = PAIR.matcher(text);
    int copied = 0;
    for (int from = 0; pair.find(from); ) {
      if (isSecret(pair.group(1))) {
        out.append(text, copied, pair.start(2)).append(MASK);
        copied = pair.end();
        from = copied;
      } else {
        from = pair.end(1) + 1; // a URL may be the value
      }
    }
    String pairs = out.append(text, copied, text.length()).toString();
    return pairs.indexOf('"') < 0 ? pairs : json(pairs);
  }

  /** Returns JSON with masked secrets, which may be values, lists or objects, at any depth. */
  static String json(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c != '"') {
        out.append(c);
        i++;
        continue;
      }
      int end = stringEnd(text, i);
      int colon = skipBlanks(text, end);
      boolean name = colon < text.length() && text.charAt(colon) == ':';
      if (name && isSecret(unescaped(text.substring(i + 1, end - 1)))) {
        int value = skipBlanks(text, colon + 1);
        out.append(text, i, value).append('"').append(MASK).append('"');
        i = valueEnd(text, value);
      } else {
        out.append(text, i, end);
        i = end;
      }
    }
    return out.toString();
  }

  /**
   * Returns the end of a string that starts at {@code i}; the end of the text if it is not closed.
   */
  private static int stringEnd(String text, int i) {
    int end = i + 1;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length());
  }

  private static int skipBlanks(String text, int i) {
    int end = i;
    while (end < text.length() && " \t\r\n".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  private static int valueEnd(String text, int i) {
    int depth = 0;
    int end = i;
    while (end < text.length()) {
      char c = text.charAt(end);
      if (c == '"') {
        end = stringEnd(text, end);
      } else if (c == '{' || c == '[') {
        depth++;
        end++;
      } else if (c == '}' || c == ']') {
        if (depth == 0) {
          return end; // the end of the enclosing object or list
        }
        depth--;
        end++;
      } else if (depth == 0 && (c == ',' || " \t\r\n".indexOf(c) >= 0)) {
        return end;
      } else {
        end++;
        continue;
      }
      if (depth == 0) {
        return end;
      }
    }
    return end;
  }

  private static String unescaped(String name) {
    return ESCAPE
        .matcher(name)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    Character.toString((char) Integer.parseInt(found.group(1), 16))));
  }
}
