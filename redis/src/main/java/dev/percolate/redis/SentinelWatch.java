package dev.percolate.redis;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Listens to all sentinels: a replica is about to become the master, has become it, or has not.
 *
 * <p>Between the first and the second the old master still takes writes, which the new one never
 * sees. So nothing is sent to it from the announcement on.
 */
final class SentinelWatch {

  private static final String BEGINS = "+failover-state-send-slaveof-noone";
  private static final String FAILS = "-failover-abort-slave-timeout";
  private static final String SWITCHED = "+switch-master";

  private final List<Channels> sentinels = new ArrayList<>();
  private final String master;
  private final Events events;
  private String latest = "";

  /** What becomes of the master. */
  interface Events {

    /** Is told that a replica is about to take its place. */
    void changes();

    /** Is told that no replica has taken its place. */
    void stays();

    /**
     * Is told that a replica has taken its place.
     *
     * @param sentinel the sentinel that knows of it
     */
    void changed(RedisURI sentinel);

    /** Is told that any of these may have been missed. */
    void missed();
  }

  /** Creates the watch of the sentinels of a URI. */
  SentinelWatch(LettuceClient client, RedisURI uri, Events events) {
    this.master = String.valueOf(uri.getSentinelMasterId());
    this.events = events;
    for (RedisURI sentinel : uri.getSentinels()) {
      String name = "the sentinel of Redis at " + sentinel.getHost() + ":" + sentinel.getPort();
      Absence absence = new Absence(name + " is out of reach", name + " is heard again");
      Channels channels = new Channels(() -> client.channels(sentinel), absence, false);
      sentinels.add(channels);
      channels.keep(
          Map.of(
              BEGINS, new Ear(this::begins),
              FAILS, new Ear(this::fails),
              SWITCHED, new Switches(sentinel)));
    }
  }

  void close() {
    sentinels.forEach(Channels::close);
  }

  /** {@code master NAME IP PORT}, or {@code slave IP:PORT IP PORT @ NAME IP PORT}. */
  private void begins(String text) {
    if (concerns(text)) {
      events.changes();
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

  /** Tells of {@code NAME OLD-IP OLD-PORT NEW-IP NEW-PORT} once, however many sentinels do. */
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

  private void missed() {
    synchronized (this) {
      latest = "";
    }
    events.missed();
  }

  /** Takes the events of one kind. */
  private record Ear(Consumer<String> hearer) implements RedisCommands.Listener {

    @Override
    public void heard(String text) {
      hearer.accept(text);
    }

    @Override
    public void connected() {
      // One of the three is enough to tell that some may have been missed.
    }
  }

  /** Takes the events that matter most. */
  private final class Switches implements RedisCommands.Listener {

    private final RedisURI sentinel;
    private boolean connected;

    Switches(RedisURI sentinel) {
      this.sentinel = sentinel;
    }

    @Override
    public void heard(String text) {
      switched(text, sentinel);
    }

    @Override
    public synchronized void connected() {
      if (connected) {
        missed();
      }
      connected = true;
    }
  }
}
