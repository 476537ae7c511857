package dev.percolate.middleware;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import java.util.List;

/** The thread modes for parameterized tests. */
final class Modes {

  private Modes() {}

  /** Returns all thread modes of this JDK. */
  static List<ThreadMode> all() {
    return VirtualThreads.available()
        ? List.of(ThreadMode.values())
        : List.of(ThreadMode.POOL, ThreadMode.EVENT_LOOP);
  }

  /**
   * Returns the modes in which a handler can block; in event loop mode, on its own virtual thread.
   */
  static List<ThreadMode> waiting() {
    return VirtualThreads.available() ? all() : List.of(ThreadMode.POOL);
  }
}
