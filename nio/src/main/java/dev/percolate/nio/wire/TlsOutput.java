package dev.percolate.nio.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts what goes out on one connection; used on its loop only.
 *
 * <p>What the kernel has not taken of it stays with the connection, too, and comes again in front
 * the next time, so that one count tells how much has gone out. It is not encrypted again.
 */
final class TlsOutput {

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final LoopMemory memory;

  /** What the kernel has not taken. */
  private @Nullable ByteBuffer stuck;

  /** How much of what is to be written is encrypted, and not taken by the kernel. */
  private int sealed;

  /** How much of that may be said to have gone out. */
  private int gone;

  private boolean shutsDown;

  TlsOutput(SocketChannel channel, LoopMemory memory) {
    this.channel = channel;
    this.memory = memory;
  }

  /** Tells whether something is left that the kernel has not taken. */
  boolean isFull() {
    return stuck != null;
  }

  /** Encrypts bytes, and gives them to the kernel, as {@link Wire#write} says. */
  void write(SSLEngine tls, ByteBuffer bytes) throws IOException {
    push();
    take(bytes);
    while (stuck == null && bytes.hasRemaining()) {
      seal(tls, bytes);
      take(bytes);
    }
  }

  /** Gives the kernel what nobody will write again. */
  void flush() throws IOException {
    if (sealed == 0) {
      push();
    }
  }

  /** Sends what the engine itself has to say; tells whether the kernel has room for that. */
  boolean speak(SSLEngine tls) throws IOException {
    push();
    if (stuck != null) {
      return false;
    }
    ByteBuffer to = memory.tls().sealed().clear();
    while (tls.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
        && to.remaining() >= LoopMemory.Tls.ROOM) {
      if (tls.wrap(EMPTY, to).bytesProduced() == 0) {
        throw new SSLException("nothing to say");
      }
    }
    send(to.flip());
    return true;
  }

  /** Says that nothing more comes. */
  void end(SSLEngine tls) throws IOException {
    tls.closeOutbound();
    ByteBuffer to = memory.tls().sealed().clear();
    boolean more = true;
    while (more && !tls.isOutboundDone() && to.remaining() >= LoopMemory.Tls.ROOM) {
      more = tls.wrap(EMPTY, to).bytesProduced() > 0;
    }
    send(to.flip());
  }

  /** Ends the output of the socket, as soon as the kernel has taken all. */
  void shutdown() throws IOException {
    if (stuck == null) {
      SocketChannel ignored = channel.shutdownOutput();
    } else {
      shutsDown = true;
    }
  }

  /** Takes from what is to be written what has gone out. */
  private void take(ByteBuffer bytes) {
    bytes.position(bytes.position() + gone);
    sealed -= gone;
    gone = 0;
  }

  /** Encrypts what stands in front, and gives it to the kernel. */
  private void seal(SSLEngine tls, ByteBuffer bytes) throws IOException {
    ByteBuffer to = memory.tls().sealed().clear();
    int begin = bytes.position();
    int end = bytes.limit();
    bytes.limit(Math.min(end, begin + LoopMemory.PIECE));
    try {
      while (bytes.hasRemaining() && to.remaining() >= LoopMemory.Tls.ROOM) {
        if (tls.wrap(bytes, to).getStatus() != SSLEngineResult.Status.OK) {
          throw new SSLException("closed");
        }
      }
      sealed = bytes.position() - begin;
    } finally {
      bytes.limit(end).position(begin);
    }
    send(to.flip());
  }

  /** Gives the kernel what is encrypted, and keeps what it does not take. */
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

  /** Gives the kernel what it has not taken before. */
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

  /** Notes how much has gone out: all, or about as much as the kernel has taken. */
  private void note(int taken) {
    gone = stuck == null ? sealed : Math.max(0, Math.min(gone + taken, sealed - 1));
  }
}
