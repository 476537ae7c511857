package dev.percolate.vertx;

import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.Target;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;

/**
 * Stands in front of the chain: decides whether the head of a request may enter, where the engine's
 * parser lets more through than is safe (RFC 9112 §3, §5 and §6). What only its bytes show, {@link
 * HeadDecoder} finds.
 */
final class RequestGuard {

  private static final int FINE = 0;

  private RequestGuard() {}

  /** Gives the status to refuse with; 0 if there is nothing to refuse. */
  static int refusal(
      HttpVersion version, String method, String target, Headers headers, int maxHeaders) {
    if (headers.size() > maxHeaders) {
      return 431;
    }
    if (method.equals("CONNECT")) {
      return 501; // there is nothing behind us to connect to
    }
    if (!Target.isValid(method, target)) {
      return 400;
    }
    return headers(version, headers);
  }

  private static int headers(HttpVersion version, Headers headers) {
    int hosts = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      int refusal = FINE;
      if (name.isEmpty()) {
        refusal = 400;
      } else if (name.equalsIgnoreCase("host")) {
        hosts++;
        refusal = Host.isValid(headers.value(i)) ? FINE : 400;
      } else if (name.equalsIgnoreCase("transfer-encoding")) {
        refusal = transferEncoding(headers.value(i));
      } else if (name.equalsIgnoreCase("expect")) {
        refusal = headers.value(i).equalsIgnoreCase("100-continue") ? FINE : 417;
      }
      if (refusal != FINE) {
        return refusal;
      }
    }
    boolean hostNeeded = version == HttpVersion.HTTP_1_1;
    return hosts > 1 || (hostNeeded && hosts == 0) ? 400 : FINE;
  }

  private static int transferEncoding(String value) {
    if (value.equalsIgnoreCase("chunked")) {
      return FINE;
    }
    return value.startsWith(",") || !value.toLowerCase(Locale.ROOT).endsWith("chunked") ? 400 : 501;
  }
}
