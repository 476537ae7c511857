package dev.percolate.redis;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Listens to all sentinels for the events of a failover: a replica will become the master, has
 * become it, or has not.
 *
 * <p>Between the first and the second event, the old master still accepts writes, which the new
 * master never gets. So no commands are sent in between.
 */
final class SentinelWatch {

  private static final String BEGINS = "+failover-state-send-slaveof-noone";
  private static final String FAILS = "-failover-abort-slave-timeout";
  private static final String SWITCHED = "+switch-master";

  /** The maximum time that a connection waits for the first sentinel. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final List<Channels> sentinels = new CopyOnWriteArrayList<>();
  private final String master;
  private final LettuceClient client;
  private final Events events;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private String latest = "";

  /** Receives the events of a failover. */
  interface Events {

    /**
     * Called when a replica is about to become the master.
     *
     * @param sentinel the sentinel that reported the event
     */
    void changes(RedisURI sentinel);

    /** Called when no replica has become the master. */
    void stays();

    /**
     * Called when a replica has become the master, or may have become it.
     *
     * @param sentinel the sentinel that reported the event
     */
    void changed(RedisURI sentinel);
  }

  /** Creates the watch of the sentinels of a URI. */
  SentinelWatch(LettuceClient client, RedisURI uri, Events events) {
    this.master = String.valueOf(uri.getSentinelMasterId());
    this.client = client;
    this.events = events;
    for (RedisURI sentinel : uri.getSentinels()) {
      String name = "the sentinel of Redis at " + sentinel.getHost() + ":" + sentinel.getPort();
      Outage outage = new Outage(name + " is unreachable", name + " responds again");
      Channels channels = new Channels(() -> client.channels(sentinel), outage, false);
      sentinels.add(channels);
      channels.keep(
          Map.of(
              BEGINS, new Ear(text -> begins(text, sentinel)),
              FAILS, new Ear(this::fails),
              SWITCHED, new Switches(sentinel)));
    }
  }

  void close() {
    sentinels.forEach(Channels::close);
  }

  /** Handles {@code master NAME IP PORT}, or {@code slave IP:PORT IP PORT @ NAME IP PORT}. */
  private void begins(String text, RedisURI sentinel) {
    if (concerns(text)) {
      events.changes(sentinel);
    }
  }

  private void fails(String text) {
    if (concerns(text)) {
      events.stays();
    }
  }

  private boolean concerns(String text) {
    return List.of(text.split(" ")).contains(master);
  }

  /**
   * Handles {@code NAME OLD-IP OLD-PORT NEW-IP NEW-PORT} once, even if several sentinels send it.
   */
  private void switched(String text, RedisURI sentinel) {
    if (!text.startsWith(master + " ")) {
      return;
    }
    synchronized (this) {
      if (text.equals(latest)) {
        return;
      }
      latest = text;
    }
    events.changed(sentinel);
  }

  /** Returns a future that completes with the first subscription to a sentinel. */
  CompletableFuture<Void> ready() {
    return ready
        .copy()
        .orTimeout(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            error -> {
              throw new CompletionException(new IOException("no sentinel responds"));
            });
  }

  /**
   * Switches to the master of this sentinel if it is the first one to connect, or if no other
   * sentinel is connected.
   */
  private void connected(RedisURI sentinel) {
    boolean first;
    boolean alone;
    synchronized (this) {
      first = !ready.isDone();
      alone = sentinels.stream().filter(one -> one.awayMillis() == 0).count() == 0;
      latest = first || alone ? "" : latest;
    }
    if (first) {
      client.askFirst(sentinel);
      ready.complete(null);
    } else if (alone) {
      events.changed(sentinel);
    }
  }

  /** Handles one kind of events. */
  private record Ear(Consumer<String> hearer) implements RedisCommands.Listener {

    @Override
    public void onMessage(String text) {
      hearer.accept(text);
    }

    @Override
    public void onConnected() {
      // One of the three subscriptions is enough to detect the connection.
    }
  }

  /** Handles changes of the master. */
  private final class Switches implements RedisCommands.Listener {

    private final RedisURI sentinel;

    Switches(RedisURI sentinel) {
      this.sentinel = sentinel;
    }

    @Override
    public void onMessage(String text) {
      switched(text, sentinel);
    }

    @Override
    public void onConnected() {
      SentinelWatch.this.connected(sentinel);
    }
  }
}
