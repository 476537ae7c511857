package dev.percolate.nio.protocol;

import dev.percolate.engine.Exchange;
import java.nio.ByteBuffer;

/** A connection that is used by a {@link ProtocolHandler}. Used on its event loop only. */
public interface ProtocolConnection extends ExchangeConnection {

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

  /** Calls {@link ProtocolHandler#goOn} in the next iteration, after other connections. */
  void goOnLater();

  /** Checks {@link ProtocolHandler#mostRead} again, to start or stop reading. */
  void readsOn();

  /** Closes the connection after sending what was written. Input is discarded meanwhile. */
  void end();

  /** Closes the connection immediately. */
  void closeNow();
}
