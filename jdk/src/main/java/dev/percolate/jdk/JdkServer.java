package dev.percolate.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.percolate.engine.BlockingExchange;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.Shutdown;
import dev.percolate.engine.Tls;
import dev.percolate.engine.loop.Departure;
import dev.percolate.engine.loop.ListenAddress;
import dev.percolate.engine.tls.TlsEngines;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** One listening port. */
final class JdkServer implements Server {

  private static final System.Logger LOG = System.getLogger("dev.percolate.jdk");

  private final Service service;
  private final ListenOptions options;
  private final HttpServer http;
  private final RequestThreads threads;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Departure departure = new Departure();

  private JdkServer(Service service, ListenOptions options, HttpServer http) {
    this.service = service;
    this.options = options;
    this.http = http;
    this.threads = new RequestThreads(options.threads());
  }

  static JdkServer start(Service service, ListenOptions options) throws IOException {
    JdkServer server = new JdkServer(service, options, bind(options));
    server.http.setExecutor(server.threads);
    server.http.createContext("/", server::serve);
    server.http.start();
    Shutdown.add(Shutdown.Stage.SERVERS, server);
    LOG.log(Level.DEBUG, "listening at {0}, threads: {1}", server.uri(), options.threads());
    return server;
  }

  @Override
  public int port() {
    return http.getAddress().getPort();
  }

  @Override
  public URI uri() {
    return ListenAddress.uri(options, port());
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }

  @Override
  public boolean leaving() {
    return departure.hasBegun();
  }

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      closed.join();
      return;
    }
    try {
      departure.announce(options);
      stop();
    } finally {
      closed.complete(null);
      Shutdown.remove(Shutdown.Stage.SERVERS, this);
    }
  }

  @Override
  public String toString() {
    return "server at " + uri();
  }

  ListenOptions options() {
    return options;
  }

  private void serve(HttpExchange request) throws IOException {
    BlockingExchange exchange =
        new BlockingExchange(new JdkStreams(this, request), options.threads().parks());
    int refusal = refusal(exchange);
    if (refusal == 0 && threads.busy() > options.maxRequests()) {
      refusal = 503;
    }
    if (refusal == 0) {
      exchange.serve(service::serve);
    } else {
      refuse(exchange, refusal);
    }
    exchange.throwIfCut();
  }

  private int refusal(BlockingExchange exchange) {
    String method = exchange.method();
    String target = exchange.target();
    Headers headers = exchange.headers();
    int tooLong = HeadGuard.tooLong(method, target, headers, options);
    return tooLong == 0
        ? HeadGuard.refusal(exchange.httpVersion(), method, target, headers, options)
        : tooLong;
  }

  private void refuse(BlockingExchange exchange, int status) {
    Headers headers = HeadGuard.answer(status);
    exchange.start(status, headers);
    exchange.end(ByteBuffer.allocate(0));
    service.refused(exchange, status, headers);
  }

  /**
   * Stops listening, waits for the requests that have arrived, and closes what is left. The server
   * of the JDK listens until it is told to stop, and then waits, on older JDKs for the whole time
   * that it may; so another thread lets it, while this one watches the requests.
   */
  private void stop() {
    int seconds = (int) Math.min(Integer.MAX_VALUE / 1000, options.drain().toSeconds() + 1);
    Thread stopping = new Thread(() -> http.stop(seconds), "percolate-stop");
    stopping.setDaemon(true);
    stopping.start();
    service.draining();
    if (!threads.awaitIdle(options.drain())) {
      LOG.log(Level.WARNING, "{0} requests were not answered in time", threads.busy());
    }
    http.stop(0);
    threads.close();
  }

  private static HttpServer bind(ListenOptions options) throws IOException {
    InetSocketAddress address = new InetSocketAddress(ListenAddress.of(options), options.port());
    Tls tls = options.tls();
    try {
      if (tls == null) {
        return HttpServer.create(address, 0);
      }
      if (tls instanceof Tls.ClientCertificates) {
        throw new IllegalArgumentException("tls(" + tls + "): percolate-jdk asks clients for none");
      }
      TlsEngines engines = TlsEngines.of(tls, List.of());
      HttpsConfigurator configurator = new HttpsConfigurator(engines.context());
      HttpsServer server = HttpsServer.create(address, 0);
      server.setHttpsConfigurator(configurator);
      return server;
    } catch (BindException e) {
      throw ListenAddress.unbound(options, e);
    }
  }
}
