package dev.percolate.nio;

import dev.percolate.engine.Engine;
import java.util.List;

/** The transports of connections. Tests use it as a parameter, and send clear text over each. */
enum TestedTransport {
  PLAIN,
  TLS;

  Engine engine() {
    return this == TLS ? new TunnelEngine() : new NioEngine();
  }

  /** Returns all transports. Tests that run again on an older JDK do so without TLS. */
  static List<TestedTransport> all() {
    return Boolean.getBoolean("percolate.again") ? List.of(PLAIN) : List.of(values());
  }

  /** Returns the transports for slow tests: with TLS only if {@code tls.contracts} is "all". */
  static List<TestedTransport> slow() {
    return "all".equals(System.getProperty("tls.contracts")) ? all() : List.of(PLAIN);
  }
}
