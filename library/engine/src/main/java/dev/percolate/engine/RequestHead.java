package dev.percolate.engine;

import dev.percolate.http.Headers;

/** The head of a request, and the address of the client. */
public interface RequestHead {

  /** Returns the method, as received. */
  String method();

  /** Returns the undecoded request target as received, as far as the engine knows it. */
  String target();

  /**
   * Returns the HTTP version that the client sent: {@code 1.0}, {@code 1.1} or {@code 2.0}; rarely
   * {@code 1.2} to {@code 1.9}, which are processed as 1.1. A rejected request may have any other
   * version, or an empty one if its request line could not be read.
   */
  String httpVersion();

  /** Returns the headers, with their names and order as received. Called at most once. */
  Headers headers();

  /**
   * Returns the address of the peer, such as {@code 127.0.0.1} or {@code ::1}; empty if unknown.
   * The address is in the form of {@link dev.percolate.http.IpText#canonical}.
   */
  String remoteAddress();

  /** Returns true if the connection is encrypted. */
  boolean secure();
}
