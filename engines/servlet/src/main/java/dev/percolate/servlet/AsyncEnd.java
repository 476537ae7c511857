package dev.percolate.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the end of an asynchronous request, with the exception if it failed. */
final class AsyncEnd implements AsyncListener {

  private final Consumer<@Nullable Throwable> end;
  private volatile @Nullable Throwable error;

  AsyncEnd(Consumer<@Nullable Throwable> end) {
    this.end = end;
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end.accept(error);
  }

  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {
    error = event.getThrowable();
  }

  /** Registers again, because starting asynchronous processing again removes all listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
