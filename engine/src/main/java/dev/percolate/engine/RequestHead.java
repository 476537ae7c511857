package dev.percolate.engine;

import dev.percolate.http.Headers;

/** What is known of a request when its head has come: what the client wrote, and who it is. */
public interface RequestHead {

  /** Returns the method, as received. */
  String method();

  /** Returns the request target, as received and undecoded as far as the engine can tell. */
  String target();

  /**
   * Returns the HTTP version that the client sent: {@code 1.0}, {@code 1.1} or {@code 2.0}; rarely
   * {@code 1.2} to {@code 1.9}, which are processed as 1.1. A rejected request may have any other
   * version, or an empty one if its request line could not be read.
   */
  String httpVersion();

  /** Returns the headers, in the order and with the names received. Is called once at most. */
  Headers headers();

  /**
   * Returns the address of the peer as text, such as {@code 127.0.0.1} or {@code ::1}; empty if it
   * is not known. IPv6 is in its short form, an IPv4-mapped address is plain IPv4: {@link
   * dev.percolate.http.IpText#canonical}.
   */
  String remoteAddress();

  /** Tells whether the connection is encrypted. */
  boolean secure();
}
