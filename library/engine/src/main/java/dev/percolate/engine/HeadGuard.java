package dev.percolate.engine;

import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Target;
import java.util.Locale;

/**
 * Rejects request heads that parsers accept but that are not safe (RFC 9112 sections 3, 5 and 6).
 * Engines check the rules that need the bytes of a head.
 */
public final class HeadGuard {

  /** The maximum length of a method, in bytes. The longest registered method has 17. */
  public static final int MAX_METHOD = 64;

  private static final int FINE = 0;

  private HeadGuard() {}

  /**
   * Returns the status code to reject a head with.
   *
   * @param version the HTTP version that the client sent, such as {@code 1.1}
   * @param method the method
   * @param target the undecoded target
   * @param headers the headers as received
   * @param options the limits
   * @return the status code; 0 to accept the head
   */
  public static int rejection(
      String version, String method, String target, Headers headers, ListenOptions options) {
    if (headers.size() > options.maxHeaders()) {
      return 431;
    }
    if (method.equals("CONNECT")) {
      return 501; // not a proxy
    }
    if (!Target.isValid(method, target)) {
      return 400;
    }
    return headers(version, headers);
  }

  /**
   * Returns the status code to reject a long head with, for parsers that do not count bytes: 400
   * for the method, 414 for the target, 431 for the headers.
   *
   * @param method the method
   * @param target the target
   * @param headers the headers
   * @param options the limits
   * @return the status code; 0 to accept the head
   */
  public static int tooLong(String method, String target, Headers headers, ListenOptions options) {
    if (method.length() > MAX_METHOD) {
      return 400;
    }
    if (target.length() > options.maxTargetLength()) {
      return 414;
    }
    long bytes = 0;
    for (int i = 0; i < headers.size(); i++) {
      bytes += headers.name(i).length() + headers.value(i).length() + ": \r\n".length();
    }
    return bytes > options.maxHeaderBytes() ? 431 : FINE;
  }

  /**
   * Returns true if a target must be rejected, because it is ambiguous or has a fragment.
   *
   * @param target the undecoded target
   * @param mode {@code pass} to reject none, {@code refuse} to reject all ambiguous targets, else
   *     only those that are ambiguous in normal form
   */
  public static boolean rejectsTarget(String target, String mode) {
    return !mode.equals("pass")
        && (Target.hasFragment(target)
            || NormalPath.isDoubtful(Target.path(target))
            || (mode.equals("refuse") && Target.isAmbiguous(target)));
  }

  /**
   * Returns the headers of a response that rejects a request and closes its connection. The
   * response has no body; 503 has {@code Retry-After: 1}.
   *
   * @param status the status code of the response
   * @return new headers, which the caller may change
   */
  public static Headers rejectionHeaders(int status) {
    Headers headers = Headers.of("Content-Length", "0", "Connection", "close");
    return status == 503 ? headers.set("Retry-After", "1") : headers;
  }

  /**
   * Returns the headers of the response to {@code OPTIONS *}, which has no body. They list the
   * methods that the server understands, even if no resource allows them (RFC 9110 section 9.3.7).
   */
  public static Headers serverOptions() {
    return Headers.of(
        "Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", "Content-Length", "0");
  }

  private static int headers(String version, Headers headers) {
    int hosts = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      int rejection = FINE;
      if (name.isEmpty()) {
        rejection = 400;
      } else if (name.equalsIgnoreCase("host")) {
        hosts++;
        rejection = Host.isValid(headers.value(i)) ? FINE : 400;
      } else if (name.equalsIgnoreCase("transfer-encoding")) {
        rejection = transferEncoding(headers.value(i));
      } else if (name.equalsIgnoreCase("expect")) {
        rejection = headers.value(i).equalsIgnoreCase("100-continue") ? FINE : 417;
      }
      if (rejection != FINE) {
        return rejection;
      }
    }
    return hosts > 1 || (hosts == 0 && !version.equals("1.0")) ? 400 : FINE;
  }

  private static int transferEncoding(String value) {
    if (value.equalsIgnoreCase("chunked")) {
      return FINE;
    }
    return value.startsWith(",") || !value.toLowerCase(Locale.ROOT).endsWith("chunked") ? 400 : 501;
  }
}
