package dev.percolate.nio.wire;

/** The loop on which wires are used. */
public interface WireLoop {

  /** Returns the memory that its wires share; used on the loop only. */
  LoopMemory memory();

  /**
   * Runs a task on the loop; called on any thread.
   *
   * @param lost runs in its place, on any thread, if the loop has ended
   */
  void execute(Runnable task, Runnable lost);
}
