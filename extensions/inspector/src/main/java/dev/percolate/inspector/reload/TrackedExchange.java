package dev.percolate.inspector.reload;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import dev.percolate.http.EventText;
import dev.percolate.http.Headers;
import dev.percolate.http.Utf8;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request of one version of the application. The version waits for its end.
 *
 * <p>A WebSocket that ends because the application is replaced gets the close code 1012 (service
 * restart) instead of 1001. The client of an event stream is told to reconnect soon.
 */
final class TrackedExchange extends ForwardingExchange {

  private static final short GOING_AWAY = 1001;
  private static final short RESTART = 1012;
  private static final byte CLOSE_FRAME = (byte) 0x88;
  private static final byte[] RETRY = Utf8.bytes(EventText.retry(200));

  private final Version version;
  private final CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
  private volatile boolean upgraded;
  private volatile boolean streams;

  private TrackedExchange(Exchange exchange, Version version) {
    super(exchange);
    this.version = version;
  }

  /** Adds a request to a version. */
  static TrackedExchange of(Exchange exchange, Version version) {
    TrackedExchange tracked = new TrackedExchange(exchange, version);
    version.enter(tracked);
    exchange.onEnd(tracked::ended);
    return tracked;
  }

  private void ended(@Nullable Throwable failure) {
    end.complete(failure); // runs the callback of the application
    version.leave(this);
  }

  @Override
  public void onEnd(OnEnd callback) {
    CompletableFuture<Void> ignored = end.thenAccept(callback::ended);
  }

  @Override
  public void start(int status, Headers headers) {
    String type = headers.get("Content-Type");
    streams =
        type != null
            && type.startsWith("text/event-stream")
            && !headers.contains("Content-Encoding")
            && !method().equals("HEAD");
    exchange.start(status, headers);
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    upgraded = true;
    exchange.upgrade(headers, taken);
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    ByteBuffer changed = streams ? joined(RETRY, bytes) : withRestart(bytes);
    streams = false;
    exchange.write(changed, callback);
  }

  @Override
  public void end(ByteBuffer last) {
    exchange.end(withRestart(last));
  }

  /** Changes the code of a close frame that is sent because the version ends. */
  private ByteBuffer withRestart(ByteBuffer bytes) {
    int at = bytes.position();
    boolean closes =
        upgraded
            && version.isEnding()
            && bytes.remaining() >= 4
            && bytes.get(at) == CLOSE_FRAME
            && bytes.duplicate().getShort(at + 2) == GOING_AWAY;
    return closes ? joined(new byte[0], bytes).putShort(2, RESTART) : bytes;
  }

  private static ByteBuffer joined(byte[] first, ByteBuffer second) {
    ByteBuffer all = ByteBuffer.allocate(first.length + second.remaining());
    return all.put(first).put(second.duplicate()).flip();
  }
}
