package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends calls through middleware, with a {@link Lint} around each of them. */
final class Members {

  /** Responds with the user. */
  static final Handler SHOW =
      (req, res) -> {
        AuthUser user = req.attrOrNull(Auth.USER);
        res.send(user == null ? "nobody" : user.name());
      };

  /** Responds with the message and type of an error. */
  private static final ErrorHandler SHOW_ERROR =
      (error, req, res, next) -> {
        int status = error instanceof HttpError known ? known.status() : 500;
        String type = error instanceof HttpError known ? known.type() : null;
        res.status(status).send(error.getMessage() + (type == null ? "" : " (" + type + ")"));
      };

  private Members() {}

  static Reply reply(Call call, Middleware... steps) {
    Lint lint = new Lint();
    List<Middleware> watched = new ArrayList<>();
    for (Middleware step : steps) {
      watched.add(lint.around(step));
    }
    watched.add(SHOW_ERROR);
    Service service = Chain.service(new Settings(), watched.toArray(Middleware[]::new));
    Reply reply = call.to(lint.service(service));
    lint.check();
    return reply;
  }

  static String outcome(Call call, Middleware... steps) {
    Reply reply = reply(call, steps);
    return reply.status() + " " + reply.text();
  }

  /** Returns the message with which an option or a factory rejects its arguments. */
  static String rejection(Supplier<?> setUp) {
    Exception rejected = assertThrows(IllegalArgumentException.class, setUp::get);
    return String.valueOf(rejected.getMessage());
  }
}
