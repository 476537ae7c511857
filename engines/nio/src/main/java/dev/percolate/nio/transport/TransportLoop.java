package dev.percolate.nio.transport;

/** The event loop of a {@link Transport}. */
public interface TransportLoop {

  /** Returns the buffers that all connections of the loop share. Used on the loop only. */
  LoopMemory memory();

  /**
   * Runs a task on the loop. May be called on any thread.
   *
   * @param lost runs instead, on any thread, if the loop has ended
   */
  void execute(Runnable task, Runnable lost);
}
