package dev.percolate.nio.protocol;

/** A protocol besides HTTP/1.1. Found by the service loader. */
public interface Protocol {

  /** Returns the name of the protocol in TLS (ALPN, RFC 7301), such as {@code h2}. */
  String name();

  /**
   * Returns the bytes that begin a connection of a client that knows that the server supports it.
   */
  byte[] preface();

  /**
   * Begins a session. Called on the connection's loop. The session receives all bytes of the
   * client, including the preface.
   *
   * @param connection the connection
   */
  ProtocolHandler open(ProtocolConnection connection);
}
