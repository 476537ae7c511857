package dev.percolate.jdk;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import java.io.IOException;
import java.time.Duration;

/**
 * Serves HTTP/1.1, and with a certificate HTTPS, on the HTTP server that comes with the JDK.
 *
 * <p>It needs no other library, and is meant for tools, tests and services behind a proxy. What
 * that server cannot do, this engine cannot:
 *
 * <ul>
 *   <li>There are no time-outs of one server: {@code headTimeout}, {@code bodyTimeout}, {@code
 *       idleTimeout} and {@code writeTimeout} cannot be set. System properties of the JDK, such as
 *       {@code sun.net.httpserver.maxReqTime}, hold for the process; without them a slow client
 *       keeps a thread for as long as it likes.
 *   <li>Connections cannot be counted: {@code maxConnections} and {@code maxConnectionsPerAddress}
 *       have no effect. Requests are, those that wait for a thread of the pool among them.
 *   <li>A client that has gone is noticed by reading and writing only.
 *   <li>Malformed heads are answered by the server itself, and no logger sees them. Heads beyond
 *       {@code maxTarget}, {@code maxHeaderBytes} and {@code maxHeaders} are read first, up to the
 *       limits of the JDK, and then refused and shown.
 *   <li>Targets must be URIs by {@link java.net.URI}, with a path; {@code OPTIONS *} gets 404.
 *   <li>Header lines arrive without their order, except among lines of one name, and with names in
 *       lower case; those of answers are sent as {@code Content-type}.
 *   <li>{@code 100 Continue} is sent at once, whether the body is wanted or not. There is neither
 *       HTTP/2 nor WebSocket, no trailer, and no reason phrase of one's own.
 *   <li>Behind an answer, a body that nobody has read is taken off the connection up to 1 MiB, up
 *       to 64 KiB where the answer is written in pieces; an empty answer to it ends the connection.
 *   <li>A request keeps its thread until it is answered, so in the mode {@code pool} the size of
 *       the pool, 8 threads a processor and 32 at least, limits the requests under way.
 * </ul>
 */
public final class JdkEngine implements Engine {

  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  static {
    // Else, on JDK 17, an answer on a kept connection waits 40 ms for the client's acknowledgement.
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
  }

  /** Creates the engine; the service loader does. */
  public JdkEngine() {}

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    check(options);
    return JdkServer.start(service, options);
  }

  private static void check(ListenOptions options) {
    ThreadMode threads = options.threads();
    if (options.http2PriorKnowledge()) {
      throw new IllegalArgumentException("http2PriorKnowledge(true): percolate-jdk has no HTTP/2");
    }
    if (threads == ThreadMode.EVENT_LOOP) {
      throw new IllegalArgumentException(
          "threads(\"" + threads + "\"): the server of the JDK has no event loop for steps");
    }
    threads.checkAvailable();
    ListenOptions defaults = ListenOptions.ofPort(0);
    checkTime("headTimeout", options.headTimeout(), defaults.headTimeout(), "maxReqTime");
    checkTime("bodyTimeout", options.bodyTimeout(), defaults.bodyTimeout(), "maxReqTime");
    checkTime("idleTimeout", options.idleTimeout(), defaults.idleTimeout(), "idleInterval");
    checkTime("writeTimeout", options.writeTimeout(), defaults.writeTimeout(), "maxRspTime");
  }

  private static void checkTime(String option, Duration set, Duration unset, String property) {
    if (!set.equals(unset)) {
      throw new IllegalArgumentException(
          option
              + "("
              + set
              + "): the server of the JDK knows no times but for the whole process, by the system"
              + " property sun.net.httpserver."
              + property);
    }
  }
}
