package dev.percolate.jdk;

import com.sun.net.httpserver.HttpExchange;
import dev.percolate.engine.BlockingExchange;
import dev.percolate.engine.BodyMemory;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.IpText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;

/** One request of the JDK's server, and where its answer goes. */
final class JdkStreams implements BlockingExchange.Streams {

  private final JdkServer server;
  private final HttpExchange request;
  private boolean closes;

  JdkStreams(JdkServer server, HttpExchange request) {
    this.server = server;
    this.request = request;
  }

  @Override
  public String method() {
    return request.getRequestMethod();
  }

  @Override
  public String target() {
    return request.getRequestURI().toString();
  }

  @Override
  public String httpVersion() {
    return request.getProtocol().equalsIgnoreCase("HTTP/1.0") ? "1.0" : "1.1";
  }

  @Override
  public Headers headers() {
    Headers headers = new Headers();
    request
        .getRequestHeaders()
        .forEach(
            (name, values) ->
                values.forEach(value -> headers.addReceived(name.toLowerCase(Locale.ROOT), value)));
    closes = ConnectionOptions.close(headers); // the server knows close only where it stands alone
    return headers;
  }

  @Override
  public String remoteAddress() {
    return IpText.canonical(request.getRemoteAddress().getAddress().getHostAddress());
  }

  @Override
  public boolean secure() {
    return server.options().tls() != null;
  }

  @Override
  public Duration answerTimeout() {
    return server.options().answerTimeout();
  }

  @Override
  public Duration bodyTimeout() {
    return server.options().bodyTimeout();
  }

  @Override
  public BodyMemory bodyMemory() {
    return server.options().bodyMemory();
  }

  @Override
  public InputStream body() {
    return request.getRequestBody();
  }

  @Override
  public OutputStream start(int status, Headers headers, long length) throws IOException {
    com.sun.net.httpserver.Headers to = request.getResponseHeaders();
    for (int i = 0; i < headers.size(); i++) {
      if (!headers.name(i).equalsIgnoreCase("Transfer-Encoding")) {
        to.add(headers.name(i), headers.value(i));
      }
    }
    if (closes || server.leaving() || ConnectionOptions.close(headers)) {
      to.set("Connection", "close");
    }
    // To this server, 0 means a length that is not known, and -1 that there is nothing.
    request.sendResponseHeaders(status, length == 0 ? -1 : Math.max(length, 0));
    return request.getResponseBody();
  }
}
