package dev.percolate.testkit;

import dev.percolate.core.WarningListener;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Forwards all calls to an exchange, and reports violations of its contract. */
final class LintExchange extends ForwardingExchange implements WarningListener {

  private final Consumer<String> violations;
  private final AtomicBoolean reading = new AtomicBoolean();
  private final AtomicInteger told = new AtomicInteger();
  private volatile int status;
  private volatile boolean ended;
  private volatile boolean upgraded;
  private @Nullable OnEnd onEnd;
  private @Nullable Throwable failure;

  LintExchange(Exchange exchange, Consumer<String> violations) {
    super(exchange);
    this.violations = violations;
    exchange.onEnd(this::over);
  }

  boolean isOver() {
    return told.get() > 0;
  }

  void checkOver() {
    if (!isOver()) {
      violate("the exchange never ended; current position: " + exchange.executor());
    }
  }

  @Override
  public void onWarning(String warning) {
    violations.accept(warning);
  }

  @Override
  public void read(OnRead callback) {
    if (!reading.compareAndSet(false, true)) {
      violate("two reads of the body at the same time");
    }
    exchange.read(
        (chunk, problem) -> {
          reading.set(false);
          callback.read(chunk, problem);
        });
  }

  @Override
  public void start(int status, Headers headers) {
    if (this.status != 0) {
      violate("the response was started twice");
    }
    this.status = status;
    headers.forEach(
        (name, value) -> {
          if (breaksLine(name) || breaksLine(value)) {
            violate("line break in the header " + name.strip());
          }
        });
    exchange.start(status, headers);
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    if (status != 0) {
      violate("the connection was upgraded after the response was started");
    }
    upgraded = true;
    status = 101;
    exchange.upgrade(headers, taken);
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    checkBody(bytes.remaining());
    exchange.write(bytes, callback);
  }

  @Override
  public void end(ByteBuffer last) {
    checkBody(last.remaining());
    ended = true;
    exchange.end(last);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    checkBody(length);
    ended = true;
    exchange.sendFile(file, offset, length);
  }

  @Override
  public void onEnd(OnEnd callback) {
    boolean over;
    synchronized (this) {
      if (onEnd != null) {
        violate("onEnd was called twice");
      }
      onEnd = callback;
      over = isOver();
    }
    if (over) {
      callback.ended(failure);
    }
  }

  private void over(@Nullable Throwable problem) {
    OnEnd callback;
    synchronized (this) {
      if (told.incrementAndGet() > 1) {
        violate("the engine reported the end twice");
        return;
      }
      failure = problem;
      callback = onEnd;
    }
    if (callback != null) {
      callback.ended(problem);
    }
  }

  private void checkBody(long length) {
    if (ended) {
      violate("body written after the end of the response");
    } else if (status == 0) {
      violate("body written before the response was started");
    } else if (length > 0 && !upgraded && (method().equals("HEAD") || !Status.hasBody(status))) {
      violate("body written for " + method() + " with status " + status);
    }
  }

  private void violate(String rule) {
    violations.accept(method() + " " + target() + ": " + rule);
  }

  private static boolean breaksLine(String text) {
    return text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0;
  }
}
