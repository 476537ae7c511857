package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends bytes over a connection to a server of the nio engine, and records which requests enter.
 * This is slow, so only a few samples check that the engine reads the same as {@code NioReader}.
 */
final class NioConnectionReader implements RequestReader, AutoCloseable {

  private static final int DEADLINE_MS = 10_000;
  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).host("127.0.0.1").threads(ThreadMode.EVENT_LOOP);

  private final List<Message> entered = Collections.synchronizedList(new ArrayList<>());
  private final Server server;

  NioConnectionReader() throws IOException {
    server = new NioEngine().listen(new Entering(), OPTIONS);
  }

  /** Returns the requests that entered, and the status of the response that rejected one. */
  @Override
  public Reading read(byte[] bytes) {
    entered.clear();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(DEADLINE_MS);
      socket.setSoLinger(true, 0); // leaves no port in TIME_WAIT
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      String responses = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      responses = responses.replace("HTTP/1.1 100 Continue\r\n", "");
      int last = responses.lastIndexOf("HTTP/1.1 ");
      String status = last < 0 ? "" : responses.substring(last + 9, last + 12);
      return Reading.of(entered, status.isEmpty() || status.equals("200") ? null : status);
    } catch (IOException e) {
      return Reading.of(entered, e.toString());
    }
  }

  /** Returns true if the engine reads the same as the reader without a connection. */
  boolean agrees(byte[] bytes, Reading expected) {
    Reading seen = read(bytes);
    List<Message> whole = expected.messages().stream().filter(Message::isWhole).toList();
    int count = seen.messages().size();
    boolean same = count <= whole.size() && seen.messages().equals(whole.subList(0, count));
    boolean ends = new String(bytes, ISO_8859_1).matches("(?is).*(?:close|HTTP/1\\.0).*");
    String status = expected.rejected() == null ? null : expected.rejected().split(" ", 2)[1];
    boolean all = count == whole.size() && String.valueOf(seen.rejected()).equals("" + status);
    return same && (all || (ends && seen.rejected() == null && count > 0));
  }

  @Override
  public void close() {
    server.close();
  }

  /** Records each request with a complete body, and responds to it. */
  private final class Entering implements Service {

    @Override
    public void serve(Exchange exchange) {
      read(exchange, new StringBuilder());
    }

    private void read(Exchange exchange, StringBuilder body) {
      exchange.read(
          (chunk, failure) -> {
            if (chunk != null) {
              body.append(ISO_8859_1.decode(chunk));
              read(exchange, body);
            } else {
              end(exchange, body.toString(), failure);
            }
          });
    }

    private void end(Exchange exchange, String body, @Nullable Throwable failure) {
      if (failure == null) {
        List<String> headers = new ArrayList<>();
        exchange.headers().forEach((name, value) -> headers.add(Message.header(name, value)));
        entered.add(new Message(exchange.method(), exchange.target(), headers, body, true));
      }
      exchange.start(failure instanceof HttpError error ? error.status() : 200, new Headers());
      exchange.end(ByteBuffer.allocate(0));
    }

    @Override
    public void onRejected(Exchange exchange, int status, Headers headers) {
      // Its response shows this.
    }
  }
}
