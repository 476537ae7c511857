package dev.percolate.inspector;

import dev.percolate.core.Request;
import dev.percolate.http.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request as text, with secrets masked. Writes it as a command or code that repeats it.
 *
 * @param origin the scheme and authority, such as {@code http://localhost:3000}
 * @param headers the header lines
 * @param body the body if it has been parsed, else an empty string
 */
record RequestText(String method, String origin, String target, List<String> headers, String body) {

  /** The maximum number of body characters to copy. */
  private static final int LONGEST_BODY = 8000;

  /** The maximum number of body bytes to mask, which is more than the characters to copy. */
  private static final int MOST_BYTES = 4 * LONGEST_BODY;

  /**
   * Headers that clients add automatically, cookies, which are masked, and the coding of the body,
   * which has been decoded.
   */
  private static final Set<String> NOISE =
      Set.of(
          "host",
          "content-encoding",
          "content-length",
          "connection",
          "transfer-encoding",
          "accept-encoding",
          "accept-language",
          "cache-control",
          "cookie",
          "dnt",
          "pragma",
          "priority",
          "referer",
          "upgrade-insecure-requests",
          "user-agent");

  /** Returns the text of a request, with its body if that has been parsed. */
  static RequestText of(Request req) {
    String host = req.authority() == null ? "localhost" : req.authority();
    return new RequestText(
        ShortText.cut(req.method()),
        req.protocol() + "://" + host,
        ShortText.cut(Secrets.target(req.originalUrl())),
        headers(req),
        body(req));
  }

  /** Returns a copy with the body of the request. */
  RequestText withBody(Request req) {
    return new RequestText(method, origin, target, headers, body(req));
  }

  private static List<String> headers(Request req) {
    List<String> lines = new ArrayList<>();
    req.headers()
        .forEach(
            (name, value) ->
                lines.add(ShortText.cut(name) + ": " + ShortText.cut(Secrets.value(name, value))));
    return List.copyOf(lines);
  }

  /** Returns a curl command that sends the request. */
  String curl() {
    boolean bare = body.isEmpty();
    boolean head = bare && method.equals("HEAD"); // with -X, curl would wait for a body
    StringBuilder out = new StringBuilder(head ? "curl --head" : "curl -i");
    if (!head && !(bare && method.equals("GET"))) {
      out.append(" -X ").append(quoted(method));
    }
    out.append(" --path-as-is --globoff ").append(quoted(origin + target));
    for (String line : chosenHeaders()) {
      out.append(" \\\n  -H ").append(quoted(line));
    }
    if (!body.isEmpty()) {
      out.append(" \\\n  --data-raw ").append(quoted(body)); // does not read the file @name
    }
    return out.toString();
  }

  /**
   * Returns Java code that sends the request to an application in a test.
   *
   * @param status the status code of the response, which the test expects unless it is an error
   */
  String java(int status) {
    StringBuilder out = new StringBuilder("Reply reply =\n    Call.of(");
    out.append(literal(method)).append(", ").append(literal(target)).append(")");
    for (String line : chosenHeaders()) {
      int colon = line.indexOf(": ");
      out.append("\n        .header(").append(literal(line.substring(0, colon))).append(", ");
      out.append(literal(line.substring(colon + 2))).append(")");
    }
    if (!body.isEmpty()) {
      out.append("\n        .body(").append(literal(body)).append(")");
    }
    out.append("\n        .to(app);\n");
    int expected = status > 0 && status < 400 ? status : 200;
    out.append("assertEquals(").append(expected).append(", reply.status(), reply::toString);\n");
    return out.toString();
  }

  /**
   * Returns the source of a test class.
   *
   * @param id the number of the request, for the name of the class
   * @param status the status code of the response, as for {@link #java}
   */
  String test(long id, int status) {
    return """
    import static org.junit.jupiter.api.Assertions.assertEquals;

    import dev.percolate.framework.App;
    import dev.percolate.testkit.Call;
    import dev.percolate.testkit.Reply;
    import org.junit.jupiter.api.Test;

    final class Request%dTest {

      @Test
      void responds() throws Exception {
        App app = Main.app(); // replace it by the code that creates the application
    %s  }
    }
    """
        .formatted(id, java(status).indent(4));
  }

  /**
   * Returns a recording of the request, in JSON, which percolate-testkit and percolate-replay send
   * again.
   *
   * @param id the number of the request
   * @param status the status code of the response; 0 for none. Below 500, the replay expects it
   */
  String recording(long id, int status) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (String line : chosenHeaders()) {
      int colon = line.indexOf(": ");
      named.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("method", method);
    request.put("path", target);
    request.put("headers", named);
    if (!body.isEmpty()) {
      request.put("body", body);
    }
    boolean failed = status == 0 || status >= 500;
    Map<String, Object> scenario = new LinkedHashMap<>();
    scenario.put("id", method.toLowerCase(Locale.ROOT) + "/" + id);
    scenario.put("requests", List.of(request));
    scenario.put(
        "expect",
        List.of(failed ? Map.of("failed", "status " + status) : Map.of("status", status)));
    return "[\n" + JsonText.of(scenario) + "\n]\n";
  }

  /** Returns the approximate memory use in bytes. */
  long weight() {
    return 2L * (target.length() + body.length())
        + headers.stream().mapToLong(line -> 50 + 2L * line.length()).sum();
  }

  private List<String> chosenHeaders() {
    return headers.stream()
        .filter(line -> !line.equalsIgnoreCase("Accept: */*"))
        .filter(line -> !isNoise(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)))
        .toList();
  }

  private static boolean isNoise(String name) {
    return NOISE.contains(name) || name.startsWith("sec-");
  }

  private static String body(Request req) {
    byte[] raw = req.attrOrNull(Request.RAW);
    String text = "";
    if (raw != null) {
      int length = Math.min(raw.length, MOST_BYTES);
      text = masked(req, new String(raw, 0, length, StandardCharsets.UTF_8));
    } else if (req.body() instanceof String whole) {
      text = masked(req, whole.substring(0, Math.min(whole.length(), MOST_BYTES)));
    } else if (req.body() instanceof Map<?, ?> fields && req.is("urlencoded")) {
      text = Secrets.fields(fields) instanceof Map<?, ?> safe ? form(safe) : "";
    } else if (req.body() instanceof Map<?, ?> || req.body() instanceof List<?>) {
      text = JsonText.of(Secrets.fields(req.body()));
    }
    return text.substring(0, Math.min(text.length(), LONGEST_BODY));
  }

  private static String masked(Request req, String text) {
    if (req.is("json") || req.is("+json")) {
      return Secrets.json(text);
    }
    return req.is("urlencoded") ? Secrets.form(text) : Secrets.text(text);
  }

  private static String form(Map<?, ?> fields) {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(@Nullable Object text) {
    return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8);
  }

  /** Returns a text quoted for a shell. */
  static String quoted(String text) {
    boolean plain = text.chars().allMatch(c -> Character.isLetterOrDigit(c) && c < 128);
    return plain && !text.isEmpty() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** Returns a text as a Java string literal. */
  static String literal(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default ->
            out.append(c >= 32 && c < 127 ? String.valueOf(c) : "\\u%04x".formatted((int) c));
      }
    }
    return out.append('"').toString();
  }
}
