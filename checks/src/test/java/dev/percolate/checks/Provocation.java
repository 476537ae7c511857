package dev.percolate.checks;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;

/**
 * Has one callback throw: an application that registers it, and a visit during which it is called.
 *
 * @param define registers the callback, which raises the fault
 * @param visit has it called at least once
 * @param logged how often each fault is to be in the log
 */
record Provocation(Definition define, Visit visit, Logged logged) {

  /** Where the callback is reached, unless the visit says otherwise. */
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
    /** Once or never: it is told otherwise, as by a status, or its lines are limited. */
    AT_MOST_ONCE
  }

  static Provocation of(Definition define) {
    return of(define, client -> Call.get(PATH).to(client));
  }

  static Provocation of(Definition define, Visit visit) {
    return new Provocation(define, visit, Logged.ONCE);
  }

  /** Returns the same one, of which the log need not tell. */
  Provocation toldOtherwise() {
    return new Provocation(define, visit, Logged.AT_MOST_ONCE);
  }
}
