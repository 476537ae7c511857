package dev.percolate.benchmarks;

import dev.percolate.http.Headers;
import java.nio.ByteBuffer;

/** A POST with a body. Discards the response except its status code. */
public final class BodyExchange extends DiscardingExchange {

  private final Headers headers = new Headers().addReceived("Host", "localhost");
  private final ByteBuffer rest;
  private final int piece;
  private int status;

  private BodyExchange(String type, byte[] body, int piece) {
    super("/");
    headers.addReceived("Content-Type", type);
    this.rest = ByteBuffer.wrap(body);
    this.piece = piece;
  }

  /** Creates an exchange with a body in one chunk. */
  public static BodyExchange whole(String type, byte[] body) {
    BodyExchange exchange = new BodyExchange(type, body, Math.max(1, body.length));
    exchange.headers.addReceived("Content-Length", Integer.toString(body.length));
    return exchange;
  }

  /** Creates an exchange with a body in chunks, and a content encoding unless it is empty. */
  public static BodyExchange inPieces(String type, String encoding, byte[] body, int piece) {
    BodyExchange exchange = new BodyExchange(type, body, piece);
    exchange.headers.addReceived("Transfer-Encoding", "chunked");
    if (!encoding.isEmpty()) {
      exchange.headers.addReceived("Content-Encoding", encoding);
    }
    return exchange;
  }

  /** Returns the status code of the response; 0 before its start. */
  public int status() {
    return status;
  }

  @Override
  public String method() {
    return "POST";
  }

  @Override
  public Headers headers() {
    return headers;
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

  @Override
  public void start(int status, Headers headers) {
    super.start(status, headers);
    this.status = status;
  }
}
