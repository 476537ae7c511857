package dev.percolate.servlet;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.VirtualThreads;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.WebConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An upgraded connection of a container. Threads of the container read from it and call the reader.
 * Writers block on their own threads. The code that uses the connection runs on its executor.
 *
 * <p>A thread of the container waits while received bytes have no reader, and from the end of the
 * input until the connection is closed. Otherwise Tomcat would call again and again. Tomcat closes
 * connections only at the end of its own calls. To cause such a call, {@code close} sets a write
 * listener.
 */
final class ServletConnection implements Executor, ReadListener, WriteListener {

  private static final int PIECE = 8 << 10;
  private static final Executor STEPS = VirtualThreads.blockingExecutor("percolate-upgraded-");

  private final ReentrantLock writes = new ReentrantLock();
  private final HttpServletRequest request;
  private final Runnable taken;
  private final Exchange.OnEnd gone;

  // Guarded by this.
  private @Nullable WebConnection web;
  private Exchange.@Nullable OnRead reader;
  private boolean known;
  private boolean ended;
  private boolean writing;
  private boolean closed;

  ServletConnection(HttpServletRequest request, Runnable taken, Exchange.OnEnd gone) {
    this.request = request;
    this.taken = taken;
    this.gone = gone;
    request.setAttribute(ServletConnection.class.getName(), this);
  }

  /** Opens the connection after the request is over and its response head is on the way. */
  void open(WebConnection connection) throws IOException {
    if (goesOnWithRequest()) {
      IOException wrong = new IOException("The container still parses HTTP after the upgrade.");
      onError(wrong);
      ConnectionCut.begin(request.getAsyncContext(), wrong);
      return;
    }
    boolean late;
    synchronized (this) {
      web = connection;
      late = closed;
    }
    if (late) {
      shut();
    } else {
      connection.getInputStream().setReadListener(this);
      passOn();
    }
  }

  @Override
  public void execute(Runnable task) {
    STEPS.execute(task);
  }

  /**
   * Reads bytes from the client without blocking. Only one read at a time is allowed.
   *
   * @param callback receives the bytes, or {@link ClientDisconnectedException} if the connection is
   *     closed
   */
  void read(Exchange.OnRead callback) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!closed && !ended) {
        reader = callback;
        notifyAll();
        return;
      }
    }
    callback.read(null, late ? new ClientDisconnectedException(null) : null);
  }

  /**
   * Sends bytes, and blocks until they are written to the connection.
   *
   * @throws IOException if the client disconnected
   */
  void write(ByteBuffer bytes) throws IOException {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    writes.lock(); // container streams support one thread at a time
    try {
      ServletOutputStream out = beginWriting();
      try {
        out.write(copy);
        out.flush();
      } finally {
        endWriting();
      }
    } finally {
      writes.unlock();
    }
  }

  /** Closes the connection after pending writes. */
  void close() {
    Exchange.OnRead left;
    boolean idle;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      left = reader;
      reader = null;
      idle = !writing;
      notifyAll();
    }
    if (left != null) {
      left.read(null, new ClientDisconnectedException(null));
    }
    if (idle) {
      askToShut();
    }
    passOn();
  }

  @Override
  public void onDataAvailable() throws IOException {
    WebConnection from = web();
    if (from == null) {
      return;
    }
    ServletInputStream in = from.getInputStream();
    while (!isClosed() && in.isReady() && awaitReader()) {
      byte[] piece = new byte[PIECE];
      int count = in.read(piece);
      if (count < 0) {
        onAllDataRead();
      } else {
        deliver(ByteBuffer.wrap(piece, 0, count));
      }
    }
    shutIfClosed();
  }

  @Override
  public void onAllDataRead() {
    synchronized (this) {
      ended = true;
    }
    deliver(null);
    await(() -> false);
    shutIfClosed();
  }

  @Override
  public void onWritePossible() {
    shutIfClosed();
  }

  @Override
  public void onError(Throwable failure) {
    if (failure instanceof EOFException && !isClosed()) {
      onAllDataRead(); // Tomcat reports the end of the input as an EOFException
    } else {
      gone.ended(failure);
      shutIfClosed();
    }
  }

  /** Calls the new owner of the connection, once. */
  private void passOn() {
    synchronized (this) {
      if (known) {
        return;
      }
      known = true;
    }
    taken.run();
  }

  private void deliver(@Nullable ByteBuffer piece) {
    Exchange.OnRead callback;
    synchronized (this) {
      callback = reader;
      reader = null;
    }
    if (callback != null) {
      callback.read(piece, null);
    }
  }

  private boolean awaitReader() {
    await(() -> reader != null);
    return !isClosed();
  }

  /** Blocks until the condition holds or the connection is closed. */
  private void await(BooleanSupplier over) {
    try {
      synchronized (this) {
        while (!closed && !over.getAsBoolean()) {
          wait();
        }
      }
    } catch (InterruptedException e) { // the container stops
      Thread.currentThread().interrupt();
      gone.ended(e);
    }
  }

  private synchronized ServletOutputStream beginWriting() throws IOException {
    if (web == null || closed) {
      throw new ClientDisconnectedException(null);
    }
    writing = true;
    return web.getOutputStream();
  }

  private void endWriting() {
    boolean last;
    synchronized (this) {
      writing = false;
      last = closed;
    }
    if (last) {
      askToShut();
    }
  }

  private synchronized @Nullable WebConnection web() {
    return web;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Makes the container call this listener, which then closes the connection. */
  private void askToShut() {
    WebConnection open = web();
    if (open != null) {
      try {
        open.getOutputStream().setWriteListener(this);
      } catch (IOException | IllegalStateException e) {
        // the connection is already closed
      }
    }
  }

  private void shutIfClosed() {
    if (isClosed()) {
      shut();
    }
  }

  /** Closes both streams, in a call of the container. */
  private void shut() {
    WebConnection open = web();
    try {
      if (open != null) {
        open.close();
      }
    } catch (Exception e) {
      // the connection is gone in any case
    }
  }

  /**
   * Returns true if the container continues with the request. It would then parse the data after
   * the upgrade as HTTP again, and a proxy that no longer inspects the data would pass requests
   * through.
   */
  private boolean goesOnWithRequest() {
    try {
      return request.getAttribute(ServletConnection.class.getName()) == this;
    } catch (IllegalStateException e) {
      return false; // the container has recycled the request
    }
  }
}
