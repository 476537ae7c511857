package dev.percolate.middleware;

import dev.percolate.core.Response;
import dev.percolate.http.Headers;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;

/**
 * An answer as it is kept: a line of its status, one of each header, an empty one, and the body in
 * base64, or {@code -} for one that was too long.
 */
record KeptAnswer(int status, Headers headers, String content) {

  /** What belongs to one answer or its connection, is made anew, or is a secret. */
  private static final Set<String> NOT_KEPT =
      Set.of(
          "connection",
          "content-length",
          "date",
          "keep-alive",
          "ratelimit-limit",
          "ratelimit-remaining",
          "ratelimit-reset",
          "set-cookie",
          "transfer-encoding");

  private static final String TOO_LONG = "-";

  /** Creates one without its body yet. */
  static KeptAnswer head(int status, Headers headers) {
    Headers kept = new Headers();
    headers.forEach(
        (name, value) -> {
          if (!NOT_KEPT.contains(name.toLowerCase(Locale.ROOT))) {
            Object ignored = kept.add(name, value);
          }
        });
    return new KeptAnswer(status, kept, "");
  }

  /** Returns the same with a body. */
  KeptAnswer with(byte[] body) {
    return new KeptAnswer(status, headers, Base64.getEncoder().encodeToString(body));
  }

  /** Returns the same, which tells that there was a body that is too long to be kept. */
  KeptAnswer withoutBody() {
    return new KeptAnswer(status, headers, TOO_LONG);
  }

  boolean tooLong() {
    return content.equals(TOO_LONG);
  }

  String write() {
    StringBuilder text = new StringBuilder().append(status).append('\n');
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.append('\n').append(content).toString();
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static KeptAnswer read(String text) {
    int end = text.indexOf("\n\n");
    if (end < 0) {
      throw new IllegalArgumentException("no body");
    }
    String[] lines = text.substring(0, end).split("\n", -1);
    int status = Integer.parseInt(lines[0]);
    if (status < 200 || status > 499) {
      throw new IllegalArgumentException("no status");
    }
    Headers headers = new Headers();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(": ");
      if (colon < 0) {
        throw new IllegalArgumentException("no header");
      }
      Object ignored = headers.add(lines[i].substring(0, colon), lines[i].substring(colon + 2));
    }
    String content = text.substring(end + 2);
    if (!content.equals(TOO_LONG)) {
      byte[] ignored = Base64.getDecoder().decode(content); // now, while it can still be refused
    }
    return new KeptAnswer(status, headers, content);
  }

  /** Answers with it. */
  void give(Response res) {
    headers.forEach((name, value) -> res.headers().remove(name));
    headers.forEach(res::append);
    res.status(status).set("Idempotency-Replayed", "true");
    byte[] body = Base64.getDecoder().decode(content);
    if (body.length == 0) {
      res.end();
    } else {
      res.send(body);
    }
  }
}
