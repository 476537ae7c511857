package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends calls through middleware, with a {@link Lint} around each of them. */
final class Played {

  /** Responds with the message and code of an error. */
  static final ErrorHandler SHOWN =
      (error, req, res, next) -> {
        int status = error instanceof HttpError known ? known.status() : 500;
        Object code = error instanceof HttpError known ? known.field("code") : null;
        res.status(status).send(error.getMessage() + (code == null ? "" : " " + code));
      };

  /** Fails in a header hook, like sessions with an unavailable store. */
  static final Middleware FAILING_HOOK =
      (req, res, next) -> {
        res.onHeaders(
            () -> {
              throw new IllegalStateException("no sessions");
            });
        next.run();
      };

  private static final Key<Object> SESSION = Key.of("session", Object.class);

  private Played() {}

  /** Sets a value of the session, whether it is of {@link Sessions} or {@link CookieSession}. */
  static void put(Request req, String name, Object value) {
    if (req.attr(SESSION) instanceof Session session) {
      session.set(name, value);
    } else {
      req.attr(CookieSession.SESSION).put(name, value);
    }
  }

  /** Returns a value of the session, whether it is of {@link Sessions} or {@link CookieSession}. */
  static @Nullable Object get(Request req, String name) {
    return req.attr(SESSION) instanceof Session session
        ? session.get(name)
        : req.attr(CookieSession.SESSION).get(name);
  }

  static Reply reply(Call call, Middleware... steps) {
    return reply(new Settings(), call, steps);
  }

  static Reply reply(Settings settings, Call call, Middleware... steps) {
    Lint lint = new Lint();
    List<Middleware> watched = new ArrayList<>();
    for (Middleware step : Chain.flat(List.of(steps))) {
      watched.add(lint.around(step));
    }
    watched.add(SHOWN);
    Service service = Chain.service(settings, watched.toArray(Middleware[]::new));
    Reply reply = call.to(lint.service(service));
    lint.check();
    return reply;
  }

  /** Returns a call with the cookies that a response sets. */
  static Call with(Reply reply) {
    List<String> pairs = new ArrayList<>();
    for (String line : reply.all("Set-Cookie")) {
      pairs.add(line.substring(0, line.indexOf(';')));
    }
    return Call.get("/").header("Cookie", String.join("; ", pairs));
  }

  /** Returns the message with which an option or a factory rejects its arguments. */
  static String rejection(Supplier<?> setUp) {
    Exception rejected = assertThrows(IllegalArgumentException.class, setUp::get);
    return String.valueOf(rejected.getMessage());
  }

  static String outcome(Call call, Middleware... steps) {
    Reply reply = reply(call, steps);
    return reply.status() + " " + reply.text();
  }
}
