package dev.percolate.jdk;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.Target;
import java.util.List;

/**
 * Decides whether the head of a request is one that may enter the chain, where the JDK's server
 * lets more through than is safe (RFC 9112 §3.2), or than the options allow.
 */
final class HeadCheck {

  private static final int FINE = 0;

  private HeadCheck() {}

  /** Gives the status to refuse with; 0 if there is nothing to refuse. */
  static int refusal(Exchange exchange, ListenOptions options) {
    Headers headers = exchange.headers();
    String version = exchange.httpVersion();
    int line = exchange.method().length() + exchange.target().length() + " HTTP/1.1 ".length();
    if (line > options.maxTarget()) {
      return 414;
    }
    if (headers.size() > options.maxHeaders() || bytes(headers) > options.maxHeaderBytes()) {
      return 431;
    }
    if (exchange.method().equals("CONNECT")) {
      return 501; // there is nothing behind us to connect to
    }
    if (!Target.isValid(exchange.method(), exchange.target())) {
      return 400;
    }
    List<String> hosts = headers.all("Host");
    boolean hostNeeded = version.equals("1.1");
    if (hosts.size() > 1 || (hostNeeded && hosts.isEmpty())) {
      return 400;
    }
    if (!hosts.isEmpty() && !Host.isValid(hosts.get(0))) {
      return 400;
    }
    String expect = headers.get("Expect");
    return expect == null || expect.equalsIgnoreCase("100-continue") ? FINE : 417;
  }

  private static long bytes(Headers headers) {
    long bytes = 0;
    for (int i = 0; i < headers.size(); i++) {
      bytes += headers.name(i).length() + headers.value(i).length() + ": \r\n".length();
    }
    return bytes;
  }
}
