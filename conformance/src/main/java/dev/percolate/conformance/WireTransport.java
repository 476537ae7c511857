package dev.percolate.conformance;

import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Carries requests over sockets, to one server that hands each to the service of its scenario. */
final class WireTransport implements Transport {

  private static final int IDLE_MILLIS = 3000;
  private static final long ABORT_MILLIS = 40;

  /** What a connection's buffers surely take at once. */
  private static final int AT_ONCE = 32 << 10;

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
    byte[] bytes = RequestBytes.of(request);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(IDLE_MILLIS);
      send(bytes, socket);
      if (request.containsKey("abortAfter") || request.containsKey("hangUpAfter")) {
        Object millis = request.getOrDefault("hangUpAfter", ABORT_MILLIS);
        TimeUnit.MILLISECONDS.sleep(((Number) ScriptValues.orUndefined(millis)).longValue());
        socket.setSoLinger(true, 0); // a reset, since who only ends may still want its answer
        return Answers.word("aborted");
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      return receive(socket.getInputStream(), answer)
          ? Answers.parse(answer.toByteArray(), RequestBytes.method(request))
          : Answers.word("timeout");
    }
  }

  @Override
  public void close() {
    server.close();
  }

  /** Sends a request, a long one beside reading: its answer may come before its end. */
  private static void send(byte[] bytes, Socket socket) {
    Runnable sending =
        () -> {
          try {
            socket.getOutputStream().write(bytes);
          } catch (IOException e) {
            // The server has closed the connection; what it said before is what counts.
          }
        };
    if (bytes.length <= AT_ONCE) {
      sending.run();
      return;
    }
    Thread sender = new Thread(sending, "sender");
    sender.setDaemon(true);
    sender.start();
  }

  /** Reads until the connection is closed, properly or not; false if nothing comes for too long. */
  private static boolean receive(InputStream in, ByteArrayOutputStream answer) {
    byte[] buffer = new byte[16 << 10];
    try {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        answer.write(buffer, 0, count);
      }
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
    return true;
  }
}
