package dev.percolate.conformance;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Masks values that differ between runs. */
final class Masks {

  private static final Pattern CLF_DATE =
      Pattern.compile("\\d{2}/[A-Z][a-z]{2}/\\d{4}:\\d{2}:\\d{2}:\\d{2} \\+0000");
  private static final Pattern ISO_DATE =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z");
  private static final Pattern WEB_DATE =
      Pattern.compile("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} (\\d{4}) \\d{2}:\\d{2}:\\d{2} GMT");
  private static final Pattern MILLIS = Pattern.compile("\\b\\d+\\.\\d{3}\\b");
  private static final Pattern STACK = Pattern.compile("(<br>|\n)( &nbsp;|\\s)+at ");

  private Masks() {}

  static String text(String text, Path root) {
    String masked = text.replace(root.toString(), "$ROOT");
    masked = CLF_DATE.matcher(masked).replaceAll("CLF-DATE");
    masked = ISO_DATE.matcher(masked).replaceAll(Masks::isoDate);
    masked = WEB_DATE.matcher(masked).replaceAll(Masks::webDate);
    return MILLIS.matcher(masked).replaceAll("MS.000");
  }

  static Map<String, @Nullable Object> answer(
      Map<String, @Nullable Object> answer, Set<String> ignore, Path root) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>(answer);
    if (out.get("headers") instanceof Map<?, ?> headers) {
      Map<String, @Nullable Object> masked = new TreeMap<>();
      headers.forEach((name, value) -> masked.put((String) name, text((String) value, root)));
      out.put("headers", masked);
    }
    if (out.get("body") instanceof String body) {
      String masked = body.replace(root.toString(), "$ROOT");
      Matcher stack = STACK.matcher(masked);
      boolean found = stack.find();
      out.put("body", found ? masked.substring(0, stack.start()) + "$STACK" : masked);
      if (found) {
        forgetLength(out);
      }
    }
    if (ignore.contains("body")) {
      out.remove("body");
      out.remove("bodyBase64");
      forgetLength(out);
    }
    if (out.get("headers") instanceof Map<?, ?> headers) {
      headers.keySet().removeAll(ignore);
    }
    return out;
  }

  /** Removes the headers that depend on the body. */
  static void forgetLength(Map<String, @Nullable Object> answer) {
    if (answer.get("headers") instanceof Map<?, ?> headers) {
      headers.keySet().removeAll(Set.of("content-length", "etag"));
    }
  }

  private static String isoDate(MatchResult date) {
    return date.group().startsWith("2020-") ? date.group() : "ISO-DATE";
  }

  private static String webDate(MatchResult date) {
    int year = Integer.parseInt(date.group(1));
    return year >= 2024 && year < 2036 ? "WEB-DATE" : date.group();
  }
}
