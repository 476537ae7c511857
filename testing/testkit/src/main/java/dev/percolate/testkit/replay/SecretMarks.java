package dev.percolate.testkit.replay;

import dev.percolate.http.Html;
import dev.percolate.http.JsonText;
import dev.percolate.http.Percent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The masks of one recording. The same value has the same mark wherever it occurs, so that a replay
 * can send what an earlier response contained. Not thread-safe.
 */
final class SecretMarks {

  /** Values of this length or more are also masked where no rule names the place, except words. */
  private static final int DISTINCT = 8;

  private static final Pattern WORD = Pattern.compile("[a-z]*|[0-9]{0,9}");

  private static final int LONGEST = 4_000;

  /** The length of the longest value of which any mixture of spellings is found. */
  private static final int MIXED = 500;

  private static final Pattern MARK = Pattern.compile("\\$SECRET\\{[^}]{0,200}\\}");
  private static final Pattern SIGNS = Pattern.compile("[^A-Za-z0-9]+");
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
    List<String> longestFirst = new ArrayList<>(current);
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    for (String value : longestFirst) {
      if (masked.contains(longestRun(value))) {
        String mark = Matcher.quoteReplacement(mark("value", value));
        Pattern any = value.length() > MIXED ? forms(value) : spellings(value);
        masked = unmarked(masked, part -> any.matcher(part).replaceAll(mark));
      }
    }
    return unmarked(masked, this::known);
  }

  /** Returns the longest run of letters and digits of ASCII, which no syntax escapes. */
  private static String longestRun(String value) {
    return SIGNS.splitAsStream(value).max(Comparator.comparingInt(String::length)).orElse("");
  }

  /** Returns a pattern of a value in the usual form of each syntax. */
  private static Pattern forms(String value) {
    String json = JsonText.of(value);
    String percent = Percent.encodeComponent(value);
    return Pattern.compile(
        Stream.of(
                value,
                percent,
                percent.replace("%20", "+"),
                json.substring(1, json.length() - 1),
                value.replace("\\", "\\\\").replace("\"", "\\\""),
                Html.escape(value))
            .distinct()
            .map(Pattern::quote)
            .collect(Collectors.joining("|")));
  }

  /** Returns a pattern of a value in URLs, forms, JSON, HTML and XML. */
  private static Pattern spellings(String value) {
    StringBuilder regex = new StringBuilder();
    value
        .codePoints()
        .forEach(
            c -> {
              boolean same = c < 0x80 && Character.isLetterOrDigit(c);
              regex.append(same ? Character.toString(c) : spellings(c));
            });
    return Pattern.compile(regex.toString());
  }

  private static String spellings(int c) {
    String one = Character.toString(c);
    String json = JsonText.of(one);
    StringBuilder regex = new StringBuilder("(?:");
    regex.append("\"'\\/".indexOf(c) >= 0 ? "\\\\*" : "").append(Pattern.quote(one));
    regex.append('|').append(Pattern.quote(json.substring(1, json.length() - 1)));
    regex.append('|').append(Pattern.quote(Html.escape(one)));
    regex.append(c == ' ' ? "|\\+" : c == '\'' ? "|&apos;" : "").append("|(?i:");
    for (byte b : one.getBytes(StandardCharsets.UTF_8)) {
      regex.append("%%(?:25)*%02x".formatted(b & 0xff));
    }
    regex.append('|');
    one.chars().forEach(unit -> regex.append("\\\\+u%04x".formatted(unit)));
    return regex.append("|&#0*%d;|&#x0*%x;))".formatted(c, c)).toString();
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
    return current.stream()
        .anyMatch(value -> text.contains(value) || text.contains(utf8AsLatin1(value)));
  }

  /** Returns the bytes of a text as characters, as binary bodies are searched. */
  private static String utf8AsLatin1(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
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
