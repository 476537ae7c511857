package dev.percolate.testkit;

import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call in memory. Changes to the exchange run on the event loop. */
final class MemoryCall implements OpenCall {

  private final MemoryThreads threads;
  private final Service service;
  private final Message message;
  private final Consumer<MemoryCall> closed;
  private final SerialExecutor executor;
  private final IncomingReply response;
  private final MemoryExchange exchange;
  private final CountDownLatch settled = new CountDownLatch(1);
  private @Nullable MemoryCall following;
  private boolean over;

  /**
   * Creates the line of a call that is not yet started.
   *
   * @param closed called when the client closes the connection
   */
  MemoryCall(MemoryThreads threads, Service service, Message message, Consumer<MemoryCall> closed) {
    this.threads = threads;
    this.service = service;
    this.message = message;
    this.closed = closed;
    this.executor = threads.turn();
    this.response = new IncomingReply(message.toString(), executor::toString);
    this.exchange = new MemoryExchange(message, executor, threads::mayBlock, response, this::over);
  }

  @Override
  public IncomingReply answer() {
    return response;
  }

  /** Passes the call to the service. */
  void start() {
    threads.opened(exchange);
    executor.execute(() -> service.serve(exchange));
  }

  /** Notifies the service that the engine has rejected the call. */
  void rejected(int status, Headers headers) {
    exchange.start(status, headers);
    executor.execute(() -> service.onRejected(exchange, status, headers));
    executor.execute(() -> exchange.end(MemoryExchange.NOTHING));
  }

  @Override
  public void send(byte[] piece) {
    threads.onLoop(() -> exchange.receive(piece));
  }

  @Override
  public void finish() {
    threads.onLoop(exchange::receiveEnd);
  }

  @Override
  public long accepted() {
    return exchange.accepted();
  }

  /** Pauses immediately, but resumes on the event loop, which then sends the buffered bytes. */
  @Override
  public void pause(boolean paused) {
    if (paused) {
      exchange.pause(true);
    } else {
      threads.onLoop(() -> exchange.pause(false));
    }
  }

  @Override
  public void disconnect() {
    threads.onLoop(exchange::disconnect);
    closed.accept(this);
  }

  @Override
  public synchronized OpenCall then(Message next) {
    MemoryCall line = new MemoryCall(threads, service, next, closed);
    following = line;
    if (over) {
      follow(line);
    }
    return line;
  }

  @Override
  public void settle() {
    try {
      if (!settled.await(IncomingReply.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(
            message + ": response ended, but a handler is still running: " + executor);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(message + ": interrupted while handlers run", e);
    }
    exchange.checkComplaints();
  }

  private void over() {
    threads.over(exchange);
    // Twice, because a running handler may register a hook after the first task.
    executor.executeHere(() -> executor.executeHere(settled::countDown));
    synchronized (this) {
      over = true;
      if (following != null) {
        follow(following);
      }
    }
  }

  private void follow(MemoryCall line) {
    if (exchange.isGone()) {
      line.exchange.disconnect();
    } else {
      line.start();
    }
  }
}
