package dev.percolate.nio;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.ProtocolHandler;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection with a protocol other than HTTP/1.1. Used on its event loop only. */
final class ProtocolHandlerConnection extends LoopConnection implements ProtocolConnection {

  private final ProtocolHandler protocolHandler;
  private boolean goesOn;
  private long heard = System.nanoTime();

  /** When the last phase began in which the client must act. */
  private long since;

  private ProtocolHandlerConnection(LoopConnection before, Protocol protocol) {
    super(before);
    this.protocolHandler = protocol.open(this);
  }

  /**
   * Takes over a connection, with the bytes that were read from it. If that fails, the connection
   * is closed.
   *
   * @param matched the number of bytes of the preface that were read earlier
   * @throws IllegalStateException if the session fails, with what its protocol threw as the cause
   */
  static void open(
      LoopConnection before,
      ProtocolDetector protocolDetector,
      int matched,
      byte[] bytes,
      int count) {
    LoopConnection open = before;
    try {
      ProtocolHandlerConnection taking =
          new ProtocolHandlerConnection(before, protocolDetector.protocol());
      taking.takeOver(before);
      open = taking;
      taking.begin(protocolDetector, matched, bytes, count);
    } catch (Throwable e) { // such as a missing class, or a lack of memory
      open.closeNow();
      throw new IllegalStateException(
          "opening a session of " + protocolDetector.protocol().name() + " failed", e);
    }
  }

  private void begin(ProtocolDetector protocolDetector, int matched, byte[] bytes, int count) {
    protocolHandler.begin();
    if (matched > 0) {
      protocolHandler.take(protocolDetector.preface(), 0, matched);
    }
    if (count > 0) {
      protocolHandler.take(bytes, 0, count);
    }
    flushLater();
    updateInterest();
  }

  @Override
  public void flush() {
    if (!flushNow()) {
      return;
    }
    protocolHandler.flushed();
    finishIfOver();
    updateInterest();
  }

  @Override
  public void goOn() {
    if (!isOpen()) {
      return;
    }
    if (goesOn && !isEnding()) {
      goesOn = false;
      protocolHandler.goOn();
    }
    readLeft();
    finishIfOver();
    updateInterest();
  }

  @Override
  void read() {
    int most = isEnding() ? BodyBuffer.MAX_PIECE : protocolHandler.mostRead();
    if (most == 0) {
      updateInterest();
      return;
    }
    int count;
    try {
      count = transport.read(most);
    } catch (IOException e) {
      closeNow();
      return;
    }
    heard = System.nanoTime();
    if (count < 0) {
      endInput();
    } else if (isEnding()) {
      discard(count);
    } else if (count > 0) {
      protocolHandler.take(loop.memory().read(), 0, count);
    }
    finishIfOver();
    updateInterest();
  }

  private void endInput() {
    halfClosed = true;
    since = heard;
    if (isEnding()) {
      closeNow();
    } else {
      protocolHandler.endInput();
    }
  }

  /** Closes the connection once all output has been sent. */
  private void finishIfOver() {
    if (!isEnding() || hasReached(Phase.LINGERING) || output.isPending()) {
      return;
    }
    transport.end();
    if (halfClosed && !transport.isFull()) {
      closeNow();
    } else {
      since = System.nanoTime();
      linger();
    }
  }

  private void updateInterest() {
    if (isOpen()) {
      updateInterest(isEnding() || protocolHandler.mostRead() > 0);
    }
  }

  /** Returns true if the session has ended. Its output may still be sent. */
  private boolean isEnding() {
    return hasReached(Phase.SKIPPING);
  }

  @Override
  public void check(long now) {
    if (!channel.isOpen()) {
      closeNow();
    } else if (output.isTooSlow(now, server.options())) {
      reset();
    } else if (isLingering()) {
      if (hasLingered(now)) {
        closeNow();
      }
    } else if (halfClosed && now - since > HALF_CLOSED) {
      closeNow();
    } else if (!isEnding()) {
      protocolHandler.check(now);
      finishIfOver();
      if (isOpen() && output.isToBeTried(now)) {
        flush();
      }
    }
  }

  @Override
  public boolean rests() {
    return protocolHandler.isIdle() && !output.isPending() && !isLingering();
  }

  @Override
  public void checkHeld(long now, long held) {
    if (rests() && now - heard > server.options().idleTimeout().toNanos()) {
      server.close(channel);
    }
  }

  @Override
  void dropRequests() {
    protocolHandler.closed();
  }

  @Override
  public void put(byte[] bytes, int from, int length) {
    if (!hasReached(Phase.LINGERING)) {
      output.put(bytes, from, length);
      flushLater();
    }
  }

  @Override
  public void put(ByteBuffer bytes) {
    if (!hasReached(Phase.LINGERING)) {
      output.put(bytes);
      flushLater();
    }
  }

  @Override
  public void mark(Exchange.OnWritten taken) {
    if (!isOpen()) {
      taken.written(new ClientDisconnectedException(null));
    } else {
      output.mark(taken);
      flushLater();
    }
  }

  @Override
  public long written() {
    return output.written();
  }

  @Override
  public long pending() {
    return output.pending();
  }

  @Override
  public void goOnLater() {
    if (!goesOn) {
      goesOn = true;
      loop.goOnLater(this);
    }
  }

  @Override
  public void readsOn() {
    updateInterest();
  }

  @Override
  public void end() {
    advance(Phase.SKIPPING);
    flushLater();
  }
}
