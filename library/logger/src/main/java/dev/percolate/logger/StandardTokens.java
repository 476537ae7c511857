package dev.percolate.logger;

import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.Request;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.LogText;
import dev.percolate.http.PlainText;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The predefined tokens. */
final class StandardTokens {

  private static final String PID = Long.toString(ProcessHandle.current().pid());

  private StandardTokens() {}

  static Map<String, TokenWriter> all() {
    Map<String, TokenWriter> all = new HashMap<>();
    all.put("date", StandardTokens::date);
    all.put("http-version", (t, out, args) -> text(out, t.req.httpVersion()));
    all.put("method", (t, out, args) -> text(out, t.req.method()));
    all.put("pid", (t, out, args) -> text(out, PID));
    all.put("referrer", (t, out, args) -> referrer(t, out));
    all.put("remote-addr", (t, out, args) -> text(out, t.address));
    all.put("remote-user", (t, out, args) -> remoteUser(t, out));
    all.put("req", (t, out, args) -> requestHeader(t, out, name("req", args)));
    all.put("request-id", (t, out, args) -> text(out, t.req.attrOrNull(Request.ID)));
    all.put("res", (t, out, args) -> t.status() != 0 && responseHeader(t, out, args));
    all.put("response-time", (t, out, args) -> t.timed() && time(out, t.nanosToHeaders(), args));
    all.put("status", (t, out, args) -> status(t.status(), out));
    all.put("total-time", (t, out, args) -> t.timed() && time(out, t.nanosToNow(), args));
    all.put("trace-id", (t, out, args) -> text(out, t.req.attrOrNull(Request.TRACE_ID)));
    all.put("url", (t, out, args) -> text(out, t.req.originalUrl()) || text(out, t.req.url()));
    all.put("ws-bytes-in", (t, out, args) -> closing(t, out, ConnectionSummary::bytesIn));
    all.put("ws-bytes-out", (t, out, args) -> closing(t, out, ConnectionSummary::bytesOut));
    all.put("ws-close", (t, out, args) -> closing(t, out, ConnectionSummary::code));
    all.put("ws-messages-in", (t, out, args) -> closing(t, out, ConnectionSummary::messagesIn));
    all.put("ws-messages-out", (t, out, args) -> closing(t, out, ConnectionSummary::messagesOut));
    all.put("user-agent", (t, out, args) -> text(out, t.req.headers().get("User-Agent")));
    return all;
  }

  /** Appends a number that describes a closed connection. */
  private static boolean closing(
      Tokens tokens, StringBuilder out, ToLongFunction<ConnectionSummary> part) {
    ConnectionSummary closing = tokens.closing();
    return closing != null && number(out, part.applyAsLong(closing));
  }

  private static boolean text(StringBuilder out, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return false;
    }
    out.append(LogText.escape(value));
    return true;
  }

  private static boolean date(Tokens tokens, StringBuilder out, @Nullable Object[] args) {
    String form = args.length == 0 || args[0] == null ? "" : args[0].toString();
    switch (form) {
      case "", "web" -> tokens.clock.appendWeb(out);
      case "clf" -> tokens.clock.appendClf(out);
      case "iso" -> tokens.clock.appendIso(out);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean status(int status, StringBuilder out) {
    return status != 0 && number(out, status);
  }

  private static boolean referrer(Tokens tokens, StringBuilder out) {
    return text(out, tokens.req.headers().get("Referer")) || requestHeader(tokens, out, "Referrer");
  }

  private static boolean remoteUser(Tokens tokens, StringBuilder out) {
    String credentials = tokens.req.headers().get("Authorization");
    return credentials != null && text(out, BasicCredentials.loggedUser(credentials));
  }

  private static String name(String token, @Nullable Object[] args) {
    if (args.length == 0 || args[0] == null) {
      throw new IllegalArgumentException(
          ":" + token + " needs the name of a header, as in :" + token + "[date]");
    }
    return args[0].toString();
  }

  private static boolean requestHeader(Tokens tokens, StringBuilder out, String name) {
    return text(out, HeaderValue.joined(tokens.req.headers(), name));
  }

  private static boolean responseHeader(Tokens tokens, StringBuilder out, @Nullable Object[] args) {
    String name = name("res", args);
    if (joined(out, tokens.res.headers(), name)) {
      return true;
    }
    long added = name.equalsIgnoreCase("Content-Length") ? tokens.addedLength() : -1;
    return added >= 0 && number(out, added);
  }

  private static boolean number(StringBuilder out, long number) {
    out.append(number);
    return true;
  }

  /** Appends all values of a header without creating a list for each line. */
  private static boolean joined(StringBuilder out, Headers headers, String name) {
    int before = out.length();
    boolean first = true;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).equalsIgnoreCase(name)) {
        out.append(first ? "" : ", ").append(LogText.escape(headers.value(i)));
        first = false;
      }
    }
    return out.length() > before;
  }

  /** Appends milliseconds with a number of decimals, rounded half up. */
  private static boolean time(StringBuilder out, long nanos, @Nullable Object[] args) {
    int decimals = args.length == 0 ? 3 : decimals(args[0]);
    long unit = 1_000_000;
    int exact = Math.min(decimals, 6);
    long scale = 1;
    for (int i = 0; i < exact; i++) {
      unit /= 10;
      scale *= 10;
    }
    long rounded = (nanos + unit / 2) / unit;
    out.append(rounded / scale);
    if (decimals > 0) {
      LogClock.digits(out.append('.'), rounded % scale, exact);
      out.append("0".repeat(decimals - exact));
    }
    return true;
  }

  /** Parses the number of decimals; 0 if it is not a number. */
  private static int decimals(@Nullable Object arg) {
    String text = arg == null ? "" : PlainText.of(arg);
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return 0;
      }
      number = Math.min(10 * number + c - '0', 1000);
    }
    if (number > 100) {
      throw new IllegalArgumentException("decimals must be at most 100, was " + text);
    }
    return number;
  }
}
