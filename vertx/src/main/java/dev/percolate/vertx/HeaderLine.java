package dev.percolate.vertx;

import dev.percolate.http.HttpDate;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Gives names and values of headers as bytes, which the engine copies to the connection at once; it
 * would write texts letter by letter.
 */
final class HeaderLine {

  private static final Map<String, AsciiString> NAMES =
      List.of(
              "Accept-Ranges",
              "Access-Control-Allow-Origin",
              "Cache-Control",
              "Connection",
              "Content-Disposition",
              "Content-Encoding",
              "Content-Length",
              "Content-Range",
              "Content-Security-Policy",
              "Content-Type",
              "Date",
              "ETag",
              "Last-Modified",
              "Location",
              "Referrer-Policy",
              "Set-Cookie",
              "Strict-Transport-Security",
              "Vary",
              "X-Content-Type-Options",
              "X-Frame-Options",
              "X-Powered-By")
          .stream()
          .collect(Collectors.toUnmodifiableMap(Function.identity(), HeaderLine::bytes));

  private HeaderLine() {}

  static AsciiString name(String name) {
    AsciiString known = NAMES.get(name);
    return known == null ? bytes(name) : known;
  }

  /** Returns the value, of characters up to U+00FF. */
  static AsciiString value(String value) {
    return bytes(value);
  }

  private static AsciiString bytes(String text) {
    return new AsciiString(text.getBytes(StandardCharsets.ISO_8859_1), false);
  }

  /** Gives the value of the header {@code Date}, made anew each second; used by one loop. */
  static final class DateHeader {

    private long second = -1;
    private AsciiString text = AsciiString.EMPTY_STRING;

    AsciiString now() {
      long now = System.currentTimeMillis();
      if (now / 1000 != second) {
        second = now / 1000;
        text = value(HttpDate.format(now));
      }
      return text;
    }
  }
}
