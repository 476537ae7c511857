package dev.percolate.checks;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;

/**
 * Makes one callback throw: an application that registers it, and a visit that calls it.
 *
 * @param define registers the callback, which throws the fault
 * @param visit causes at least one call
 * @param logged how often the log must contain each fault
 */
record Provocation(Definition define, Visit visit, Logged logged) {

  /** The path of the callback, unless the visit uses another one. */
  static final String PATH = "/callback";

  /** Registers the callback. */
  @FunctionalInterface
  interface Definition {

    void in(App app, Fault fault) throws Exception;
  }

  /** Visits the application. */
  @FunctionalInterface
  interface Visit {

    void by(Client client) throws Exception;
  }

  /** How often a fault is logged. */
  enum Logged {
    ONCE,
    /**
     * Once or never: the fault is reported in another way, such as a status code, or its lines are
     * limited.
     */
    AT_MOST_ONCE
  }

  static Provocation of(Definition define) {
    return of(define, client -> Call.get(PATH).to(client));
  }

  static Provocation of(Definition define, Visit visit) {
    return new Provocation(define, visit, Logged.ONCE);
  }

  /** Returns a copy whose fault need not be in the log. */
  Provocation toldOtherwise() {
    return new Provocation(define, visit, Logged.AT_MOST_ONCE);
  }
}
