package dev.percolate.middleware;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import java.util.List;

/** The thread modes that tests go through, by what this JDK has. */
final class Modes {

  private Modes() {}

  /** Returns those of this JDK. */
  static List<ThreadMode> all() {
    return VirtualThreads.available()
        ? List.of(ThreadMode.values())
        : List.of(ThreadMode.POOL, ThreadMode.EVENT_LOOP);
  }

  /** Returns those in which a handler may wait: on event loops on a virtual thread of its own. */
  static List<ThreadMode> waiting() {
    return VirtualThreads.available() ? all() : List.of(ThreadMode.POOL);
  }
}
