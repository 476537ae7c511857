package dev.percolate.testkit.replay;

import dev.percolate.http.Html;
import dev.percolate.http.JsonText;
import dev.percolate.http.Percent;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The masks of one recording. The same value has the same mark wherever it occurs, so that a replay
 * can send what an earlier response contained. Not thread-safe.
 */
final class SecretMarks {

  /** Values of this length or more are also masked where no rule names the place, except words. */
  private static final int DISTINCT = 8;

  private static final Pattern WORD = Pattern.compile("[a-z]*|[0-9]{0,9}");

  private static final int LONGEST = 4_000;
  private static final Pattern MARK = Pattern.compile("\\$SECRET\\{[^}]{0,200}\\}");
  private static final Pattern RUN = Pattern.compile("[\\w.~%+=-]{8,4000}");

  private final Map<String, String> marks = new Recent<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /** The distinct values of the current request and its response. */
  private final Set<String> current = new LinkedHashSet<>();

  /** Starts with the next request. */
  void next(Collection<String> values) {
    current.clear();
    for (String value : values) {
      String unused = mark("value", value);
      current.add(value);
    }
  }

  /** Returns the mark of a value. */
  String mark(String name, String value) {
    if (value.isEmpty() || MARK.matcher(value).matches()) {
      return value;
    }
    String plain = name.replaceAll("[^\\p{L}\\p{N} _.-]", "-");
    String base = plain.substring(0, Math.min(60, plain.length())).strip();
    boolean distinct = value.length() >= DISTINCT && !WORD.matcher(value).matches();
    String key =
        distinct ? value.substring(0, Math.min(LONGEST, value.length())) : base + "\n" + value;
    if (distinct) {
      current.add(value);
    }
    return "$SECRET{" + marks.computeIfAbsent(key, unused -> unique(base)) + "}";
  }

  private String unique(String base) {
    if (counts.size() > Recent.MOST) {
      counts.clear();
    }
    int before = counts.merge(base, 1, Integer::sum) - 1;
    return before == 0 ? base : base + " " + before;
  }

  /** Masks the values of the current request, and known tokens, wherever they occur in a text. */
  String everywhere(String text) {
    String masked = text;
    for (String value : List.copyOf(current)) {
      String json = JsonText.of(value);
      String percent = Percent.encodeComponent(value);
      for (String form :
          List.of(
              value,
              percent,
              percent.replace("%20", "+"),
              json.substring(1, json.length() - 1),
              value.replace("\\", "\\\\").replace("\"", "\\\""),
              Html.escape(value))) {
        if (masked.contains(form)) {
          String mark = mark("value", value);
          masked = unmarked(masked, part -> part.replace(form, mark));
        }
      }
    }
    return unmarked(masked, this::known);
  }

  /** Changes a text, but not its marks. */
  private static String unmarked(String text, UnaryOperator<String> change) {
    StringBuilder out = new StringBuilder(text.length());
    Matcher mark = MARK.matcher(text);
    int copied = 0;
    for (; mark.find(); copied = mark.end()) {
      out.append(change.apply(text.substring(copied, mark.start()))).append(mark.group());
    }
    return out.append(change.apply(text.substring(copied))).toString();
  }

  /** Returns true if a text contains a value of the current request. */
  boolean occurIn(String text) {
    return current.stream().anyMatch(text::contains);
  }

  private String known(String text) {
    return RUN.matcher(text)
        .replaceAll(
            run -> {
              String name = marks.get(run.group());
              if (name == null) {
                name = marks.get(Percent.decodeQuery(run.group()));
              }
              return Matcher.quoteReplacement(name == null ? run.group() : "$SECRET{" + name + "}");
            });
  }
}
