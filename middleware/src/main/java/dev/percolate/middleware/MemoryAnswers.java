package dev.percolate.middleware;

import dev.percolate.core.store.IdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers in the memory of this process: a bounded number, and 64 MiB at most. Where there
 * are too many, those that were kept first go; where all are of requests that still run, no further
 * one is taken.
 */
public final class MemoryAnswers implements IdempotencyStore {

  private static final int DEFAULT_CAPACITY = 10_000;
  private static final long MOST_CHARS = 64 << 20;

  private final int capacity;
  private final LongSupplier nanos;
  private final Map<String, Slot> slots = new LinkedHashMap<>();
  private long chars;

  /** What a key is taken by; without a token its request is through. */
  private record Slot(@Nullable String token, Kept kept, long end) {
    int size() {
      String answer = kept.answer();
      return answer == null ? 0 : answer.length();
    }
  }

  MemoryAnswers(int capacity, LongSupplier nanos) {
    this.capacity = capacity;
    this.nanos = nanos;
  }

  /** Keeps 10000 answers at most. */
  public static MemoryAnswers of() {
    return of(DEFAULT_CAPACITY);
  }

  /**
   * Keeps answers.
   *
   * @param capacity how many at most
   * @return a new store
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryAnswers of(int capacity) {
    if (capacity <= 0) {
      throw new IllegalArgumentException("MemoryAnswers.of(" + capacity + "): must be positive");
    }
    return new MemoryAnswers(capacity, System::nanoTime);
  }

  @Override
  public synchronized @Nullable Kept begin(
      String key, String token, String fingerprint, Duration lease) throws IOException {
    long now = nanos.getAsLong();
    Slot slot = slots.get(key);
    if (slot != null && slot.end() - now > 0) {
      return slot.kept();
    }
    remove(key);
    makeRoom(now);
    slots.put(key, new Slot(token, new Kept(fingerprint, null), now + lease.toNanos()));
    return null;
  }

  @Override
  public synchronized boolean renew(String key, String token, Duration lease) {
    long now = nanos.getAsLong();
    Slot slot = slots.get(key);
    if (slot == null || !token.equals(slot.token()) || slot.end() - now <= 0) {
      return false;
    }
    slots.replace(key, new Slot(token, slot.kept(), now + lease.toNanos()));
    return true;
  }

  @Override
  public synchronized boolean keep(String key, String token, String answer, Duration life) {
    long now = nanos.getAsLong();
    Slot slot = slots.get(key);
    if (slot == null || !token.equals(slot.token()) || slot.end() - now <= 0) {
      return false;
    }
    remove(key);
    Kept kept = new Kept(slot.kept().fingerprint(), answer);
    slots.put(key, new Slot(null, kept, now + life.toNanos()));
    chars += answer.length();
    Iterator<Slot> eldest = slots.values().iterator();
    while (chars > MOST_CHARS && eldest.hasNext()) {
      Slot one = eldest.next();
      if (one.token() == null) {
        chars -= one.size();
        eldest.remove();
      }
    }
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
  public boolean waits() {
    return false;
  }

  /** Returns how many keys are taken, those that are free again by now among them. */
  public synchronized int size() {
    return slots.size();
  }

  private void remove(String key) {
    Slot slot = slots.remove(key);
    chars -= slot == null ? 0 : slot.size();
  }

  private void makeRoom(long now) throws IOException {
    Iterator<Slot> eldest = slots.values().iterator();
    while (slots.size() >= capacity && eldest.hasNext()) {
      Slot one = eldest.next();
      if (one.token() == null || one.end() - now <= 0) {
        chars -= one.size();
        eldest.remove();
      }
    }
    if (slots.size() >= capacity) {
      throw new IOException(capacity + " requests with keys are under way");
    }
  }
}
