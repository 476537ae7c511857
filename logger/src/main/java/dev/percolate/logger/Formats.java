package dev.percolate.logger;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Knows the formats by name, the predefined ones among them. */
final class Formats {

  private static final String COMMON =
      "\":method :url HTTP/:http-version\" :status :res[content-length]";
  private static final String AGENT = " \":referrer\" \":user-agent\"";

  private static final Pattern WORD = Pattern.compile("[\\w.-]+");

  private static volatile Map<String, LineFormat> known = standard(System.getenv("NO_COLOR"));

  private Formats() {}

  /**
   * Returns the format of a name, else the text compiled; that of {@code default} for no text.
   *
   * @throws IllegalArgumentException if the text is one word, and no name of a format
   */
  static LineFormat find(@Nullable String nameOrText) {
    String name = nameOrText == null || nameOrText.isEmpty() ? "default" : nameOrText;
    LineFormat format = known.get(name);
    if (format == null && WORD.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "RequestLogger.of(\""
              + name
              + "\"): no format of that name; there are "
              + String.join(", ", new TreeSet<>(known.keySet()))
              + ", and texts such as \":method :url :status\"");
    }
    return format == null ? FormatText.compile(name) : format;
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
   * @param noColor the variable NO_COLOR; any text but an empty one means no colours
   */
  static Map<String, LineFormat> standard(@Nullable String noColor) {
    Map<String, LineFormat> all = new HashMap<>();
    String common = ":remote-addr - :remote-user [:date[clf]] " + COMMON;
    all.put("combined", FormatText.compile(common + AGENT));
    all.put("common", FormatText.compile(common));
    all.put("default", FormatText.compile(":remote-addr - :remote-user [:date] " + COMMON + AGENT));
    all.put(
        "short",
        FormatText.compile(
            ":remote-addr :remote-user :method :url HTTP/:http-version"
                + " :status :res[content-length] - :response-time ms"));
    all.put(
        "tiny",
        FormatText.compile(":method :url :status :res[content-length] - :response-time ms"));
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
    TextFormat none = dev(0);
    TextFormat green = dev(32);
    TextFormat cyan = dev(36);
    TextFormat yellow = dev(33);
    TextFormat red = dev(31);
    return (tokens, out) -> {
      int status = tokens.res.headersSent() ? tokens.res.status() : 0;
      TextFormat format =
          status >= 500
              ? red
              : status >= 400 ? yellow : status >= 300 ? cyan : status >= 200 ? green : none;
      format.append(tokens, out);
    };
  }

  private static TextFormat dev(int colour) {
    return FormatText.compile(
        "\u001b[0m:method :url \u001b["
            + colour
            + "m:status\u001b[0m :response-time ms - :res[content-length]\u001b[0m");
  }
}
