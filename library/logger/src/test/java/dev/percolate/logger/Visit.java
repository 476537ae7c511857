package dev.percolate.logger;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.PlainExchange;
import java.util.List;

/** One request that is played through steps, all of them watched by {@link Lint}. */
final class Visit {

  final PlainExchange exchange;

  /** Of the service; hostile targets come as far as its steps. */
  final Settings settings = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");

  private final Lint lint = new Lint();

  /** A visit by GET. */
  Visit(String target, String... headers) {
    this(PlainExchange.of("GET", target), headers);
  }

  private Visit(PlainExchange exchange, String... headers) {
    this.exchange = exchange;
    for (int i = 0; i < headers.length; i += 2) {
      exchange.header(headers[i], headers[i + 1]);
    }
  }

  static Visit of(String method, String target, String... headers) {
    return new Visit(PlainExchange.of(method, target), headers);
  }

  /** Plays the request; an answer that is over then must have broken no rule. */
  Visit through(Middleware... steps) {
    Middleware[] watched =
        Chain.flat(List.of(steps)).stream().map(lint::around).toArray(Middleware[]::new);
    exchange.play(lint.service(Chain.service(settings, watched)));
    if (exchange.over()) {
      lint.check();
    }
    return this;
  }

  /** Takes the client away; what happened until then must have broken no rule. */
  void hangUp() {
    exchange.hangUp();
    lint.check();
  }

  int status() {
    return exchange.replySoFar().status();
  }
}
