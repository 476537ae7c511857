package dev.percolate.nio.protocol;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;

/** A connection on which a {@link Session} is spoken; used on its loop only. */
public interface Link {

  /** Returns the loop that looks after the connection. */
  ExchangeLoop loop();

  /** Returns what is under way on the server. */
  Requests requests();

  /** Returns what all exchanges of the connection may take of the memory for bodies. */
  BodyMemory.Share share();

  /** Returns the address of the client as text. */
  String remoteAddress();

  /** Tells whether nobody else can read what is sent. */
  boolean isSecure();

  /** Returns the certificates by which the client has shown who it is, its own first. */
  List<X509Certificate> clientCertificates();

  /** Writes bytes that may be changed afterwards; they go out in the end of the turn. */
  void put(byte[] bytes, int from, int length);

  /** Writes bytes that are not changed until they have gone out; in the end of the turn. */
  void put(ByteBuffer bytes);

  /** Calls back when the kernel has taken all that was written until now, or never will. */
  void mark(Exchange.OnWritten taken);

  /** Returns how many bytes the kernel has taken in all. */
  long written();

  /** Returns how many bytes wait for the client. */
  long pending();

  /** Has {@link Session#goOn} called in the next turn, so that others come in between. */
  void goOnLater();

  /** Looks anew whether to read, as {@link Session#mostRead} tells. */
  void readsOn();

  /** Closes the connection behind what was written; what comes meanwhile is dropped. */
  void end();

  /** Closes the connection at once. */
  void closeNow();
}
