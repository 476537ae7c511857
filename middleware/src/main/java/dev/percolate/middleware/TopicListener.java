package dev.percolate.middleware;

/** One listener of a topic. */
interface TopicListener {

  /**
   * Passes a message on without waiting.
   *
   * @param most how many bytes may wait
   * @return false if more would
   */
  boolean offer(TopicEntry entry, long most);

  /** Waits for a slow client, where threads may wait; returns false if it takes too long. */
  boolean awaitRoom(long end);

  /** Ends, since it takes messages too slowly. */
  void drop();
}
