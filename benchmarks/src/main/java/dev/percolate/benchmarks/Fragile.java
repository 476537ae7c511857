package dev.percolate.benchmarks;

import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange whose client may hang up at any time, and which counts what is done to its answer.
 */
final class Fragile implements Exchange {

  private static final Headers HEADERS = new Headers().addReceived("Host", "localhost");

  private final Turn turn;
  private final Runnable whenOver;
  private @Nullable OnEnd onEnd;
  private @Nullable Throwable failure;
  private boolean over;
  private int starts;
  private int ends;

  Fragile(Executor executor, Runnable whenOver) {
    this.turn = new Turn(executor, true);
    this.whenOver = whenOver;
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public String target() {
    return "/";
  }

  @Override
  public String httpVersion() {
    return "1.1";
  }

  @Override
  public Headers headers() {
    return HEADERS;
  }

  @Override
  public String remoteAddress() {
    return "127.0.0.1";
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public Turn turn() {
    return turn;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public boolean hasBody() {
    return false;
  }

  @Override
  public void read(OnRead callback) {
    callback.read(null, null);
  }

  @Override
  public synchronized void start(int status, Headers headers) {
    starts++;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(gone());
  }

  @Override
  public void end(ByteBuffer last) {
    synchronized (this) {
      ends++;
    }
    over(null);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void abort() {
    over(new IOException("aborted"));
  }

  @Override
  public void onEnd(OnEnd callback) {
    synchronized (this) {
      if (!over) {
        onEnd = callback;
        return;
      }
    }
    callback.ended(gone());
  }

  /** Takes the client away. */
  void hangUp() {
    over(new ClientGone(null));
  }

  /** Tells whether there was one answer, or none because the client or the server gave up. */
  synchronized boolean isSound() {
    return starts <= 1 && ends <= 1 && (failure != null || (starts == 1 && ends == 1));
  }

  synchronized boolean isAnswered() {
    return over && failure == null;
  }

  private synchronized @Nullable Throwable gone() {
    return failure;
  }

  private void over(@Nullable Throwable cause) {
    OnEnd told;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = cause;
      told = onEnd;
    }
    if (told != null) {
      told.ended(cause);
    }
    whenOver.run();
  }
}
