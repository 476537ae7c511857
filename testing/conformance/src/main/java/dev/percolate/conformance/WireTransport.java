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

/** Sends requests over sockets to one server, which passes them to the service of the scenario. */
final class WireTransport implements Transport {

  /** If there is no response within this time, the recording has none. */
  private static final int IDLE_MILLIS = 3000;

  /** The limit of the originals' server for the request line and headers. */
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
    public void onRejected(Exchange exchange, int status, Headers headers) {
      now().onRejected(exchange, status, headers);
    }

    private Service now() {
      Service now = service;
      if (now == null) {
        throw new IllegalStateException("request before the first scenario");
      }
      return now;
    }
  }

  /**
   * Starts the server.
   *
   * @param engine the engine of the server
   */
  WireTransport(Engine engine) throws IOException {
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").maxTargetLength(LONGEST_TARGET);
    // Some requests of scenarios never get a response.
    server = engine.listen(current, options.shutdownTimeout(Duration.ofSeconds(1)));
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
