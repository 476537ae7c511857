package dev.percolate.http2;

import dev.percolate.engine.Providers;
import dev.percolate.http.Headers;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.ProtocolHandler;
import java.nio.charset.StandardCharsets;

/**
 * HTTP/2 (RFC 9113) for the engine {@code nio}. Clients choose HTTP/2 during the TLS handshake
 * (ALPN). To accept HTTP/2 without TLS, set {@link
 * dev.percolate.engine.ListenOptions#http2PriorKnowledge}. The service loader finds this class, so
 * applications need not call it.
 */
@SuppressWarnings("exports") // the types of nio.protocol are exported to this module only
public final class Http2Protocol implements Protocol {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /**
   * Creates the protocol. Called by the service loader.
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
  public ProtocolHandler open(ProtocolConnection connection) {
    return new Http2Session(connection, PREFACE);
  }
}
