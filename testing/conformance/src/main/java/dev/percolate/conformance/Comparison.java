package dev.percolate.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds differences between recorded and actual responses. */
final class Comparison {

  private static final String STACK = "$STACK";
  private static final int LONGEST = 300;
  private static final Pattern NAME = Pattern.compile("^\\w*Error: ");
  private static final Pattern CLASS = Pattern.compile("^(?:\\w+\\.)+[\\w$]+: ");

  private Comparison() {}

  /** Describes the first difference; null if there is none. */
  static @Nullable String difference(
      Scenario scenario, List<Map<String, @Nullable Object>> answers, List<String> log) {
    List<String> found = new ArrayList<>();
    if (answers.size() != scenario.expect().size()) {
      found.add(both("responses", scenario.expect(), answers));
    }
    for (int i = 0; found.isEmpty() && i < answers.size(); i++) {
      Map<String, @Nullable Object> wanted = ScriptValues.map(scenario.expect().get(i));
      String where = answers.size() == 1 ? "" : "request " + (i + 1) + ": ";
      answer(wanted, withoutFrames(wanted, answers.get(i)), where, found);
    }
    if (found.isEmpty() && !scenario.log().equals(log)) {
      found.add(both("log", scenario.log(), log));
    }
    return found.isEmpty() ? null : String.join("; ", found);
  }

  /** Escapes line breaks and shortens a text to fit on one line. */
  static String line(String text) {
    String flat = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    return flat.length() <= LONGEST ? flat : flat.substring(0, LONGEST) + "…";
  }

  /**
   * Adapts an error page to the recorded one. The page may begin with the name of a Java class
   * instead of {@code Error}, may describe mistakes of programmers in our words, and may lack the
   * stack trace: an HttpError below 500 has none.
   */
  private static Map<String, @Nullable Object> withoutFrames(
      Map<String, @Nullable Object> wanted, Map<String, @Nullable Object> answer) {
    boolean framed = wanted.get("body") instanceof String body && body.endsWith(STACK);
    if (framed && answer.get("body") instanceof String body) {
      answer.put("body", translated((String) ScriptValues.orUndefined(wanted.get("body")), body));
    }
    String end =
        framed ? ((String) ScriptValues.orUndefined(wanted.get("body"))).replace(STACK, "\n") : "";
    boolean frameless = end.equals(answer.get("body")) || end.equals(answer.get("body") + "\n");
    if (framed && frameless) {
      answer.put("body", wanted.get("body"));
      Masks.forgetLength(answer);
    }
    return answer;
  }

  private static String translated(String wanted, String body) {
    Matcher name = NAME.matcher(wanted);
    String named = CLASS.matcher(body).replaceFirst(name.find() ? name.group() : "Error: ");
    return OriginalTexts.ofPage(named);
  }

  private static void answer(
      Map<String, @Nullable Object> wanted,
      Map<String, @Nullable Object> got,
      String where,
      List<String> found) {
    boolean plain = wanted.containsKey("status") && got.containsKey("status");
    if (!plain) {
      if (!wanted.equals(got)) {
        found.add(where + both("response", wanted, got));
      }
      return;
    }
    if (!ScriptValues.same(wanted.get("status"), got.get("status"))) {
      found.add(where + both("status", wanted.get("status"), got.get("status")));
    }
    headers(headers(wanted), headers(got), where, found);
    for (String body : List.of("body", "bodyBase64")) {
      if (!Objects.equals(wanted.get(body), got.get(body))) {
        found.add(where + both(body, wanted.get(body), got.get(body)));
      }
    }
  }

  private static void headers(
      Map<String, @Nullable Object> wanted,
      Map<String, @Nullable Object> got,
      String where,
      List<String> found) {
    TreeSet<String> names = new TreeSet<>(wanted.keySet());
    names.addAll(got.keySet());
    for (String name : names) {
      if (!Objects.equals(wanted.get(name), got.get(name))) {
        found.add(where + both("header " + name, wanted.get(name), got.get(name)));
      }
    }
  }

  private static Map<String, @Nullable Object> headers(Map<String, @Nullable Object> answer) {
    Map<String, @Nullable Object> none = Map.of();
    return ScriptValues.map(answer.getOrDefault("headers", none));
  }

  private static String both(String what, @Nullable Object wanted, @Nullable Object got) {
    return what + ": expected " + show(wanted) + ", was " + show(got);
  }

  private static String show(@Nullable Object value) {
    return value == null
        ? "none"
        : line(value instanceof String ? "\"" + value + "\"" : PlainValues.json(value));
  }
}
