package dev.percolate.middleware.topic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to a topic before its client is connected, and keeps messages until then. So a client
 * receives all messages that are sent after it has connected.
 */
public final class EarlyListener implements TopicListener {

  private volatile @Nullable TopicListener client;

  // Guarded by this until the client is connected.
  private final List<TopicEntry> kept = new ArrayList<>(2);
  private long size;
  private boolean dropped;

  @Override
  public boolean offer(TopicEntry entry, long most) {
    TopicListener there = client;
    if (there == null) {
      synchronized (this) {
        there = client;
        if (there == null) {
          kept.add(entry);
          size += entry.json().length();
          return size <= most || kept.size() == 1;
        }
      }
    }
    return there.offer(entry, most);
  }

  @Override
  public boolean awaitRoom(long end) {
    TopicListener there = client;
    return there == null || there.awaitRoom(end);
  }

  @Override
  public void drop() {
    TopicListener there;
    synchronized (this) {
      there = client;
      dropped = there == null;
    }
    if (there != null) {
      there.drop();
    }
  }

  /** Passes the kept messages to the client, then all later messages. */
  public synchronized void open(TopicListener opened) {
    for (TopicEntry entry : kept) {
      boolean ignored = opened.offer(entry, Long.MAX_VALUE); // the kept messages are limited
    }
    kept.clear();
    client = opened;
    if (dropped) {
      opened.drop();
    }
  }
}
