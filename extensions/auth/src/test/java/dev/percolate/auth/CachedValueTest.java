package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CachedValueTest {

  /** Starts near the overflow, where comparisons of nanoTime must still work. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

  private final List<CompletableFuture<String>> loads = new ArrayList<>();
  private final CachedValue<String> cached =
      new CachedValue<>(
          () -> {
            CompletableFuture<String> load = new CompletableFuture<>();
            loads.add(load);
            return load;
          },
          now::get);

  @Test
  void requestsShareOneLoad() {
    CompletionStage<String> first = cached.get();
    CompletionStage<String> second = cached.get();
    assertEquals(1, loads.size());
    loads.get(0).complete("a");
    assertEquals("a a", value(first) + " " + value(second));
    assertEquals("a", value(cached.get()));
    assertEquals(1, loads.size());
  }

  @Test
  void anAgedValueIsUsedWhileANewOneIsLoaded() {
    load("a");
    pass(CachedValue.FRESH);
    assertEquals("a", value(cached.get()));
    assertEquals("a", value(cached.get()));
    assertEquals(2, loads.size());
    loads.get(1).complete("b");
    assertEquals("b", value(cached.get()));
  }

  @Test
  void whileLoadsFailTheOldValueIsUsedForAnHour() {
    load("a");
    for (int minutes = 0; minutes < 59; minutes++) {
      pass(Duration.ofMinutes(1));
      assertEquals("a", value(cached.get()));
      loads.forEach(load -> load.completeExceptionally(new IOException("down")));
    }
    pass(Duration.ofMinutes(1));
    CompletionStage<String> last = cached.get();
    loads.forEach(load -> load.completeExceptionally(new IOException("down")));
    assertEquals("down", failure(last));
  }

  @Test
  void afterAFailureTheNextLoadWaitsForAPause() {
    CompletionStage<String> first = cached.get();
    loads.get(0).completeExceptionally(new IOException("down"));
    assertEquals("down", failure(first));
    pass(CachedValue.PAUSE.minusNanos(1));
    assertEquals("down", failure(cached.get()));
    assertEquals(1, loads.size());
    pass(Duration.ofNanos(1));
    CompletionStage<String> second = cached.get();
    assertEquals(2, loads.size());
    loads.get(1).complete("a");
    assertEquals("a", value(second));
  }

  @Test
  void aMissingPartCausesOneLoadInAPause() {
    load("a");
    assertEquals("a", value(cached.newerThan("a")));
    assertEquals(1, loads.size());
    pass(CachedValue.PAUSE);
    CompletionStage<String> newer = cached.newerThan("a");
    CompletionStage<String> shared = cached.newerThan("a");
    assertEquals(2, loads.size());
    loads.get(1).complete("b");
    assertEquals("b b", value(newer) + " " + value(shared));
    assertEquals("b", value(cached.newerThan("a"))); // loaded by another request
    assertEquals(2, loads.size());
  }

  @Test
  void aLoaderThatThrowsIsAFailedLoad() {
    CachedValue<String> broken =
        new CachedValue<>(
            () -> {
              throw new IllegalArgumentException("broken");
            },
            now::get);
    assertEquals("broken", failure(broken.get()));
    assertEquals("broken", failure(broken.get()));
  }

  private void load(String value) {
    CompletionStage<String> first = cached.get();
    loads.get(0).complete(value);
    assertEquals(value, value(first));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private static String value(CompletionStage<String> stage) {
    CompletableFuture<String> future = stage.toCompletableFuture();
    assertTrue(future.isDone(), "still loading");
    return future.join();
  }

  private static String failure(CompletionStage<String> stage) {
    CompletableFuture<String> future = stage.toCompletableFuture();
    CompletionException error = assertThrows(CompletionException.class, future::join);
    return String.valueOf(error.getCause().getMessage());
  }
}
