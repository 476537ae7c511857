package dev.percolate.benchmarks;

import dev.percolate.core.Exchange;
import dev.percolate.core.Turn;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An exchange with a body in one piece, that takes the answer and forgets it. */
final class Posted implements Exchange {

  private final Turn turn = new Turn(Runnable::run, true);
  private final Headers headers;
  private @Nullable ByteBuffer rest;

  Posted(String type, byte[] body) {
    headers =
        new Headers()
            .addReceived("Host", "localhost")
            .addReceived("Content-Type", type)
            .addReceived("Content-Length", Integer.toString(body.length));
    rest = ByteBuffer.wrap(body);
  }

  @Override
  public String method() {
    return "POST";
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
    return headers;
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
    return true;
  }

  @Override
  public void read(OnRead callback) {
    ByteBuffer piece = rest;
    rest = null;
    callback.read(piece, null);
  }

  @Override
  public void start(int status, Headers headers) {}

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {}

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void abort() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void onEnd(OnEnd callback) {}
}
