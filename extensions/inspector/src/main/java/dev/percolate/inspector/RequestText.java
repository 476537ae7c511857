package dev.percolate.inspector;

import dev.percolate.core.Request;
import dev.percolate.http.Headers;
import dev.percolate.http.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a request as a command or code that repeats it, with secrets masked. */
final class RequestText {

  /** The maximum number of body characters to copy. */
  private static final int LONGEST_BODY = 8000;

  /** Headers that clients add automatically. */
  private static final Set<String> OWN =
      Set.of("host", "content-length", "connection", "transfer-encoding", "accept-encoding");

  private RequestText() {}

  /** Returns the header lines, with secrets masked. */
  static List<String> headers(Request req) {
    List<String> lines = new ArrayList<>();
    Headers headers = req.headers();
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      lines.add(ShortText.cut(name + ": " + Secrets.value(name, headers.value(i))));
    }
    return List.copyOf(lines);
  }

  /** Returns a curl command that sends the request. */
  static String curl(Request req) {
    StringBuilder out = new StringBuilder("curl -i");
    if (!req.method().equals("GET")) {
      out.append(" -X ").append(quoted(req.method()));
    }
    String host = req.authority() == null ? "localhost" : req.authority();
    String url = req.protocol() + "://" + host + Secrets.target(req.originalUrl());
    out.append(" --path-as-is --globoff ").append(quoted(url));
    for (String line : sent(req)) {
      out.append(" \\\n  -H ").append(quoted(line));
    }
    String body = body(req);
    if (body != null) {
      out.append(" \\\n  --data-binary ").append(quoted(body));
    }
    return out.toString();
  }

  /** Returns Java code that sends the request to an application in a test. */
  static String java(Request req) {
    StringBuilder out = new StringBuilder("Reply reply =\n    Call.of(");
    out.append(literal(req.method())).append(", ");
    out.append(literal(Secrets.target(req.originalUrl()))).append(")");
    for (String line : sent(req)) {
      int colon = line.indexOf(": ");
      out.append("\n        .header(").append(literal(line.substring(0, colon))).append(", ");
      out.append(literal(line.substring(colon + 2))).append(")");
    }
    String body = body(req);
    if (body != null) {
      out.append("\n        .body(").append(literal(body)).append(")");
    }
    out.append("\n        .to(app);\n");
    return out.append("assertEquals(200, reply.status(), reply::toString);\n").toString();
  }

  private static List<String> sent(Request req) {
    return headers(req).stream()
        .filter(
            line -> !OWN.contains(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)))
        .toList();
  }

  /** Returns the body if it has been parsed, otherwise null. */
  static @Nullable String body(Request req) {
    byte[] raw = req.attrOrNull(Request.RAW);
    String text = null;
    if (raw != null) {
      text = masked(req, new String(raw, StandardCharsets.UTF_8));
    } else if (req.body() instanceof String whole) {
      text = masked(req, whole);
    } else if (req.body() instanceof Map<?, ?> fields && req.is("urlencoded")) {
      text = Secrets.fields(fields) instanceof Map<?, ?> safe ? form(safe) : null;
    } else if (req.body() instanceof Map<?, ?> || req.body() instanceof List<?>) {
      text = JsonText.of(Secrets.fields(req.body()));
    }
    return text == null || text.length() <= LONGEST_BODY ? text : text.substring(0, LONGEST_BODY);
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
