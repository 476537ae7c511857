package dev.percolate.conformance;

import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries requests over sockets, to one server that hands each to the service of its scenario. */
final class WireTransport implements Transport {

  /** Without an answer for as long, none was recorded. */
  private static final int IDLE_MILLIS = 3000;

  /** What the originals' server takes, line and headers together. */
  private static final int LONGEST_TARGET = 16 << 10;

  private final Current current = new Current();
  private final Server server;

  private static final class Current implements Service {

    private volatile @Nullable Service service;

    @Override
    public void serve(Exchange exchange) {
      now().serve(exchange);
    }

    @Override
    public void refused(Exchange exchange, int status, Headers headers) {
      now().refused(exchange, status, headers);
    }

    private Service now() {
      Service now = service;
      if (now == null) {
        throw new IllegalStateException("a request before any scenario");
      }
      return now;
    }
  }

  /**
   * Starts the server.
   *
   * @param engine makes it
   */
  WireTransport(Engine engine) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").maxTarget(LONGEST_TARGET);
    // Some requests of scenarios are never answered.
    server = engine.listen(current, options.drain(Duration.ofSeconds(1)));
  }

  @Override
  public Map<String, @Nullable Object> exchange(
      Service service, Map<String, @Nullable Object> request)
      throws IOException, InterruptedException {
    current.service = service;
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    return Wire.exchange(address, request, IDLE_MILLIS);
  }

  @Override
  public void close() {
    server.close();
  }
}
