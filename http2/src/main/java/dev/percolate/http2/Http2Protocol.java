package dev.percolate.http2;

import dev.percolate.engine.Providers;
import dev.percolate.http.Headers;
import dev.percolate.nio.protocol.Link;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.Session;
import java.nio.charset.StandardCharsets;

/**
 * Lets servers of the engine {@code nio} speak HTTP/2 (RFC 9113): with clients that agree on it
 * over TLS, and where {@link dev.percolate.engine.ListenOptions#http2PriorKnowledge} says so with
 * those that begin it in clear text. The service loader finds it; nothing need be called.
 */
@SuppressWarnings("exports") // who finds it is not to know what it is made of
public final class Http2Protocol implements Protocol {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /**
   * Creates the protocol; called by the service loader.
   *
   * @throws IllegalStateException if the library for header compression is missing
   */
  public Http2Protocol() {
    Providers.requireLibrary(
        "percolate-http2",
        "org.apache.httpcomponents.core5:httpcore5-h2",
        () -> {
          HeaderBlock decoding = new HeaderBlock(1 << 10);
          decoding.begin();
          new ResponseHead().encode(200, new Headers(), 0, true);
        });
  }

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public byte[] preface() {
    return PREFACE.clone();
  }

  @Override
  public Session open(Link link) {
    return new Http2Session(link, PREFACE);
  }
}
