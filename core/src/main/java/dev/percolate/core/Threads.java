package dev.percolate.core;

import java.util.Locale;

/**
 * Names where the steps of a request run; chosen for each server by {@link ListenOptions#threads}.
 *
 * <ul>
 *   <li>{@link #VIRTUAL}: a virtual thread of the JDK for each request; code may block. The default
 *       from JDK 21 on.
 *   <li>{@link #POOL}: a bounded pool of platform threads; code may block. The default on JDK 17.
 *   <li>{@link #EVENT_LOOP}: the connection's event loop; code must not block.
 *   <li>{@link #CARRIED}: a virtual thread mounted on the connection's event loop and started
 *       inline. Code may wait for locks, sockets and sleep, but work on the processor and reading
 *       files hold up every connection of that loop. Needs JDK 24 and {@code --add-opens
 *       java.base/java.lang=ALL-UNNAMED} (or the name of the engine's module).
 * </ul>
 */
public enum Threads {
  /** A virtual thread for each request. */
  VIRTUAL,
  /** A bounded pool of platform threads. */
  POOL,
  /** The connection's event loop. */
  EVENT_LOOP,
  /** A virtual thread carried by the connection's event loop. */
  CARRIED;

  /**
   * Gives the mode of a name: {@code virtual}, {@code pool}, {@code event loop} or {@code carried}.
   *
   * @param name the name, as {@link #toString} gives it
   * @throws IllegalArgumentException if there is no such mode
   */
  public static Threads of(String name) {
    for (Threads mode : values()) {
      if (mode.toString().equals(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "threads(\"" + name + "\"): not one of virtual, pool, event loop, carried");
  }

  /** Gives the mode that servers of this JDK use when none is chosen. */
  public static Threads ofThisJdk() {
    return VirtualThreads.available() ? VIRTUAL : POOL;
  }

  /**
   * Tells whether a step waits for a body on its own thread, so that what follows the reading runs
   * inside the same call.
   */
  public boolean parks() {
    return this == VIRTUAL || this == CARRIED;
  }

  /** Gives the name, such as {@code event loop}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
