package dev.percolate.testkit;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reaches a service in memory. */
final class MemoryClient implements Client {

  private final MemoryThreads threads;
  private final Service service;
  private final Set<MemoryTalk> open = ConcurrentHashMap.newKeySet();

  MemoryClient(MemoryThreads threads, Service service) {
    this.threads = threads;
    this.service = service;
  }

  @Override
  public Talk open(Call call) {
    MemoryTalk talk = new MemoryTalk(threads, service, call.message(), open::remove);
    open.add(talk);
    talk.start();
    return talk;
  }

  @Override
  public void close() {
    open.forEach(Talk::hangUp);
  }

  /** Shows the service a request that the engine has refused. */
  void refuse(Message message, int status) {
    MemoryTalk talk = new MemoryTalk(threads, service, message, null);
    talk.refused(status, HeadGuard.answer(status));
    talk.reply();
    talk.settle();
  }

  /** Goes on with a call in memory; all it does to the exchange, it does on the loop. */
  static final class MemoryTalk implements Talk {

    private final MemoryThreads threads;
    private final Service service;
    private final Message message;
    private final @Nullable Consumer<MemoryTalk> closed;
    private final Turn turn;
    private final IncomingReply answer;
    private final MemoryExchange exchange;
    private final CountDownLatch settled = new CountDownLatch(1);
    private boolean finished;
    private @Nullable MemoryTalk following;
    private boolean over;

    MemoryTalk(
        MemoryThreads threads,
        Service service,
        Message message,
        @Nullable Consumer<MemoryTalk> closed) {
      this.threads = threads;
      this.service = service;
      this.message = message;
      this.closed = closed;
      this.turn = threads.turn();
      this.answer = new IncomingReply(message.toString(), turn::toString);
      this.exchange = new MemoryExchange(message, turn, threads::mayBlock, answer, this::over);
      this.finished = !message.announcesBody();
    }

    /** Hands the call to the service. */
    void start() {
      threads.opened(exchange);
      byte[] body = message.body();
      if (body != null) {
        send(body).finish();
      }
      turn.execute(() -> service.serve(exchange));
    }

    /** Shows the call to the service as one that the engine has refused. */
    void refused(int status, Headers headers) {
      exchange.start(status, headers);
      turn.execute(() -> service.refused(exchange, status, headers));
      turn.execute(() -> exchange.end(MemoryExchange.NOTHING));
    }

    /** Waits until no step and no hook of the exchange is left to run. */
    void settle() {
      try {
        if (!settled.await(IncomingReply.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError(message + ": answered, but a step still runs, " + turn);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(message + ": interrupted", e);
      }
    }

    @Override
    public Talk send(byte[] piece) {
      if (finished) {
        throw new IllegalStateException(message + ": there is no body to send, or it is finished");
      }
      byte[] copy = piece.clone();
      threads.onLoop(() -> exchange.receive(copy));
      return this;
    }

    @Override
    public Talk finish() {
      if (!finished) {
        finished = true;
        threads.onLoop(exchange::receiveEnd);
      }
      return this;
    }

    @Override
    public long accepted() {
      return exchange.accepted();
    }

    @Override
    public Talk pause() {
      exchange.pause(true);
      return this;
    }

    @Override
    public Talk resume() {
      threads.onLoop(() -> exchange.pause(false));
      return this;
    }

    @Override
    public void hangUp() {
      threads.onLoop(exchange::hangUp);
      if (closed != null) {
        closed.accept(this);
      }
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
    public synchronized Talk then(Call next) {
      MemoryTalk talk = new MemoryTalk(threads, service, next.message(), null);
      following = talk;
      if (over) {
        follow(talk);
      }
      return talk;
    }

    private void over() {
      threads.over(exchange);
      // Twice, since a step that still runs may register a hook behind the first.
      turn.executeHere(() -> turn.executeHere(settled::countDown));
      synchronized (this) {
        over = true;
        if (following != null) {
          follow(following);
        }
      }
    }

    private void follow(MemoryTalk talk) {
      if (exchange.isGone()) {
        talk.exchange.hangUp();
      } else {
        talk.start();
      }
    }
  }
}
