package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An exchange that supplies given chunks, records the response, and ends on demand. */
final class FakeExchange implements Exchange {

  String method = "GET";
  String target = "/";
  Headers sent = new Headers();
  String peer = "192.0.2.1";
  boolean secure;
  SerialExecutor executor = new SerialExecutor(Runnable::run, false);
  boolean mayBlock = true;
  boolean hasBody = true;
  Duration responseTimeout = Duration.ZERO;

  /** Whether writes stay pending until {@link #drain}. */
  boolean slow;

  final List<String> calls = new ArrayList<>();
  final Queue<OnWritten> open = new ArrayDeque<>();
  private final Queue<Runnable> pieces = new ArrayDeque<>();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final Settings settings = new Settings();

  /** The time that has passed for the log, in nanoseconds. */
  final AtomicLong nanos = new AtomicLong();

  final AppState appState = new AppState(settings, nanos::get);
  int reads;
  int status;
  @Nullable Headers headers;
  private @Nullable OnRead reader;
  private volatile @Nullable OnEnd onEnd;
  private volatile @Nullable Consumer<OnEnd> end;

  static FakeExchange of(String method, String target, String... headers) {
    FakeExchange exchange = new FakeExchange();
    exchange.method = method;
    exchange.target = target;
    exchange.sent = Headers.of(headers);
    return exchange;
  }

  FakeExchange setting(String name, @Nullable Object value) {
    settings.set(name, value);
    return this;
  }

  Request request() {
    return new Request(this, appState, false);
  }

  Response response() {
    return request().response();
  }

  /** Supplies the next chunk of the body. */
  void give(String piece) {
    give(() -> taker().read(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)), null));
  }

  /** Supplies the end of the body, or a failure. */
  void giveEnd(@Nullable Throwable failure) {
    give(() -> taker().read(null, failure));
  }

  /** Ends the exchange. A callback that is registered later is called at once. */
  void finish(@Nullable Throwable failure) {
    end = told -> told.ended(failure);
    OnEnd told = onEnd;
    if (told != null) {
      told.ended(failure);
    }
  }

  /** Completes all pending writes. */
  void drain(@Nullable Throwable failure) {
    List<OnWritten> all;
    synchronized (this) {
      all = List.copyOf(open);
      open.clear();
    }
    all.forEach(callback -> callback.written(failure));
  }

  synchronized int waiting() {
    return open.size();
  }

  synchronized byte[] bytes() {
    return received.toByteArray();
  }

  String body() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  @Nullable String header(String name) {
    return headers == null ? null : headers.get(name);
  }

  /** A budget for this exchange alone, because some exchanges of tests never end. */
  private @Nullable BodyMemory memory;

  @Override
  public String method() {
    return method;
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
    return sent;
  }

  @Override
  public String remoteAddress() {
    return peer;
  }

  @Override
  public boolean secure() {
    return secure;
  }

  @Override
  public SerialExecutor executor() {
    return executor;
  }

  @Override
  public boolean mayBlock() {
    return mayBlock;
  }

  @Override
  public Duration responseTimeout() {
    return responseTimeout;
  }

  @Override
  public BodyMemory.Reservation reservation() {
    if (memory == null) {
      memory = BodyMemory.of("64mb");
    }
    return memory.share().reservation();
  }

  @Override
  public boolean hasBody() {
    return hasBody;
  }

  @Override
  public void read(OnRead callback) {
    Runnable piece;
    synchronized (this) {
      if (reader != null) {
        throw new IllegalStateException("read called while another read is pending");
      }
      reads++;
      reader = callback;
      piece = pieces.poll();
    }
    if (piece != null) {
      piece.run();
    }
  }

  @Override
  public synchronized void start(int status, Headers headers) {
    calls.add("start");
    this.status = status;
    this.headers = headers;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    synchronized (this) {
      calls.add("write");
      take(bytes);
      if (slow) {
        open.add(callback);
        return;
      }
    }
    callback.written(null);
  }

  @Override
  public synchronized void end(ByteBuffer last) {
    calls.add("end");
    take(last);
  }

  @Override
  public synchronized void sendFile(FileChannel file, long offset, long length) {
    calls.add("sendFile " + offset + " " + length);
    ByteBuffer bytes = ByteBuffer.allocate((int) length);
    try (file) {
      file.read(bytes, offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    take(bytes.flip());
  }

  @Override
  public synchronized void abort() {
    calls.add("abort");
  }

  @Override
  public void onEnd(OnEnd callback) {
    onEnd = callback;
    Consumer<OnEnd> over = end;
    if (over != null) {
      over.accept(callback);
    }
  }

  private void give(Runnable piece) {
    boolean now;
    synchronized (this) {
      now = reader != null;
      if (!now) {
        pieces.add(piece);
      }
    }
    if (now) {
      piece.run();
    }
  }

  private synchronized OnRead taker() {
    OnRead taker = reader;
    reader = null;
    if (taker == null) {
      throw new IllegalStateException("no read is pending");
    }
    return taker;
  }

  private void take(ByteBuffer bytes) {
    byte[] piece = new byte[bytes.remaining()];
    bytes.get(piece);
    received.writeBytes(piece);
  }
}
