package dev.percolate.middleware;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.http.Quantity;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stores responses for {@link Idempotency} in the memory of this process: a limited number, and at
 * most 64 MiB. If the store is full, the oldest responses are removed. If all keys belong to
 * running requests, new keys are rejected.
 */
public final class MemoryIdempotency implements IdempotencyStore {

  private static final long MOST_CHARS = 64 << 20;

  private final int capacity;
  private final LongSupplier nanos;
  private final Map<String, Slot> slots = new LinkedHashMap<>();
  private long chars;

  /** The entry of a key. Its token is null when the request is complete. */
  private record Slot(@Nullable String token, Entry kept, long end) {
    int size() {
      String response = kept.response();
      return response == null ? 0 : response.length();
    }
  }

  MemoryIdempotency(int capacity, LongSupplier nanos) {
    this.capacity = capacity;
    this.nanos = nanos;
  }

  /** Creates a store of at most 10,000 responses. */
  public static MemoryIdempotency of() {
    return of(10_000);
  }

  /**
   * Creates a store.
   *
   * @param capacity the maximum number of responses
   * @return a new store
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryIdempotency of(int capacity) {
    return new MemoryIdempotency(Quantity.atLeast("capacity", 1, capacity), System::nanoTime);
  }

  @Override
  public synchronized @Nullable Entry acquire(
      String key, String token, String fingerprint, Duration lease) throws IOException {
    long now = nanos.getAsLong();
    Slot slot = slots.get(key);
    if (slot != null && slot.end() - now > 0) {
      return slot.kept();
    }
    remove(key);
    makeRoom(now);
    slots.put(key, new Slot(token, new Entry(fingerprint, null), now + lease.toNanos()));
    return null;
  }

  @Override
  public synchronized boolean renew(String key, String token, Duration lease) {
    Slot slot = held(key, token);
    if (slot != null) {
      slots.replace(key, new Slot(token, slot.kept(), nanos.getAsLong() + lease.toNanos()));
    }
    return slot != null;
  }

  @Override
  public synchronized boolean save(String key, String token, String response, Duration life) {
    Slot slot = held(key, token);
    if (slot == null) {
      return false;
    }
    remove(key);
    Entry kept = new Entry(slot.kept().fingerprint(), response);
    slots.put(key, new Slot(null, kept, nanos.getAsLong() + life.toNanos()));
    chars += response.length();
    removeWhile(() -> chars > MOST_CHARS, one -> one.token() == null);
    return true;
  }

  @Override
  public synchronized void release(String key, String token) {
    Slot slot = slots.get(key);
    if (slot != null && token.equals(slot.token())) {
      remove(key);
    }
  }

  @Override
  public boolean isBlocking() {
    return false;
  }

  /** Returns the number of stored keys, including expired ones. */
  public synchronized int size() {
    return slots.size();
  }

  private void remove(String key) {
    Slot slot = slots.remove(key);
    chars -= slot == null ? 0 : slot.size();
  }

  /** Returns the entry of a running request; null if the request does not hold the key any more. */
  private @Nullable Slot held(String key, String token) {
    Slot slot = slots.get(key);
    boolean held = slot != null && token.equals(slot.token()) && slot.end() - nanos.getAsLong() > 0;
    return held ? slot : null;
  }

  /** Removes the oldest of some entries while there are too many. */
  private void removeWhile(BooleanSupplier tooMany, Predicate<Slot> removable) {
    Iterator<Slot> eldest = slots.values().iterator();
    while (tooMany.getAsBoolean() && eldest.hasNext()) {
      Slot one = eldest.next();
      if (removable.test(one)) {
        chars -= one.size();
        eldest.remove();
      }
    }
  }

  private void makeRoom(long now) throws IOException {
    removeWhile(() -> slots.size() >= capacity, one -> one.token() == null || one.end() - now <= 0);
    if (slots.size() >= capacity) {
      throw new IOException(capacity + " requests with keys are in progress, so the store is full");
    }
  }
}
