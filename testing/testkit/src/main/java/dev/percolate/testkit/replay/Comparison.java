package dev.percolate.testkit.replay;

import dev.percolate.core.JsonCodec;
import dev.percolate.testkit.Reply;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares recorded responses with received ones, and learns the values that later requests need.
 *
 * <p>Not compared: headers that depend on the server or the time, entity tags, the order of JSON
 * keys, letter case and order in lists such as {@code Vary}, spellings of HTML entities, bodies of
 * redirects, stack traces of errors, and absolute URLs of the own host.
 */
final class Comparison {

  /** The key of a response that describes a failure, which must not happen again. */
  static final String FAILED = "failed";

  private static final Set<String> UNCOMPARED =
      Set.of(
          ("age connection content-length date keep-alive ratelimit-reset retry-after server"
                  + " server-timing transfer-encoding x-powered-by x-ratelimit-reset"
                  + " x-response-time")
              .split(" "));

  private static final Set<String> LISTS =
      Set.of("allow", "vary", "cache-control", "access-control-allow-methods");

  private static final int MOST = 50;
  private static final JsonCodec.ReadOptions READING = new JsonCodec.ReadOptions(100, true);
  private static final Pattern STACK = Pattern.compile("(?s)(<br>|\\\\n|\n)( &nbsp;|\\s)*at .*");
  private static final Pattern SPACE = Pattern.compile("(?<=>)\\s+|\\s+(?=<)|\\s*/?(?=>)");
  private static final String NONE = "(none)";

  private final Rules rules;
  private final KnownValues known;
  private final UnaryOperator<String> ownUrls;
  private final RecordedCall call;
  private final List<Difference> found = new ArrayList<>();

  /**
   * Creates the comparison of one response.
   *
   * @param ownUrls replaces the addresses of the recorded and the tested server
   */
  Comparison(RecordedCall call, Rules rules, KnownValues known, UnaryOperator<String> ownUrls) {
    this.call = call;
    this.rules = rules;
    this.known = known;
    this.ownUrls = ownUrls;
  }

  /** Returns the differences that no rule allows. */
  List<Difference> differences(Reply reply) {
    Map<String, @Nullable Object> expected = call.response();
    if (expected.get(FAILED) != null) {
      if (reply.status() >= 500 || reply.status() == 0 || reply.aborted()) {
        add(
            "request " + call.method() + " " + Rules.pattern(call.path()),
            "response",
            "no failure",
            reply.aborted() ? "closed connection" : "status " + reply.status());
      }
      return found;
    }
    Object status = expected.get("status");
    if (status instanceof Number number && number.intValue() != reply.status()) {
      add(
          "status " + number + " " + reply.status(),
          "status",
          number.toString(),
          Integer.toString(reply.status()));
      return found; // everything else differs too
    }
    if (expected.get("headers") instanceof Map<?, ?> headers) {
      headers(RecordedCall.map(headers), reply);
    }
    body(expected, reply);
    return found;
  }

  private void add(String rule, String where, String expected, String was) {
    if (!rules.allows(rule) && found.size() < MOST) {
      found.add(new Difference(rule, where, expected, was));
    }
  }

  private void text(String rule, String where, String wanted, String came, boolean longText) {
    TextMatch differs = TextMatch.of(wanted, came, known);
    if (differs != null) {
      String place = longText ? " at " + TextMatch.place(wanted, differs.recorded()) : "";
      add(
          rule,
          where + place,
          TextMatch.around(wanted, differs.recorded()),
          TextMatch.around(came, differs.received()));
    }
  }

  private void headers(Map<String, @Nullable Object> recorded, Reply reply) {
    Map<String, String> received = new LinkedHashMap<>();
    reply
        .headers()
        .forEach(
            (name, value) ->
                received.merge(
                    name.toLowerCase(Locale.ROOT), value, (all, one) -> all + joint(name) + one));
    TreeSet<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(received.keySet());
    names.removeAll(UNCOMPARED);
    for (String name : names) {
      String wanted = recorded.get(name) == null ? null : String.valueOf(recorded.get(name));
      String came = received.get(name);
      if (name.equals("etag")) {
        if (wanted != null && came != null) {
          known.learnTag(wanted, came);
        }
      } else if (wanted == null || came == null) {
        add(
            "header " + name,
            "header " + name,
            wanted == null ? NONE : wanted,
            came == null ? NONE : came);
      } else {
        String where = "header " + name;
        text(where, where, header(name, wanted), header(name, came), false);
      }
    }
  }

  /** Returns the text between the lines of a header, as in a recording. */
  private static String joint(String name) {
    return name.equalsIgnoreCase("set-cookie") ? "\n" : ", ";
  }

  /** Returns a header in the form in which it is compared. */
  private String header(String name, String value) {
    String own = ownUrls.apply(value);
    if (name.equals("content-type")) {
      return own.toLowerCase(Locale.ROOT).replaceAll("boundary=.*", "boundary").replace(" ", "");
    }
    if (name.equals("set-cookie")) {
      return own.lines().map(Comparison::cookie).sorted().collect(Collectors.joining("\n"));
    }
    return LISTS.contains(name)
        ? Stream.of(own.toLowerCase(Locale.ROOT).split("[,\n]"))
            .map(String::strip)
            .sorted()
            .collect(Collectors.joining(", "))
        : own;
  }

  /** Returns a cookie without its date, and with the attributes in lower case and in order. */
  private static String cookie(String line) {
    int end = (line + ";").indexOf(';');
    return Stream.of(line.substring(end).toLowerCase(Locale.ROOT).split(";", -1))
        .map(attribute -> attribute.strip().replaceFirst("expires=.*", "expires"))
        .sorted()
        .collect(Collectors.joining("; ", line.substring(0, end), ""));
  }

  private void body(Map<String, @Nullable Object> expected, Reply reply) {
    String rule = "body " + call.method() + " " + Rules.pattern(call.path());
    if (reply.aborted()) {
      add(rule, "body", "a complete response", "closed connection");
    }
    String type = type(expected).toLowerCase(Locale.ROOT);
    boolean shown = !isRedirect(expected) || type.contains("json");
    if (call.method().equals("HEAD") || !shown || rules.allows(rule)) {
      return;
    }
    if (expected.get("bodyBase64") instanceof String coded) {
      byte[] wanted = Base64.getDecoder().decode(coded);
      int at = Arrays.mismatch(wanted, reply.bytes());
      if (at >= 0) {
        add(rule, "body at byte " + at, wanted.length + " bytes", reply.bytes().length + " bytes");
      }
      return;
    }
    if (!(expected.get("body") instanceof String wanted) || isAllow(wanted, expected, reply)) {
      return;
    }
    if (type.contains("json") && json(rule, wanted, reply.text())) {
      return;
    }
    boolean html = type.contains("html");
    text(rule, "body", shown(wanted, html), shown(reply.text(), html), true);
  }

  /** Returns true for a redirect, whose {@code Location} clients follow without its body. */
  private static boolean isRedirect(Map<String, @Nullable Object> expected) {
    return expected.get("status") instanceof Number status
        && status.intValue() / 100 == 3
        && expected.get("headers") instanceof Map<?, ?> headers
        && headers.containsKey("location");
  }

  /** Returns true if both bodies repeat {@code Allow}, whose methods are compared in any order. */
  private static boolean isAllow(
      String wanted, Map<String, @Nullable Object> expected, Reply reply) {
    return expected.get("headers") instanceof Map<?, ?> headers
        && wanted.equals(headers.get("allow"))
        && reply.text().equals(reply.header("Allow"));
  }

  private static String type(Map<String, @Nullable Object> expected) {
    return expected.get("headers") instanceof Map<?, ?> headers
            && headers.get("content-type") instanceof String type
        ? type
        : "";
  }

  /** Returns a body in the form in which it is compared. */
  private String shown(String body, boolean html) {
    String text = ownUrls.apply(body);
    if (call.response().get("status") instanceof Number status && status.intValue() >= 500) {
      text = STACK.matcher(text).replaceFirst("");
    }
    if (html) {
      text = Entities.uniform(text);
    }
    if (html && rules.allows(Rules.HTML_SPACE)) {
      text = SPACE.matcher(text).replaceAll("").replaceAll("\\s+", " ").strip();
    }
    return text;
  }

  /** Compares JSON; returns false if one of the texts is not JSON. */
  private boolean json(String rule, String wanted, String came) {
    Object recorded;
    Object received;
    try {
      recorded = JsonCodec.find().read(wanted, READING);
      received = JsonCodec.find().read(came, READING);
    } catch (IllegalArgumentException e) {
      return false;
    }
    boolean nested = recorded instanceof Map<?, ?> || recorded instanceof List<?>;
    value(nested ? "json " : rule, "", "", recorded, received);
    return true;
  }

  /** Compares values at a JSON pointer, and at its pattern with {@code *} for indexes. */
  private void value(
      String rule, String pointer, String pattern, @Nullable Object wanted, @Nullable Object came) {
    String kind = rule.endsWith(" ") ? rule + (pattern.isEmpty() ? "/" : pattern) : rule;
    String where = "body at " + (pointer.isEmpty() ? "/" : pointer);
    if (rules.allows(kind)) {
      known.learnChanging(String.valueOf(wanted), String.valueOf(came));
    } else if (wanted instanceof Map<?, ?> known && came instanceof Map<?, ?> map) {
      TreeSet<String> names = new TreeSet<>(RecordedCall.map(known).keySet());
      names.addAll(RecordedCall.map(map).keySet());
      for (String name : names) {
        String step = "/" + name.replace("~", "~0").replace("/", "~1");
        if (known.containsKey(name) && map.containsKey(name)) {
          value(rule, pointer + step, pattern + step, known.get(name), map.get(name));
        } else {
          boolean missing = known.containsKey(name);
          add(
              "json " + pattern + step,
              "body at " + pointer + step,
              missing ? "present" : NONE,
              missing ? NONE : shown(map.get(name)));
        }
      }
    } else if (wanted instanceof List<?> known && came instanceof List<?> list) {
      for (int i = 0; i < Math.min(known.size(), list.size()); i++) {
        value(rule, pointer + "/" + i, pattern + "/*", known.get(i), list.get(i));
      }
      if (known.size() != list.size()) {
        add(kind, where, known.size() + " items", list.size() + " items");
      }
    } else if (wanted instanceof String text) {
      boolean secret = text.startsWith("$SECRET{") && came instanceof Number;
      if (came instanceof String || secret) {
        text(kind, where, shown(text, false), shown(String.valueOf(came), false), false);
      } else {
        add(kind, where, shown(wanted), shown(came));
      }
    } else if (!same(wanted, came)) {
      add(kind, where, shown(wanted), shown(came));
    }
  }

  private static boolean same(@Nullable Object wanted, @Nullable Object came) {
    if (wanted instanceof Number && came instanceof Number) {
      String first = wanted.toString();
      String second = came.toString();
      boolean times = first.matches("1[5-9]\\d{11}") && second.matches("1[5-9]\\d{11}");
      return times || new BigDecimal(first).compareTo(new BigDecimal(second)) == 0;
    }
    return Objects.equals(wanted, came);
  }

  private static String shown(@Nullable Object value) {
    return TextMatch.around(JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT), 0);
  }
}
