package dev.percolate.parsers;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request in memory, its body given in pieces, at once or from another thread. */
final class FakeExchange implements Exchange {

  private final Headers headers = new Headers();
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private final CountDownLatch ended = new CountDownLatch(1);
  private Turn turn = new Turn(Runnable::run, true);
  private boolean later;

  /** One of its own, since not each exchange of a test comes to its end. */
  private BodyMemory memory = BodyMemory.of("64mb");

  private @Nullable Throwable failure;
  private @Nullable OnEnd onEnd;
  private String version = "1.1";
  private boolean http2Body;
  int status;
  int reads;

  static FakeExchange of(String contentType) {
    return new FakeExchange().header("Content-Type", contentType);
  }

  /** A request with one piece of UTF-8 and its Content-Length. */
  static FakeExchange of(String contentType, String body) {
    return of(contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static FakeExchange of(String contentType, byte[] body) {
    return of(contentType).length(body.length).piece(body);
  }

  /** A compressed request, from Base64. */
  static FakeExchange of(String contentType, String encoding, String base64) {
    return of(contentType, Base64.getDecoder().decode(base64)).header("Content-Encoding", encoding);
  }

  FakeExchange header(String name, String value) {
    headers.add(name, value);
    return this;
  }

  FakeExchange length(long length) {
    return header("Content-Length", Long.toString(length));
  }

  FakeExchange chunked() {
    headers.remove("Content-Length");
    return header("Transfer-Encoding", "chunked");
  }

  FakeExchange piece(byte[] bytes) {
    if (bytes.length > 0) {
      pieces.add(bytes);
    }
    return this;
  }

  /** Cuts the body given so far to pieces of one size. */
  FakeExchange cut(int size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    pieces.clear();
    ByteBuffer rest = ByteBuffer.wrap(all.toByteArray());
    while (rest.hasRemaining()) {
      byte[] piece = new byte[Math.min(size, rest.remaining())];
      rest.get(piece);
      pieces.add(piece);
    }
    return this;
  }

  FakeExchange memory(BodyMemory budget) {
    memory = budget;
    return this;
  }

  FakeExchange http2(boolean body) {
    version = "2.0";
    http2Body = body;
    return this;
  }

  /** Behind the pieces the client goes away. */
  FakeExchange aborted() {
    return failing(new IOException("connection reset"));
  }

  FakeExchange failing(Throwable error) {
    failure = error;
    return this;
  }

  /** Delivers from a thread of its own to steps that do not wait. */
  FakeExchange later() {
    later = true;
    turn = new Turn(task -> new Thread(task, "turn").start(), false);
    return this;
  }

  /** Sends the request through some steps and waits for the end of the answer. */
  FakeExchange through(Middleware... steps) {
    Service service = Chain.service(new Settings().set("env", "test").set("etag", false), steps);
    turn.execute(() -> service.serve(this));
    try {
      if (!ended.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("no answer");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  String answer() {
    return answer.toString(StandardCharsets.UTF_8);
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
    return version;
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
    return !later;
  }

  @Override
  public BodyMemory.Room room() {
    return memory.share(remoteAddress()).room();
  }

  @Override
  public boolean hasBody() {
    return http2Body;
  }

  @Override
  public void read(OnRead callback) {
    reads++;
    byte[] piece = pieces.poll();
    Runnable delivery =
        () -> {
          if (piece != null) {
            callback.read(ByteBuffer.wrap(piece), null);
          } else {
            callback.read(null, failure);
          }
        };
    if (later) {
      new Thread(delivery, "delivery").start();
    } else {
      delivery.run();
    }
  }

  @Override
  public void start(int status, Headers headers) {
    this.status = status;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    end(bytes);
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
    byte[] bytes = new byte[last.remaining()];
    last.get(bytes);
    answer.writeBytes(bytes);
    ended.countDown();
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
    ended.countDown();
  }

  @Override
  public void onEnd(OnEnd callback) {
    onEnd = callback;
  }
}
