package dev.percolate.testkit;

import dev.percolate.core.WarningListener;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request in memory.
 *
 * <p>Its monitor guards the state. Callbacks for a change run outside the monitor.
 */
final class MemoryExchange extends LocalExchange implements WarningListener {

  static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** The size of the buffer of the connection in each direction, in bytes. */
  static final int BUFFER = 64 << 10;

  private static final int PIECE = 16 << 10;

  private final Message message;
  private final BooleanSupplier mayBlock;
  private final IncomingReply response;
  private final Runnable over;

  private final List<String> warnings = new ArrayList<>();
  private final Deque<ByteBuffer> body = new ArrayDeque<>();
  private long received;
  private long read;
  private boolean bodyEnded;
  private boolean upgraded;
  private @Nullable OnRead reading;

  private final Deque<Piece> unsent = new ArrayDeque<>();
  private int status;
  private @Nullable Headers head;
  private long announced = -1;
  private long written;
  private int held;
  private boolean paused;
  private boolean ended;

  private boolean isOver;
  private @Nullable IOException gone;

  private record Piece(ByteBuffer bytes, @Nullable OnWritten callback, boolean last) {}

  MemoryExchange(
      Message message,
      SerialExecutor executor,
      BooleanSupplier mayBlock,
      IncomingReply response,
      Runnable over) {
    super(message.method(), message.target(), executor);
    this.message = message;
    this.mayBlock = mayBlock;
    this.response = response;
    this.over = over;
    this.bodyEnded = !message.announcesBody() && !message.asksForUpgrade();
  }

  @Override
  public synchronized void onWarning(String warning) {
    warnings.add(warning);
  }

  /** Fails if the application has reported an error. */
  synchronized void checkComplaints() {
    if (!warnings.isEmpty()) {
      throw new AssertionError(String.join("\n", warnings));
    }
  }

  @Override
  public Headers headers() {
    return message.headers("localhost");
  }

  @Override
  public boolean mayBlock() {
    return mayBlock.getAsBoolean();
  }

  @Override
  public boolean hasBody() {
    return message.announcesBody();
  }

  @Override
  public void read(OnRead callback) {
    change(
        told -> {
          if (reading != null) {
            throw new IllegalStateException("a read of this body is already in progress");
          }
          if (!upgraded && !message.announcesBody()) {
            told.add(() -> callback.read(null, null)); // further bytes belong to another protocol
            return;
          }
          reading = callback;
          feed(told);
        });
  }

  @Override
  public void start(int status, Headers headers) {
    headers.forEach((name, value) -> checkLine(name + value));
    change(
        told -> {
          if (this.status != 0) {
            throw rejected("the response was started twice", told);
          }
          this.status = status;
          String length = headers.get("Content-Length");
          announced = length == null || bodyless() ? -1 : Long.parseLong(length);
          head = headers.copy();
        });
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    change(told -> add(new Piece(bytes, callback, false), told));
  }

  @Override
  public void end(ByteBuffer last) {
    change(told -> add(new Piece(last, null, true), told));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    try (FileChannel channel = file) {
      long sent = 0;
      while (sent < length) {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(PIECE, length - sent));
        if (channel.read(bytes, offset + sent) < 0) {
          throw new EOFException("the file ends before " + (offset + length));
        }
        bytes.flip();
        sent += bytes.remaining();
        boolean last = sent == length;
        change(told -> add(new Piece(bytes, null, last), told));
      }
      if (length == 0) {
        end(NOTHING);
      }
    } catch (IOException e) {
      abort();
    }
  }

  @Override
  public synchronized boolean upgradable() {
    return status == 0 && message.asksForUpgrade() && !message.announcesBody();
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    if (!upgradable()) {
      throw new IllegalStateException(message + ": cannot be upgraded");
    }
    start(101, headers.copy().set("Connection", "Upgrade"));
    change(
        told -> {
          upgraded = true;
          unsent.add(new Piece(NOTHING, null, false)); // for the head
          pump(told);
        });
    executor().execute(taken);
  }

  @Override
  public void abort() {
    change(told -> breakOff(new IOException("aborted by the server"), told));
  }

  @Override
  public synchronized int sentStatus(int started) {
    return gone != null && head != null ? 0 : started;
  }

  void disconnect() {
    change(told -> breakOff(new ClientDisconnectedException(null), told));
  }

  void receive(byte[] bytes) {
    change(
        told -> {
          for (int i = 0; i < bytes.length; i += PIECE) {
            body.add(ByteBuffer.wrap(bytes, i, Math.min(PIECE, bytes.length - i)).slice());
          }
          received += bytes.length;
          feed(told);
        });
  }

  void receiveEnd() {
    change(
        told -> {
          bodyEnded = true;
          feed(told);
        });
  }

  void pause(boolean paused) {
    change(
        told -> {
          this.paused = paused;
          if (!paused) {
            held = 0;
            pump(told);
          }
        });
  }

  /** Returns the number of accepted bytes of the body: those that were read, and a full buffer. */
  synchronized long accepted() {
    return Math.min(received, read + BUFFER);
  }

  synchronized boolean isGone() {
    return gone != null;
  }

  private void change(Consumer<List<Runnable>> change) {
    List<Runnable> told = new ArrayList<>(2);
    try {
      synchronized (this) {
        change.accept(told);
      }
    } finally {
      told.forEach(Runnable::run);
    }
  }

  private void feed(List<Runnable> told) {
    OnRead reader = reading;
    ByteBuffer chunk = body.peek();
    if (reader == null || (chunk == null && !bodyEnded && gone == null)) {
      return;
    }
    reading = null;
    IOException lost = bodyEnded && chunk == null ? null : gone;
    if (lost != null) {
      told.add(() -> reader.read(null, lost));
      return;
    }
    body.poll();
    read += chunk == null ? 0 : chunk.remaining();
    told.add(() -> reader.read(chunk, null));
  }

  private void add(Piece piece, List<Runnable> told) {
    int size = piece.bytes.remaining();
    if (status == 0 || ended) {
      throw rejected(ended ? "body written after the end" : "body written before the start", told);
    }
    if (size > 0 && bodyless()) {
      throw rejected("body written for " + message.method() + " with status " + status, told);
    }
    written += size;
    boolean wrong = piece.last ? written != announced && !describes() : written > announced;
    if (announced >= 0 && wrong) {
      throw rejected(written + " bytes written for Content-Length " + announced, told);
    }
    ended = piece.last;
    unsent.add(piece);
    pump(told);
  }

  /**
   * Returns true if {@code Content-Length} describes a body that is not sent, on the last response
   * of a connection.
   */
  private boolean describes() {
    Headers waiting = head;
    return written == 0 && waiting != null && ConnectionOptions.close(waiting);
  }

  private void pump(List<Runnable> told) {
    while (!unsent.isEmpty() && (gone != null || !paused || held < BUFFER)) {
      Piece piece = unsent.remove();
      OnWritten callback = piece.callback;
      IOException lost = gone;
      if (lost == null) {
        sendHead(piece);
        response.add(piece.bytes);
        held += paused ? piece.bytes.remaining() : 0;
      }
      if (callback != null) {
        told.add(() -> callback.written(lost));
      }
      if (piece.last) {
        finish(told);
      }
    }
  }

  private void sendHead(Piece first) {
    Headers waiting = head;
    if (waiting != null) {
      head = null;
      if (first.last && !bodyless() && !waiting.contains("Content-Length")) {
        waiting.set("Content-Length", Integer.toString(first.bytes.remaining()));
      }
      response.start(status, waiting);
    }
  }

  private void breakOff(IOException reason, List<Runnable> told) {
    if (gone == null) {
      gone = reason;
      pump(told);
      feed(told);
      finish(told);
    }
  }

  private void finish(List<Runnable> told) {
    if (isOver) {
      return;
    }
    isOver = true;
    IOException reason = gone;
    told.add(() -> finish(reason));
    told.add(() -> response.end(reason == null));
    told.add(over);
  }

  private boolean bodyless() {
    return !upgraded && (message.isHead() || !Status.hasBody(status));
  }

  private IllegalStateException rejected(String rule, List<Runnable> told) {
    IllegalStateException error = new IllegalStateException(message + ": " + rule);
    breakOff(new IOException(rule), told);
    return error;
  }

  private void checkLine(String line) {
    if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0) {
      abort();
      throw new IllegalStateException(message + ": line break in a header");
    }
  }
}
