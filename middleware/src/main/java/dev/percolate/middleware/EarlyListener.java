package dev.percolate.middleware;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a topic for a client that is not there yet, and keeps what comes until it is: so the
 * client misses nothing of what is sent once it knows that it has connected.
 */
final class EarlyListener implements TopicListener {

  private volatile @Nullable TopicListener client;

  // Guarded by this, until the client is there.
  private List<TopicEntry> kept = new ArrayList<>(2);
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

  /** Passes on what was kept, and from now on what comes. */
  void open(TopicListener opened) {
    for (List<TopicEntry> next = next(opened); !next.isEmpty(); next = next(opened)) {
      for (TopicEntry entry : next) {
        boolean ignored = opened.offer(entry, Long.MAX_VALUE); // what is kept is bounded
      }
    }
    if (dropped) {
      opened.drop();
    }
  }

  /** Returns what has been kept since the last look; if that is nothing, the client is there. */
  private synchronized List<TopicEntry> next(TopicListener opened) {
    List<TopicEntry> all = kept;
    kept = new ArrayList<>(0);
    if (all.isEmpty()) {
      client = opened;
    }
    return all;
  }
}
