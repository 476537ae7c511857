package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Publishes the chunks of a body to one subscriber on demand, on the executor of the exchange. */
final class BodyPublisher implements Flow.Publisher<ByteBuffer> {

  private final Exchange exchange;
  private final Body body;
  private boolean subscribed;

  BodyPublisher(Exchange exchange, Body body) {
    this.exchange = exchange;
    this.body = body;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Reading reading = new Reading(subscriber);
    boolean first = takes();
    subscriber.onSubscribe(reading);
    if (first) {
      reading.begin();
    } else {
      subscriber.onError(new IllegalStateException("a body can have only one subscriber"));
    }
  }

  private synchronized boolean takes() {
    boolean first = !subscribed;
    subscribed = true;
    return first;
  }

  /** All fields except {@code early} are used only on the executor of the exchange. */
  private final class Reading implements Flow.Subscription {

    private final Flow.Subscriber<? super ByteBuffer> subscriber;

    /**
     * The subscriber's calls before {@code onSubscribe} returns; until then it must receive nothing
     * (Reactive Streams 1.3). Null afterwards; guarded by this.
     */
    private @Nullable List<Runnable> early = new ArrayList<>(2);

    private long demand;
    private boolean reading;
    private boolean over;

    Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long n) {
      execute(() -> wants(n));
    }

    @Override
    public void cancel() {
      execute(() -> over = true);
    }

    void begin() {
      List<Runnable> asked;
      synchronized (this) {
        asked = early;
        early = null;
      }
      if (asked != null) {
        asked.forEach(exchange.executor()::execute);
      }
    }

    private void execute(Runnable task) {
      synchronized (this) {
        if (early != null) {
          early.add(task);
          return;
        }
      }
      exchange.executor().execute(task);
    }

    private void wants(long n) {
      if (n <= 0) {
        end(new IllegalArgumentException("request(n): n must be positive, was " + n));
        return;
      }
      demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
      readOn();
    }

    private void readOn() {
      if (demand > 0 && !reading && !over) {
        demand--;
        reading = true;
        body.next((chunk, failure) -> exchange.executor().execute(() -> take(chunk, failure)));
      }
    }

    private void take(@Nullable ByteBuffer chunk, @Nullable Throwable failure) {
      reading = false;
      if (over) {
        return;
      }
      if (chunk == null) {
        end(failure);
        return;
      }
      try {
        body.count(chunk);
        subscriber.onNext(chunk);
      } catch (RuntimeException e) {
        end(e);
      }
      readOn();
    }

    private void end(@Nullable Throwable failure) {
      if (over) {
        return;
      }
      over = true;
      if (failure == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(failure);
      }
    }
  }
}
