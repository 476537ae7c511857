package dev.percolate.nio.protocol;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;

/** A connection that is used by a {@link Session}. Used on its event loop only. */
public interface Link {

  /** Returns the event loop of the connection. */
  ExchangeLoop loop();

  /** Returns the requests and limits of the server. */
  Requests requests();

  /** Returns the share of the body memory for all exchanges of the connection. */
  BodyMemory.Share share();

  /** Returns the client's address as text. */
  String remoteAddress();

  /** Returns true if the connection is encrypted. */
  boolean isSecure();

  /** Returns the certificate chain of the client, its own certificate first. */
  List<X509Certificate> clientCertificates();

  /** Writes bytes that may change afterwards. They are sent at the end of the loop's iteration. */
  void put(byte[] bytes, int from, int length);

  /** Writes bytes that must not change until they are sent, at the end of the loop's iteration. */
  void put(ByteBuffer bytes);

  /** Calls back when the system has accepted all bytes written so far, or when that has failed. */
  void mark(Exchange.OnWritten taken);

  /** Returns the total number of bytes that the system has accepted. */
  long written();

  /** Returns the number of bytes that wait to be sent. */
  long pending();

  /** Calls {@link Session#goOn} in the next iteration, after other connections. */
  void goOnLater();

  /** Checks {@link Session#mostRead} again, to start or stop reading. */
  void readsOn();

  /** Closes the connection after sending what was written. Input is discarded meanwhile. */
  void end();

  /** Closes the connection immediately. */
  void closeNow();
}
