package dev.percolate.inspector.reload;

import dev.percolate.engine.RequestHead;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.Trust;
import java.util.Set;

/** Recognizes requests of browsers on this machine. */
final class LocalPage {

  private static final Trust LOOPBACK = Trust.of("loopback");

  /** The values of {@code Sec-Fetch-Site} of own pages, and of addresses typed by the user. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private static final Set<String> PAGES = Set.of("document", "iframe", "frame");

  private LocalPage() {}

  /**
   * Returns true if a request comes from this machine, without a proxy, and not from a page of
   * another origin, even if its host name resolves to this machine (DNS rebinding).
   */
  static boolean isLocal(RequestHead request) {
    Headers headers = request.headers();
    String host = headers.get("Host");
    String site = headers.get("Sec-Fetch-Site");
    return LOOPBACK.trusts(request.remoteAddress(), 0)
        && host != null
        && Host.isLoopback(host)
        && !Forwarded.isThroughProxy(headers)
        && (site == null || OWN_SITES.contains(site));
  }

  /** Returns true if a browser loads a page or a frame, other than a page of the inspector. */
  static boolean isPage(RequestHead request) {
    Headers headers = request.headers();
    String destination = headers.get("Sec-Fetch-Dest");
    String accept = headers.get("Accept");
    boolean page =
        destination == null
            ? accept != null && accept.contains("text/html")
            : PAGES.contains(destination);
    return page && request.method().equals("GET") && !request.target().startsWith("/_percolate");
  }
}
