package dev.percolate.nio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the output of a connection. Used on its event loop only.
 *
 * <p>Bytes that the system has not accepted remain with the caller, which passes them again in the
 * next call. So there is one count of the bytes sent. They are not encrypted again.
 */
final class TlsOutput {

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final LoopMemory memory;

  /** Encrypted bytes that the system has not accepted. */
  private @Nullable ByteBuffer stuck;

  /** The number of the caller's bytes that are encrypted but not yet reported as sent. */
  private int sealed;

  /** How many of these may be reported as sent. */
  private int gone;

  private boolean shutsDown;

  TlsOutput(SocketChannel channel, LoopMemory memory) {
    this.channel = channel;
    this.memory = memory;
  }

  /** Returns true if the system has not accepted all bytes. */
  boolean isFull() {
    return stuck != null;
  }

  /** Encrypts bytes and passes them to the system, see {@link Transport#write}. */
  void write(SSLEngine tls, ByteBuffer bytes) throws IOException {
    push();
    take(bytes);
    while (stuck == null && bytes.hasRemaining()) {
      seal(tls, bytes);
      take(bytes);
    }
  }

  /** Sends encrypted bytes that no call of {@code write} will repeat. */
  void flush() throws IOException {
    if (sealed == 0) {
      push();
    }
  }

  /** Sends messages of TLS itself. Returns false if the system cannot accept them now. */
  boolean speak(SSLEngine tls) throws IOException {
    push();
    if (stuck != null) {
      return false;
    }
    ByteBuffer to = memory.tls().sealed().clear();
    while (tls.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
        && to.remaining() >= LoopMemory.Tls.ROOM) {
      if (tls.wrap(EMPTY, to).bytesProduced() == 0) {
        throw new SSLException("TLS engine produced no message");
      }
    }
    send(to.flip());
    return true;
  }

  /** Sends the end of the output, a close_notify. */
  void end(SSLEngine tls) throws IOException {
    tls.closeOutbound();
    ByteBuffer to = memory.tls().sealed().clear();
    boolean more = true;
    while (more && !tls.isOutboundDone() && to.remaining() >= LoopMemory.Tls.ROOM) {
      more = tls.wrap(EMPTY, to).bytesProduced() > 0;
    }
    send(to.flip());
  }

  /** Closes the output of the socket once the system has accepted all bytes. */
  void shutdown() throws IOException {
    if (stuck == null) {
      SocketChannel ignored = channel.shutdownOutput();
    } else {
      shutsDown = true;
    }
  }

  /** Advances the buffer by the bytes that have been sent. */
  private void take(ByteBuffer bytes) {
    bytes.position(bytes.position() + gone);
    sealed -= gone;
    gone = 0;
  }

  /** Encrypts the first bytes of the buffer and passes them to the system. */
  private void seal(SSLEngine tls, ByteBuffer bytes) throws IOException {
    ByteBuffer to = memory.tls().sealed().clear();
    int begin = bytes.position();
    int end = bytes.limit();
    bytes.limit(Math.min(end, begin + LoopMemory.PIECE));
    try {
      while (bytes.hasRemaining() && to.remaining() >= LoopMemory.Tls.ROOM) {
        if (tls.wrap(bytes, to).getStatus() != SSLEngineResult.Status.OK) {
          throw new SSLException("TLS output is closed");
        }
      }
      sealed = bytes.position() - begin;
    } finally {
      bytes.limit(end).position(begin);
    }
    send(to.flip());
  }

  /** Passes encrypted bytes to the system and keeps those that it does not accept. */
  private void send(ByteBuffer bytes) throws IOException {
    ByteBuffer before = stuck;
    if (before != null) {
      ByteBuffer both = ByteBuffer.allocate(before.remaining() + bytes.remaining());
      stuck = both.put(before).put(bytes).flip();
      return;
    }
    int count = bytes.remaining();
    int taken = channel.write(memory.tls().out().clear().put(bytes).flip());
    if (taken < count) {
      byte[] rest = new byte[count - taken];
      bytes.get(bytes.position() - rest.length, rest);
      stuck = ByteBuffer.wrap(rest);
    }
    note(taken);
  }

  /** Passes the kept bytes to the system again. */
  private void push() throws IOException {
    ByteBuffer rest = stuck;
    if (rest == null) {
      return;
    }
    ByteBuffer out = memory.tls().out().clear();
    int most = Math.min(rest.remaining(), out.remaining());
    int taken = channel.write(out.put(rest.slice(rest.position(), most)).flip());
    rest.position(rest.position() + taken);
    if (!rest.hasRemaining()) {
      stuck = null;
      if (shutsDown) {
        SocketChannel ignored = channel.shutdownOutput();
      }
    }
    note(taken);
  }

  /** Records how many bytes have been sent: all, or about as many as the system has accepted. */
  private void note(int taken) {
    gone = stuck == null ? sealed : Math.max(0, Math.min(gone + taken, sealed - 1));
  }
}
