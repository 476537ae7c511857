package dev.percolate.servlet;

import dev.percolate.engine.BlockingExchange;
import dev.percolate.engine.ClientGone;
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
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that a container has handed over. The container's threads read it, and deliver what
 * they have read; those who write wait on their own threads.
 *
 * <p>A thread of the container stays while bytes wait for somebody to read them, and from the end
 * of the input to that of the connection: Tomcat would call again and again otherwise. It closes
 * connections behind its own calls only; so that there is one, closing sets a listener for writing.
 */
final class ServletConnection implements BlockingExchange.Connection, ReadListener, WriteListener {

  private static final int PIECE = 8 << 10;
  private static final Executor STEPS =
      VirtualThreads.available()
          ? VirtualThreads.executor("percolate-upgraded-")
          : Executors.newCachedThreadPool(ServletConnection::daemon);

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

  /** Begins, now that the request is over and the head of the answer on its way. */
  void open(WebConnection connection) throws IOException {
    if (goesOnWithRequest()) {
      IOException wrong = new IOException("the container hands its request over, no connection");
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

  @Override
  public void read(Exchange.OnRead callback) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!closed && !ended) {
        reader = callback;
        notifyAll();
        return;
      }
    }
    callback.read(null, late ? new ClientGone(null) : null);
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    writes.lock(); // streams of containers are for one thread at a time
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

  @Override
  public void close() {
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
      left.read(null, new ClientGone(null));
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
      onAllDataRead(); // what Tomcat calls the end of the input
    } else {
      gone.ended(failure);
      shutIfClosed();
    }
  }

  /** Calls the one that is to have the connection, once. */
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

  /** Holds the calling thread until something is the case, or the connection closed. */
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
      throw new ClientGone(null);
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

  /** Has the container call, so that it sees that the connection is closed. */
  private void askToShut() {
    WebConnection open = web();
    if (open != null) {
      try {
        open.getOutputStream().setWriteListener(this);
      } catch (IOException | IllegalStateException e) {
        // it has closed it by now
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
      // nobody is left who could care
    }
  }

  /**
   * Tells whether the container goes on with the request, and so would speak HTTP again behind what
   * has taken its place: a proxy in front that does not look any more would pass requests on.
   */
  private boolean goesOnWithRequest() {
    try {
      return request.getAttribute(ServletConnection.class.getName()) == this;
    } catch (IllegalStateException e) {
      return false; // it has taken it back
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "percolate-upgraded");
    thread.setDaemon(true);
    return thread;
  }
}
