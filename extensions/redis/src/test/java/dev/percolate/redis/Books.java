package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.TopicBus;
import dev.percolate.http.Hash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Updates a session and sends messages until it is stopped, and records the acknowledged ones. A
 * listener in another process records the received messages.
 */
final class Books implements AutoCloseable {

  private static final String TOPIC = "news";
  private static final int KEPT = 100_000;

  private final SessionStore sessions;
  private final TopicBus sender;
  private final AutoCloseable listening;
  private final String id = "books-" + System.nanoTime();
  private final String topic = TOPIC + System.nanoTime();
  private final List<Long> sent = new CopyOnWriteArrayList<>();
  private final List<Long> heard = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::work, "books");
  private Entry entry;
  private int unsure;
  private volatile int acknowledged;
  private volatile boolean going = true;
  private volatile String failure = "";

  Books(Redis writer, Redis listener) throws Exception {
    this.sessions = writer.sessions();
    this.sender = writer.topics();
    this.entry = sessions.create(id, new SessionData("0", null, null));
    this.listening = listener.topics().subscribe(topic, 0, message -> heard.add(message.id()));
    thread.setDaemon(true);
    thread.start();
  }

  private void work() {
    while (going) {
      try {
        add();
        sent.add(sender.publish(topic, "1", KEPT));
        Thread.sleep(5);
      } catch (IOException e) {
        failure = String.valueOf(e.getMessage());
        sleep(20);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void add() throws IOException {
    int next = acknowledged + unsure + 1;
    if (unsure > 0) { // it may have been stored
      Entry known = sessions.load(id);
      assertTrue(known != null, "the session is lost");
      entry = known;
      next = Integer.parseInt(known.session().json()) + 1;
    }
    unsure++;
    SessionData more = new SessionData(Integer.toString(next), null, null);
    SessionStore.ReplaceResult replaced = sessions.replace(id, more, entry.version());
    if (replaced.replaced() && replaced.current() != null) {
      entry = replaced.current();
      acknowledged = next;
      unsure = 0;
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the key that the session has in a Redis by the name {@code test}. */
  String sessionKey() {
    return "test:s:" + Hash.sha256(id);
  }

  /** Returns the key that the topic has in a Redis by the name {@code test}. */
  String topicKey() {
    return "test:t:" + Hash.sha256(topic);
  }

  int updates() {
    return acknowledged;
  }

  String failure() {
    return failure;
  }

  /** Returns the time until both an update and a message succeed again, in milliseconds. */
  long awaitBoth(long seconds) throws InterruptedException {
    long start = System.nanoTime();
    int updates = acknowledged;
    int messages = heard.size();
    while (acknowledged <= updates || heard.size() <= messages) {
      String state =
          (acknowledged - updates) + " updates, " + (heard.size() - messages) + " messages";
      assertTrue(
          System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds), () -> state + failure);
      Thread.sleep(5);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /**
   * Stops, and compares the acknowledged updates and messages with the stored and received ones.
   */
  void settle() throws Exception {
    going = false;
    thread.join();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!heard.containsAll(sent) && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    List<Long> missed = new ArrayList<>(sent);
    missed.removeAll(heard);
    assertEquals(List.of(), missed, () -> "acknowledged and never came, kept " + kept(missed));
    settleUpdates();
  }

  /** Stops, and compares the acknowledged updates with the stored ones, and messages by order. */
  void settleUpdates() throws Exception {
    going = false;
    thread.join();
    assertEquals(heard.stream().distinct().sorted().toList(), heard, "once, and in order");
    Entry last = sessions.load(id);
    assertTrue(last != null, "the session is lost");
    int count = Integer.parseInt(last.session().json());
    assertTrue(
        count >= acknowledged && count <= acknowledged + 1,
        count + " updates are there, " + acknowledged + " were acknowledged");
  }

  /** Returns those of these messages that Redis has. */
  private List<Long> kept(List<Long> ids) {
    List<Long> kept = new CopyOnWriteArrayList<>();
    try {
      sender.subscribe(topic, 0, message -> kept.add(message.id())).close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    kept.retainAll(ids);
    return kept;
  }

  @Override
  public void close() throws IOException {
    going = false;
    try {
      thread.join();
      listening.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
