package dev.percolate.nio.protocol;

import dev.percolate.engine.BodyMemory;
import java.security.cert.X509Certificate;
import java.util.List;

/** The connection of exchanges. Used on its event loop only, unless a method says otherwise. */
public interface ExchangeConnection {

  /** Returns the event loop of the connection. May be called on any thread. */
  ExchangeLoop loop();

  /** Returns the requests and limits of the server. May be called on any thread. */
  ServerLimits limits();

  /** Returns the share of the body memory for all exchanges of the connection. */
  BodyMemory.Share share();

  /** Returns the client's address as text. May be called on any thread. */
  String remoteAddress();

  /** Returns true if the connection is encrypted. May be called on any thread. */
  boolean isSecure();

  /**
   * Returns the certificate chain of the client, its own certificate first. May be called on any
   * thread.
   */
  List<X509Certificate> clientCertificates();
}
