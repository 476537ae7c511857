package dev.percolate.middleware.topic;

/** One listener of a topic. */
@FunctionalInterface
public interface TopicListener {

  /**
   * Delivers a message without blocking.
   *
   * @param most the maximum number of queued bytes
   * @return false if the queue would be longer
   */
  boolean offer(TopicEntry entry, long most);

  /** Waits for a slow client if the thread may block; returns false if it takes too long. */
  default boolean awaitRoom(long end) {
    return true;
  }

  /** Disconnects the listener because it reads messages too slowly. */
  default void drop() {}
}
