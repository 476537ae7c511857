package dev.percolate.logger;

import dev.percolate.core.Handler;
import dev.percolate.http.LogText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Requests that each try to make their log line unreadable by one value, with the expected lines in
 * the combined format.
 */
final class HostileLog {

  /** The user agent or referrer of requests that do not test it; identifies the line. */
  private static final String ID = "n/";

  private static final List<String> TEXTS =
      List.of(
          "",
          "-",
          " ",
          "plain",
          "two words",
          "\"",
          "\\",
          "\\\"",
          "\" 200 1 \"",
          "\" \"",
          "] \"GET / HTTP/1.1\" 200 1 \"-\" \"-",
          "[10/Oct/2000:13:55:36 +0000]",
          "'",
          "`",
          "\n127.0.0.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /forged HTTP/1.1\" 200 1",
          "\r\n",
          "\t",
          "\u0000",
          "\u001b[2J",
          "\u007f",
          "\u0085",
          "\u009b",
          "\u00a0",
          "\u00e9",
          "\u00c3\u00a9",
          "\u00ff",
          "%",
          "%s%n%x",
          "%0a%0d",
          "${jndi:ldap://h/x}",
          "{\"a\":1}",
          "<script>alert(1)</script>",
          "; DROP TABLE log",
          "\\x41",
          "\\u0041",
          "a\\",
          "long".repeat(250));

  private static final List<String> USERS =
      List.of(
          "ana",
          "john doe",
          " ",
          "-",
          "a[b]",
          "[",
          "]",
          "a\"b",
          "\"",
          "a\\b",
          "ana@example.org",
          "a.b-c_d",
          "J\u00fcrgen",
          "\ud83d\ude00",
          "\u00a0",
          "a\u2003b",
          "a\u3000b",
          "a\u2028b",
          "a\u202eb",
          "x\ny",
          "x\r\ny",
          "x\ty",
          "\u0000",
          "\u001b[2J",
          "- [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1",
          "domain\\user",
          "user/one",
          "u".repeat(300));

  private static final List<String> ADDRESSES =
      List.of(
          "127.0.0.1",
          "203.0.113.7",
          "::1",
          "2001:db8::1",
          "client.example.org",
          "unknown",
          "a b c",
          "1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \"GET /forged HTTP/1.1\" 200 1 \"-\" \"-\"",
          "\"",
          "[::1]:443",
          "1.2.3.4\n5.6.7.8");

  private static final List<String> TARGETS =
      List.of(
          "/",
          "/a/b?c=d&e=f#g",
          "/a?b[c]=d",
          "/%0a%22%20",
          "/\"",
          "/\\",
          "/\\\"",
          "/a b",
          "/a\tb",
          "/\u00a0",
          "/\u0085",
          "/\u00e9",
          "/\u0000",
          "/'|`{}^~",
          "/${jndi:ldap://h/x}",
          "/<script>",
          "/\" 200 1 \"-\" \"-",
          "/] [",
          "//a//b",
          "/../../etc/passwd",
          "http://h/x",
          "*",
          "/" + "u".repeat(2000),
          "/" + "u".repeat(7000));

  private static final List<String> METHODS =
      List.of(
          "HEAD",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "PROPFIND",
          "M-SEARCH",
          "get",
          "X",
          "!#$%&'*+.^_`|~");

  private static final List<Integer> STATUSES =
      List.of(200, 204, 301, 304, 400, 404, 418, 451, 500, 503, 599, 600, 999);

  /** A request, and its expected line. */
  record Entry(String name, String line) {}

  private final List<Entry> entries = new ArrayList<>();
  private final Lines lines = new Lines();

  /** Plays the requests. */
  HostileLog() {
    each("agent", TEXTS, (text, id) -> play(get("/", "User-Agent", text, "Referer", id), 200));
    each("referrer", TEXTS, (text, id) -> play(get("/", "Referer", text, "User-Agent", id), 200));
    each(
        "user",
        USERS,
        (user, id) -> play(get("/", "Authorization", basic(user), "User-Agent", id), 200));
    each(
        "address",
        ADDRESSES,
        (address, id) -> {
          Visit visit = get("/", "User-Agent", id);
          visit.exchange.remoteAddress(address);
          play(visit, 200);
        });
    each("target", TARGETS, (target, id) -> play(get(target, "User-Agent", id), 200));
    each("method", METHODS, (method, id) -> play(Visit.of(method, "/", "User-Agent", id), 200));
    each("status", STATUSES, (status, id) -> play(get("/", "User-Agent", id), status));
    each(
        "version",
        List.of("1.0", "2.0"),
        (version, id) -> {
          Visit visit = get("/", "User-Agent", id);
          visit.exchange.httpVersion(version);
          play(visit, 200);
        });
    each("gone", List.of("client"), (client, id) -> play(get("/", "User-Agent", id), 0));
  }

  List<Entry> entries() {
    return entries;
  }

  /** Writes the lines to a file, through a sink. */
  void writeTo(Path file) {
    try (LogSink sink = LogSink.file(file)) {
      entries.forEach(entry -> sink.write(entry.line + "\n"));
    }
  }

  private <T> void each(String kind, List<T> values, BiConsumer<T, String> play) {
    for (T value : values) {
      String id = ID + entries.size();
      play.accept(value, id);
      String shown = LogText.escape(value.toString());
      String part = shown.length() > 60 ? shown.substring(0, 60) + "... " + shown.length() : shown;
      entries.add(new Entry(kind + " " + part, lines.only()));
      lines.all.clear();
    }
  }

  /** Plays a request; status 0 means that the client disconnects before the response. */
  private void play(Visit visit, int status) {
    Handler handler =
        (req, res) -> {
          if (status != 0) {
            res.status(status).send("ok");
          }
        };
    visit.through(RequestLogger.of("combined").to(lines.all::add), handler);
    if (status == 0) {
      visit.disconnect();
    }
  }

  private static Visit get(String target, String... headers) {
    return Visit.of("GET", target, headers);
  }

  private static String basic(String user) {
    byte[] pair = (user + ":p").getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }
}
