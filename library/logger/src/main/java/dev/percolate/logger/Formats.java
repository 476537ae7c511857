package dev.percolate.logger;

import dev.percolate.http.EditDistance;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All formats by name, including the predefined ones. */
final class Formats {

  private static final String COMMON =
      "\":method :url HTTP/:http-version\" :status :res[content-length]";
  private static final String AGENT = " \":referrer\" \":user-agent\"";

  private static final System.Logger LOG = System.getLogger("dev.percolate.logger");

  private static final Pattern WORD = Pattern.compile("[\\w.-]+");

  private static volatile Map<String, LineFormat> known = standard(System.getenv("NO_COLOR"));

  private Formats() {}

  /**
   * Returns the format of that name, or compiles the text. No text means {@code default}. Warns if
   * the text is a single word, since it may be a misspelled name.
   */
  static LineFormat find(@Nullable String nameOrText) {
    String name = nameOrText == null || nameOrText.isEmpty() ? "default" : nameOrText;
    LineFormat format = known.get(name);
    if (format == null && WORD.matcher(name).matches()) {
      LOG.log(Level.WARNING, unknown(name));
    }
    return format == null ? FormatText.compile(name) : format;
  }

  private static String unknown(String word) {
    List<String> names = known.keySet().stream().sorted().toList();
    String lower = word.toLowerCase(Locale.ROOT);
    String nearest =
        Collections.min(names, Comparator.comparingInt(name -> EditDistance.between(lower, name)));
    return "RequestLogger.of(\""
        + word
        + "\"): unknown format, so every log line is this text. Did you mean \""
        + nearest
        + "\"? The formats are "
        + String.join(", ", names)
        + ".";
  }

  static synchronized void define(String name, LineFormat format) {
    Map<String, LineFormat> changed = new HashMap<>(known);
    changed.put(name, format);
    known = changed;
  }

  static synchronized void reset() {
    known = standard(System.getenv("NO_COLOR"));
  }

  /**
   * Creates the predefined formats.
   *
   * @param noColor the environment variable NO_COLOR; a value that is not empty disables colors
   */
  static Map<String, LineFormat> standard(@Nullable String noColor) {
    Map<String, LineFormat> all = new HashMap<>();
    String common = ":remote-addr - :remote-user [:date[clf]] " + COMMON;
    all.put("combined", FormatText.compile(common + AGENT));
    all.put("common", FormatText.compile(common));
    all.put("default", FormatText.compile(":remote-addr - :remote-user [:date] " + COMMON + AGENT));
    String size = " :status :res[content-length] - :response-time ms";
    String request = ":remote-addr :remote-user :method :url HTTP/:http-version";
    all.put("short", FormatText.compile(request + size));
    all.put("tiny", FormatText.compile(":method :url" + size));
    all.put("json", StructuredFormat.json());
    all.put("logfmt", StructuredFormat.logfmt());
    boolean plain = noColor != null && !noColor.isEmpty();
    all.put(
        "dev",
        plain
            ? FormatText.compile(":method :url :status :response-time ms - :res[content-length]")
            : coloured());
    return all;
  }

  private static TextFormat coloured() {
    List<TextFormat> byHundreds =
        IntStream.of(0, 0, 32, 36, 33, 31).mapToObj(Formats::dev).toList();
    return (tokens, out) -> byHundreds.get(Math.min(tokens.status() / 100, 5)).append(tokens, out);
  }

  /**
   * Creates the format {@code dev}.
   *
   * @param colour the code of the colour of the status: 32 green, 36 cyan, 33 yellow, 31 red
   */
  private static TextFormat dev(int colour) {
    return FormatText.compile(
        "\u001b[0m:method :url \u001b["
            + colour
            + "m:status\u001b[0m :response-time ms - :res[content-length]\u001b[0m");
  }
}
