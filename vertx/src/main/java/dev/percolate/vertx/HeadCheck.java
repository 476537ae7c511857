package dev.percolate.vertx;

import dev.percolate.http.Headers;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;

/**
 * Decides whether the head of a request is one that may enter the chain, where the engine's parser
 * lets more through than is safe (RFC 9112 §3.2, §5 and §6).
 */
final class HeadCheck {

  private static final int FINE = 0;

  private HeadCheck() {}

  /** Gives the status to refuse with; 0 if there is nothing to refuse. */
  static int refusal(HttpVersion version, Headers headers, int maxHeaders) {
    if (headers.size() > maxHeaders) {
      return 431;
    }
    int hosts = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      int refusal = FINE;
      if (name.isEmpty()) {
        refusal = 400;
      } else if (name.equalsIgnoreCase("host")) {
        hosts++;
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
