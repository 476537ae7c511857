package dev.percolate.inspector.reload;

import dev.percolate.engine.Exchange;
import dev.percolate.http.EventText;
import dev.percolate.http.Headers;
import dev.percolate.http.Utf8;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open pages, each with an event stream that tells it the version of the application. */
final class Browsers {

  private static final String PATH = "/_percolate/reload";
  private static final int MOST = 100;
  private static final int RETRY_MILLIS = 300;

  private final Set<Exchange> pages = ConcurrentHashMap.newKeySet();

  /** Returns true if a request is for the event stream. */
  static boolean covers(Exchange exchange) {
    return exchange.target().equals(PATH);
  }

  /** Opens an event stream. */
  void open(Exchange exchange, String version) {
    int status = pages.size() >= MOST ? 503 : LocalPage.isLocal(exchange) ? 200 : 403;
    if (status != 200 || !exchange.method().equals("GET")) {
      exchange.start(status == 200 ? 405 : status, Headers.of("Allow", "GET").freeze());
      exchange.end(ByteBuffer.allocate(0));
      return;
    }
    pages.add(exchange);
    exchange.onEnd(failure -> pages.remove(exchange));
    String type = "text/event-stream; charset=utf-8";
    exchange.start(200, Headers.of("Content-Type", type, "Cache-Control", "no-store").freeze());
    send(exchange, EventText.retry(RETRY_MILLIS) + EventText.of("", "", version));
  }

  /** Sends a new version to all pages, which then reload. */
  void changed(String version) {
    pages.forEach(page -> send(page, EventText.of("", "", version)));
  }

  /** Ends all event streams. */
  void close() {
    pages.forEach(page -> page.end(ByteBuffer.allocate(0)));
  }

  private static void send(Exchange page, String event) {
    page.write(ByteBuffer.wrap(Utf8.bytes(event)), failure -> {}); // a failure ends the exchange
  }
}
