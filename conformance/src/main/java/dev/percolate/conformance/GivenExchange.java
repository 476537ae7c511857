package dev.percolate.conformance;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/** The exchange of one trial: all on one thread, its answer thrown away. */
final class GivenExchange implements Exchange {

  private final Turn turn = new Turn(Runnable::run, true);
  private final Headers headers = new Headers();
  private final Queue<byte[]> pieces;
  private final String target;

  GivenExchange(Trial trial) {
    target = trial.url();
    pieces = new ArrayDeque<>(trial.pieces());
    trial.sentHeaders().forEach(headers::addReceived);
  }

  @Override
  public String method() {
    return "POST";
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
    byte[] piece = pieces.poll();
    while (piece != null && piece.length == 0) {
      piece = pieces.poll();
    }
    callback.read(piece == null ? null : ByteBuffer.wrap(piece), null);
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
    try {
      file.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void abort() {}

  @Override
  public void onEnd(OnEnd callback) {}
}
