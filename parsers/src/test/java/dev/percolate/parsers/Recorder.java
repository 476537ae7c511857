package dev.percolate.parsers;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.http.HttpError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends a request through parsers and notes what the step behind them sees. */
final class Recorder {

  @Nullable Request req;
  @Nullable Object body;
  @Nullable Throwable error;
  @Nullable Thread thread;
  int calls;

  static Recorder play(FakeExchange exchange, Middleware... steps) {
    Recorder recorder = new Recorder();
    List<Middleware> all = new ArrayList<>(Arrays.asList(steps));
    all.add(
        (req, res, next) -> {
          recorder.see(req, null);
          res.end();
        });
    ErrorHandler errors =
        (error, req, res, next) -> {
          recorder.see(req, error);
          res.status(400).end();
        };
    all.add(errors);
    exchange.through(all.toArray(new Middleware[0]));
    return recorder;
  }

  /** Gives the error that came, which must be one with a status. */
  HttpError error() {
    if (error instanceof HttpError known) {
      return known;
    }
    throw new AssertionError("no HttpError but " + body, error);
  }

  /** Gives status, type and message of the error. */
  String failure() {
    return error().status() + " " + error().type() + " " + error().getMessage();
  }

  /** Gives the body, which must have come without an error. */
  @Nullable Object body() {
    if (error != null) {
      throw new AssertionError(error);
    }
    return body;
  }

  private void see(Request seen, @Nullable Throwable failure) {
    calls++;
    req = seen;
    body = seen.body();
    error = failure;
    thread = Thread.currentThread();
  }
}
