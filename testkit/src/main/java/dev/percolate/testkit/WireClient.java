package dev.percolate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Reaches a server over sockets, each call on a connection of its own. */
final class WireClient implements Client {

  private final URI uri;
  private final Runnable after;
  private final Set<Wire> open = ConcurrentHashMap.newKeySet();

  /**
   * Makes a client.
   *
   * @param uri where the server listens
   * @param after closes what the client owns
   */
  WireClient(URI uri, Runnable after) {
    if (!"http".equals(uri.getScheme()) || uri.getPort() < 0) {
      throw new IllegalArgumentException("Client.of(" + uri + "): not http:// with a port");
    }
    this.uri = uri;
    this.after = after;
  }

  @Override
  public Talk open(Call call) {
    try {
      Wire wire = new Wire(uri.getHost(), uri.getPort(), open::remove);
      open.add(wire);
      return new WireTalk(wire, call.message());
    } catch (IOException e) {
      throw new UncheckedIOException(call + ": no connection to " + uri, e);
    }
  }

  @Override
  public void close() {
    open.forEach(Wire::close);
    after.run();
  }

  /** Goes on with a call over a socket. */
  private static final class WireTalk implements Talk {

    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Wire wire;
    private final Message message;
    private final IncomingReply answer;
    private final AtomicLong accepted = new AtomicLong();
    private boolean finished;

    WireTalk(Wire wire, Message message) {
      this.wire = wire;
      this.message = message;
      this.answer = wire.open(message);
      this.finished = !message.announcesBody();
      byte[] body = message.body();
      if (body != null) {
        send(body).finish();
      }
    }

    @Override
    public Talk send(byte[] piece) {
      if (finished) {
        throw new IllegalStateException(message + ": there is no body to send, or it is finished");
      }
      boolean chunk = message.sendsChunks();
      if (chunk && piece.length > 0) {
        String size = Integer.toHexString(piece.length) + "\r\n";
        wire.send(size.getBytes(StandardCharsets.ISO_8859_1), () -> {});
      }
      wire.send(piece.clone(), () -> accepted.addAndGet(piece.length));
      if (chunk && piece.length > 0) {
        wire.send(new byte[] {'\r', '\n'}, () -> {});
      }
      return this;
    }

    @Override
    public Talk finish() {
      if (!finished) {
        finished = true;
        if (message.sendsChunks()) {
          wire.send(LAST_CHUNK, () -> {});
        }
      }
      return this;
    }

    @Override
    public long accepted() {
      return accepted.get();
    }

    @Override
    public Talk pause() {
      wire.pause(true);
      return this;
    }

    @Override
    public Talk resume() {
      wire.pause(false);
      return this;
    }

    @Override
    public void hangUp() {
      wire.close();
    }

    @Override
    public Reply head() {
      return answer.head();
    }

    @Override
    public Talk await(String text) {
      answer.text(text);
      return this;
    }

    @Override
    public Reply reply() {
      return answer.whole();
    }

    @Override
    public Talk then(Call next) {
      return new WireTalk(wire, next.message());
    }
  }
}
