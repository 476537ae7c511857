package dev.percolate.nio.protocol;

/** A protocol besides HTTP/1.1 that connections can speak; found by the service loader. */
public interface Protocol {

  /** Returns the name by which clients agree on it over TLS (RFC 7301), such as {@code h2}. */
  String name();

  /** Returns the bytes with which a client begins that knows beforehand that it is spoken. */
  byte[] preface();

  /**
   * Begins a connection; on its loop. All bytes of the client come to the session, the preface too.
   *
   * @param link the connection
   */
  Session open(Link link);
}
