package dev.percolate.servlet;

import dev.percolate.http.Headers;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;

/** Copies response headers to a container's response and back. */
final class ResponseHeaders {

  private ResponseHeaders() {}

  /** Sets headers. Adds headers that an earlier filter may have set, such as cookies. */
  static void write(Headers from, HttpServletResponse to) {
    for (int i = 0; i < from.size(); i++) {
      String name = from.name(i);
      if (isOfContainer(name)) {
        continue;
      }
      if (isList(name) || isRepeated(from, i)) {
        to.addHeader(name, from.value(i));
      } else {
        to.setHeader(name, from.value(i));
      }
    }
  }

  /** Sets the headers whose values differ from those in {@code before}. */
  static void writeChanged(Headers from, Headers before, HttpServletResponse to) {
    Headers changed = new Headers();
    from.forEach(
        (name, value) -> {
          List<String> known = before.all(name);
          if (isList(name) ? !known.contains(value) : !known.equals(from.all(name))) {
            changed.addReceived(name, value);
          }
        });
    write(changed, to);
  }

  /**
   * Replaces all headers. Containers of Servlet 6.0 may not be able to remove a single one, by
   * null; then the response is reset, which in Jetty would set the cookie of a new session twice.
   */
  static void replace(Headers before, Headers by, HttpServletResponse to) {
    before.forEach(
        (name, value) -> {
          if (!by.contains(name)) {
            to.setHeader(name, null);
          }
        });
    writeChanged(by, before, to);
    if (!read(to).toString().equals(by.toString())) {
      to.reset();
      write(by, to);
    }
  }

  /** Returns the current headers of a response. */
  static Headers read(HttpServletResponse from) {
    Headers headers = new Headers();
    for (String name : from.getHeaderNames()) {
      for (String value : from.getHeaders(name)) {
        headers.addReceived(name, value);
      }
    }
    String type = from.getContentType();
    if (type != null && !headers.contains("Content-Type")) {
      headers.addReceived("Content-Type", type);
    }
    return headers;
  }

  private static boolean isRepeated(Headers headers, int line) {
    for (int i = 0; i < line; i++) {
      if (headers.name(i).equalsIgnoreCase(headers.name(line))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isList(String name) {
    return name.equalsIgnoreCase("Set-Cookie") || name.equalsIgnoreCase("Vary");
  }

  /**
   * Returns true if only the container may set the header: it controls framing or the connection.
   */
  private static boolean isOfContainer(String name) {
    return name.equalsIgnoreCase("Transfer-Encoding") || name.equalsIgnoreCase("Keep-Alive");
  }
}
