package dev.percolate.logger;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An exchange of which nothing goes over a wire: it has a request, and forgets its answer. */
final class Visit implements Exchange {

  private final Turn turn = new Turn(Runnable::run, true);
  private final Sample sample;
  private @Nullable OnEnd onEnd;

  Visit(Sample sample) {
    this.sample = sample;
  }

  @Override
  public String method() {
    return sample.method();
  }

  @Override
  public String target() {
    return sample.target();
  }

  @Override
  public String httpVersion() {
    return "1.1";
  }

  @Override
  public Headers headers() {
    return sample.headers();
  }

  @Override
  public String remoteAddress() {
    return sample.address();
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
  public void start(int status, Headers headers) {}

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
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
