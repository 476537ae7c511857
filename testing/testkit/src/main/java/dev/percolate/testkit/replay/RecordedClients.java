package dev.percolate.testkit.replay;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.Cookies;
import dev.percolate.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a recorder, by their cookies. Cookies with short values, such as settings, do not
 * identify a client. Thread-safe.
 *
 * @param <S> what is stored for each client
 */
final class RecordedClients<S> {

  private static final int SHORTEST = 16;

  private final Map<String, S> clients = new Recent<>();

  /** The cookies of clients that were not chosen. */
  private final Map<String, Boolean> others = new Recent<>();

  private final Supplier<S> created;

  RecordedClients(Supplier<S> created) {
    this.created = created;
  }

  /** Returns true if a request belongs to a recorded client, or if a new client is chosen. */
  boolean records(Request req, BooleanSupplier chance) {
    List<String> cookies = sent(req.headers());
    synchronized (this) {
      if (cookies.stream().anyMatch(clients::containsKey)) {
        return true;
      }
      if (cookies.stream().anyMatch(others::containsKey)) {
        return false;
      }
    }
    if (chance.getAsBoolean()) {
      return true;
    }
    leave(cookies);
    if (cookies.isEmpty()) {
      Response res = req.response();
      res.onFinish(() -> leave(set(res.headers())));
    }
    return false;
  }

  /** Returns the client of a recorded request; null if it has no cookie. */
  synchronized @Nullable S of(Tape tape) {
    List<String> cookies = sent(tape.headers);
    cookies.addAll(set(tape.responseHeaders));
    if (cookies.isEmpty()) {
      return null;
    }
    S client = null;
    for (String cookie : cookies) {
      client = client == null ? clients.get(cookie) : client;
    }
    S stored = client == null ? created.get() : client;
    cookies.forEach(cookie -> clients.put(cookie, stored));
    return stored;
  }

  private synchronized void leave(List<String> cookies) {
    cookies.forEach(cookie -> others.put(cookie, true));
  }

  private static List<String> set(Headers headers) {
    List<String> values = new ArrayList<>();
    for (String line : headers.all("Set-Cookie")) {
      int end = line.indexOf(';');
      String pair = end < 0 ? line : line.substring(0, end);
      values.add(pair.substring(pair.indexOf('=') + 1).strip());
    }
    values.removeIf(value -> value.length() < SHORTEST);
    return values;
  }

  private static List<String> sent(Headers headers) {
    String line = headers.get("Cookie");
    List<String> values = new ArrayList<>();
    if (line != null) {
      Cookies.parse(line, value -> value).values().forEach(values::add);
    }
    values.removeIf(value -> value.length() < SHORTEST);
    return values;
  }
}
