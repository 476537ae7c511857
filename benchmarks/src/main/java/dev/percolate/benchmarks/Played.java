package dev.percolate.benchmarks;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An exchange that takes the answer and forgets it. */
final class Played implements Exchange {

  private final Turn turn = new Turn(Runnable::run, true);
  private final String target;
  private long written;
  private @Nullable OnEnd onEnd;

  Played(String target) {
    this.target = target;
  }

  /** Tells how much was written, so that no work is left out. */
  long written() {
    return written;
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String httpVersion() {
    return "1.1";
  }

  @Override
  public Headers headers() {
    return new Headers().addReceived("Host", "localhost");
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
  public void start(int status, Headers headers) {
    written += status + headers.size();
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    written += bytes.remaining();
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
    written += last.remaining();
    if (onEnd != null) {
      onEnd.ended(null);
    }
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void abort() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void onEnd(OnEnd callback) {
    onEnd = callback;
  }
}
