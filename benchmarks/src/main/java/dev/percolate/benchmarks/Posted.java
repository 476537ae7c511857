package dev.percolate.benchmarks;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An exchange with a body, that takes the answer and forgets it but for its status. */
final class Posted implements Exchange {

  private final Turn turn = new Turn(Runnable::run, true);
  private final Headers headers;
  private final ByteBuffer rest;
  private final int piece;
  private int status;
  private @Nullable OnEnd onEnd;

  Posted(String type, byte[] body) {
    headers =
        new Headers()
            .addReceived("Host", "localhost")
            .addReceived("Content-Type", type)
            .addReceived("Content-Length", Integer.toString(body.length));
    rest = ByteBuffer.wrap(body);
    piece = Math.max(1, body.length);
  }

  /** A body that arrives in pieces, in a content encoding unless that is empty. */
  Posted(String type, String encoding, byte[] body, int piece) {
    headers = new Headers().addReceived("Host", "localhost").addReceived("Content-Type", type);
    headers.addReceived("Transfer-Encoding", "chunked");
    if (!encoding.isEmpty()) {
      headers.addReceived("Content-Encoding", encoding);
    }
    rest = ByteBuffer.wrap(body);
    this.piece = piece;
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
    int length = Math.min(piece, rest.remaining());
    ByteBuffer next = length == 0 ? null : rest.slice(rest.position(), length);
    rest.position(rest.position() + length);
    callback.read(next, null);
  }

  /** Returns the status of the answer; 0 while there is none. */
  int status() {
    return status;
  }

  @Override
  public void start(int status, Headers headers) {
    this.status = status;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
    OnEnd told = onEnd;
    if (told != null) {
      told.ended(null); // gives the room of the body back
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
