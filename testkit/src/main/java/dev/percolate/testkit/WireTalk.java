package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Goes on with a call over a socket. */
final class WireTalk implements Talk {

  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private final Wire wire;
  private final Call call;
  private final Incoming answer;
  private final AtomicLong accepted = new AtomicLong();
  private boolean finished;

  WireTalk(Wire wire, Call call) {
    this.wire = wire;
    this.call = call;
    this.answer = new Incoming(call.toString(), () -> "");
    this.finished = !call.announcesBody();
  }

  void start(String host) {
    StringBuilder head = new StringBuilder();
    head.append(call.method()).append(' ').append(call.target()).append(" HTTP/1.1\r\n");
    call.headers(host)
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    wire.send(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1), () -> {});
    byte[] body = call.body();
    if (body != null) {
      send(body).finish();
    }
  }

  /** Reads the answer; tells whether another may follow on the connection. */
  boolean read(AnswerReader answers) {
    return answers.read(call.method().equals("HEAD"), answer);
  }

  /** Notes that the connection was over before the answer began. */
  void lost() {
    answer.end(false);
  }

  @Override
  public Talk send(byte[] piece) {
    if (finished) {
      throw new IllegalStateException(call + ": there is no body to send, or it is finished");
    }
    boolean chunk = call.sendsChunks();
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
      if (call.sendsChunks()) {
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
    return wire.talk(next);
  }
}
