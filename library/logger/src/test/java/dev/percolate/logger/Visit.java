package dev.percolate.logger;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.TestExchange;
import java.util.List;

/** A request that is played through handlers, all checked by {@link Lint}. */
final class Visit {

  final TestExchange exchange;

  /** The settings of the service, which let hostile targets reach its handlers. */
  final Settings settings = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");

  private final Lint lint = new Lint();

  /** Creates a visit with the method GET. */
  Visit(String target, String... headers) {
    this(TestExchange.of("GET", target), headers);
  }

  private Visit(TestExchange exchange, String... headers) {
    this.exchange = exchange;
    for (int i = 0; i < headers.length; i += 2) {
      exchange.header(headers[i], headers[i + 1]);
    }
  }

  static Visit of(String method, String target, String... headers) {
    return new Visit(TestExchange.of(method, target), headers);
  }

  /** Plays the request; if the response is complete, no rule may have been violated. */
  Visit through(Middleware... steps) {
    Middleware[] watched =
        Chain.flat(List.of(steps)).stream().map(lint::around).toArray(Middleware[]::new);
    exchange.serve(lint.service(Chain.service(settings, watched)));
    if (exchange.isOver()) {
      lint.check();
    }
    return this;
  }

  /** Disconnects the client; no rule may have been violated before. */
  void disconnect() {
    exchange.disconnect();
    lint.check();
  }

  int status() {
    return exchange.replySoFar().status();
  }
}
