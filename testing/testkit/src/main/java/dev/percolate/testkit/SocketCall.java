package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** One call over a socket, in HTTP/1.1. */
final class SocketCall implements OpenCall {

  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private final ClientSocket wire;
  private final boolean chunked;
  private final boolean asksForUpgrade;
  private final IncomingReply response;
  private final AtomicLong accepted = new AtomicLong();

  SocketCall(ClientSocket wire, Message message) {
    this.wire = wire;
    this.chunked = message.sendsChunks();
    this.asksForUpgrade = message.asksForUpgrade() && !message.announcesBody();
    this.response = wire.open(message);
  }

  @Override
  public IncomingReply answer() {
    return response;
  }

  @Override
  public void send(byte[] piece) {
    boolean chunk = chunked && piece.length > 0;
    if (chunk) {
      String size = Integer.toHexString(piece.length) + "\r\n";
      wire.send(size.getBytes(StandardCharsets.ISO_8859_1), () -> {});
    }
    wire.send(piece, () -> accepted.addAndGet(piece.length));
    if (chunk) {
      wire.send(new byte[] {'\r', '\n'}, () -> {});
    }
  }

  @Override
  public void finish() {
    if (chunked) {
      wire.send(LAST_CHUNK, () -> {});
    } else if (asksForUpgrade) {
      wire.finish();
    }
  }

  @Override
  public long accepted() {
    return accepted.get();
  }

  @Override
  public void pause(boolean paused) {
    wire.pause(paused);
  }

  @Override
  public void disconnect() {
    wire.close();
  }

  @Override
  public OpenCall then(Message next) {
    return new SocketCall(wire, next);
  }

  /** Does nothing: handlers on the server cannot be observed. */
  @Override
  public void settle() {}
}
