package dev.percolate.vertx;

import dev.percolate.engine.HeadGuard;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.lang.System.Logger.Level;

/** Takes the requests of one loop: lets them in, or refuses them and tells the service. */
final class RequestReceiver {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  private final VertxServer server;
  private final Loop loop;

  RequestReceiver(VertxServer server, Loop loop) {
    this.server = server;
    this.loop = loop;
  }

  /** Takes a request whose head could be read. */
  void received(HttpServerRequest request) {
    Connection connection = loop.connection(request.connection());
    if (connection == null || connection.isLast()) {
      return; // the client went away, or was told that the connection ends
    }
    try {
      VertxExchange exchange = exchange(connection, request);
      int refusal =
          HeadGuard.refusal(
              exchange.httpVersion(),
              exchange.method(),
              exchange.target(),
              exchange.headers(),
              server.options());
      if (refusal != 0) {
        refuse(exchange, refusal);
      } else if (server.isFull()) {
        refuse(exchange, 503);
      } else {
        exchange.begin();
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a request could not be taken", e);
      request.connection().close();
    }
  }

  /** Takes what the parser could not read as a request. */
  void malformed(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Connection connection = loop.connection(request.connection());
    if (connection == null
        || connection.isLast()
        || cause instanceof PrematureChannelClosureException) {
      return; // as above, or the client went away within the head
    }
    int status = 400;
    if (cause instanceof TooLongHttpLineException) {
      status = 414;
    } else if (cause instanceof TooLongHttpHeaderException) {
      status = 431;
    } else if (cause instanceof HttpError error) {
      status = error.status();
    }
    refuse(exchange(connection, request), status);
  }

  private VertxExchange exchange(Connection connection, HttpServerRequest request) {
    return new VertxExchange(server, loop, connection, request, headers(request));
  }

  private void refuse(VertxExchange exchange, int status) {
    Headers headers = HeadGuard.answer(status).set("Date", loop.date().toString());
    exchange.refuse(status, headers);
    server.service().refused(exchange, status, headers);
  }

  private static Headers headers(HttpServerRequest request) {
    Headers headers = new Headers();
    request.headers().forEach((name, value) -> headers.addReceived(name, value));
    if (request.version() == HttpVersion.HTTP_2
        && request.authority() != null
        && !headers.contains("Host")) {
      headers.addReceived("Host", request.authority().toString());
    }
    return headers;
  }
}
