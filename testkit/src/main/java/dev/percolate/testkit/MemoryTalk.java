package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Goes on with a call in memory; all it does to the exchange, it does on the loop. */
final class MemoryTalk implements Talk {

  private final MemoryEngine engine;
  private final Service service;
  private final Call call;
  private final @Nullable Consumer<MemoryTalk> closed;
  private final Turn turn;
  private final Incoming answer;
  private final MemoryExchange exchange;
  private final CountDownLatch settled = new CountDownLatch(1);
  private boolean finished;
  private @Nullable MemoryTalk following;
  private boolean over;

  MemoryTalk(
      MemoryEngine engine, Service service, Call call, @Nullable Consumer<MemoryTalk> closed) {
    this.engine = engine;
    this.service = service;
    this.call = call;
    this.closed = closed;
    this.turn = engine.turn();
    this.answer = new Incoming(call.toString(), turn::toString);
    this.exchange = new MemoryExchange(engine, call, turn, answer, this::over);
    this.finished = !call.announcesBody();
  }

  /** Hands the call to the service. */
  void start() {
    engine.opened(exchange);
    byte[] body = call.body();
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
      if (!settled.await(Incoming.DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(call + ": answered, but a step still runs, " + turn);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(call + ": interrupted", e);
    }
  }

  @Override
  public Talk send(byte[] piece) {
    if (finished) {
      throw new IllegalStateException(call + ": there is no body to send, or it is finished");
    }
    byte[] copy = piece.clone();
    engine.onLoop(() -> exchange.receive(copy));
    return this;
  }

  @Override
  public Talk finish() {
    if (!finished) {
      finished = true;
      engine.onLoop(exchange::receiveEnd);
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
    engine.onLoop(() -> exchange.pause(false));
    return this;
  }

  @Override
  public void hangUp() {
    engine.onLoop(exchange::hangUp);
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
    MemoryTalk talk = new MemoryTalk(engine, service, next, null);
    following = talk;
    if (over) {
      follow(talk);
    }
    return talk;
  }

  private void over() {
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
