package dev.percolate.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values that recordings show as {@code $SECRET{name}}: those from a file, and those from
 * responses, such as session cookies, which later requests send back.
 */
final class RecordedSecrets {

  private static final Pattern MARK = Pattern.compile("\\$SECRET\\{([^}]*)\\}");
  private static final String ANY = "([^\"&;,<>\\s]*)";

  private final Map<String, String> values = new HashMap<>();

  /**
   * Reads secrets known to clients from a file with lines {@code name=value}.
   *
   * @throws IllegalArgumentException if a line has another form
   */
  void read(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(file + ": each line must have the form name=value");
      }
      values.put(line.substring(0, equals), line.substring(equals + 1));
    }
  }

  /**
   * Replaces the secrets in a request with their values.
   *
   * @throws MissingFeature if a value is unknown
   */
  @Nullable Object filled(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> out = new LinkedHashMap<>();
      map.forEach((name, one) -> out.put((String) name, filled(one)));
      return out;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> out = new ArrayList<>();
      list.forEach(one -> out.add(filled(one)));
      return out;
    }
    return value instanceof String text
        ? MARK.matcher(text).replaceAll(mark -> Matcher.quoteReplacement(value(mark.group(1))))
        : value;
  }

  /**
   * Learns hidden values by comparing a recorded text with the received one.
   *
   * @return the recorded text if the received text matches it; otherwise the received text
   */
  String learned(String recorded, String came) {
    List<String> names = new ArrayList<>();
    StringBuilder fitting = new StringBuilder();
    int at = 0;
    for (Matcher mark = MARK.matcher(recorded); mark.find(); at = mark.end()) {
      names.add(mark.group(1));
      fitting.append(Pattern.quote(recorded.substring(at, mark.start()))).append(ANY);
    }
    fitting.append(Pattern.quote(recorded.substring(at)));
    Matcher matcher = Pattern.compile(fitting.toString(), Pattern.DOTALL).matcher(came);
    if (!matcher.matches()) {
      return came;
    }
    for (int i = 0; i < names.size(); i++) {
      values.put(names.get(i), matcher.group(i + 1));
    }
    return recorded;
  }

  static boolean hidesSomething(@Nullable Object text) {
    return text instanceof String recorded && MARK.matcher(recorded).find();
  }

  private String value(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new MissingFeature("value of $SECRET{" + name + "}. Add --secrets FILE.");
    }
    return value;
  }
}
