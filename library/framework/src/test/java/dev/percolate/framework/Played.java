package dev.percolate.framework;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.Reply;

/** Plays calls to applications and checks their exchanges. */
final class Played {

  private Played() {}

  /** Plays a call in memory; fails if the application violates a rule of exchanges. */
  static Reply play(Call call, Service app) {
    Lint lint = new Lint();
    Reply reply = call.to(lint.service(app));
    lint.check();
    return reply;
  }

  /** Plays a call through a chain that contains an application, and checks both. */
  static Reply playAsStep(Call call, App app, Middleware rest) {
    Lint lint = new Lint();
    Service chain = Chain.service(app.settings(), lint.around(app), rest);
    Reply reply = call.to(lint.service(chain));
    lint.check();
    return reply;
  }
}
