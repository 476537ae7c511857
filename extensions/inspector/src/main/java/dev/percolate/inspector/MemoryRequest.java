package dev.percolate.inspector;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.http.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request that is sent in memory, on its own thread. Stores the response. */
final class MemoryRequest implements Exchange {

  /** The maximum length of the body in the result, in characters. */
  private static final int LONGEST = 50_000;

  private static final int MOST_BYTES = 10 << 20;
  private static final ThreadLocal<MemoryRequest> CURRENT = new ThreadLocal<>();

  private final String method;
  private final String target;
  private final Headers headers;
  private final boolean hasBody;
  private final SerialExecutor executor = new SerialExecutor(MemoryRequest::start, true);

  /** Completed after all tasks of the request; true if the response is complete. */
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();

  // Guarded by this.
  private @Nullable ByteBuffer unread;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<String> lines = new ArrayList<>();
  private int status;
  private long id;
  private @Nullable OnEnd onEnd;
  private boolean ended;
  private @Nullable Throwable failure;

  /**
   * Creates a request.
   *
   * @param headers its headers, without those that describe the body
   */
  MemoryRequest(String method, String target, Headers headers, String body) {
    this.method = method;
    this.target = target;
    this.headers = headers.copy();
    this.hasBody = !body.isEmpty();
    if (hasBody) {
      byte[] content = Utf8.bytes(body);
      this.headers.set("Content-Length", Integer.toString(content.length));
      unread = ByteBuffer.wrap(content);
    }
  }

  /** Stores the id of the recording of the request that runs on this thread, if any. */
  static void recorded(long id) {
    MemoryRequest current = CURRENT.get();
    if (current != null) {
      synchronized (current) {
        current.id = id;
      }
    }
  }

  /**
   * Sends the request. After some time, the response so far is the result, and the request is
   * aborted.
   */
  CompletionStage<Map<String, Object>> send(Service service, Duration time) {
    executor.execute(
        () -> {
          CURRENT.set(this);
          try {
            service.serve(this);
          } finally {
            CURRENT.remove();
          }
        });
    return done.completeOnTimeout(false, time.toMillis(), TimeUnit.MILLISECONDS)
        .thenApplyAsync(
            complete -> {
              Map<String, Object> response = response(complete);
              abort();
              return response;
            });
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "percolate-inspector-request");
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized Map<String, Object> response(boolean complete) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("status", status);
    value.put("headers", List.copyOf(lines));
    value.put("body", ShortText.cut(Utf8.text(bytes.toByteArray()), LONGEST));
    value.put("bytes", bytes.size());
    value.put("complete", complete);
    value.put("request", id);
    return value;
  }

  @Override
  public void read(OnRead callback) {
    ByteBuffer chunk;
    Throwable gone;
    synchronized (this) {
      chunk = ended ? null : unread;
      gone = ended ? new ClientDisconnectedException(failure) : null;
      unread = null;
    }
    callback.read(chunk, gone);
  }

  @Override
  public synchronized void start(int status, Headers headers) {
    this.status = status;
    headers.forEach((name, value) -> lines.add(name + ": " + value));
  }

  @Override
  public void write(ByteBuffer chunk, OnWritten callback) {
    callback.written(add(chunk));
  }

  @Override
  public void end(ByteBuffer last) {
    finish(add(last));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    try (FileChannel channel = file) {
      ByteBuffer content = ByteBuffer.allocate((int) Math.min(length, MOST_BYTES + 1));
      while (content.hasRemaining()) {
        if (channel.read(content, offset + content.position()) < 0) {
          throw new EOFException("the file is too short");
        }
      }
      end(content.flip());
    } catch (IOException e) {
      finish(e);
    }
  }

  @Override
  public void abort() {
    finish(new IOException("aborted"));
  }

  /** Stores a chunk of the response. Returns the reason if that is not possible. */
  private synchronized @Nullable Throwable add(ByteBuffer chunk) {
    if (ended) {
      return new ClientDisconnectedException(failure);
    }
    if (bytes.size() + chunk.remaining() > MOST_BYTES) {
      return new IOException("the response is larger than " + MOST_BYTES + " bytes");
    }
    if (!method.equals("HEAD")) {
      byte[] copy = new byte[chunk.remaining()];
      chunk.get(copy);
      bytes.writeBytes(copy);
    }
    return null;
  }

  private void finish(@Nullable Throwable reason) {
    OnEnd callback;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = reason;
      callback = onEnd;
    }
    if (callback != null) {
      callback.ended(reason);
    }
    executor.execute(() -> done.complete(reason == null)); // after the finish hooks
  }

  @Override
  public void onEnd(OnEnd callback) {
    synchronized (this) {
      if (!ended) {
        onEnd = callback;
        return;
      }
    }
    callback.ended(failure);
  }

  @Override
  public synchronized int sentStatus(int started) {
    return status;
  }

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
    return headers;
  }

  @Override
  public boolean hasBody() {
    return hasBody;
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
  public SerialExecutor executor() {
    return executor;
  }
}
