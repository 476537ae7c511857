package dev.percolate.engine;

import java.util.Locale;

/**
 * Names where the steps of a request run; chosen for each server by {@link ListenOptions#threads}.
 *
 * <ul>
 *   <li>{@link #VIRTUAL}: a virtual thread of the JDK for each request; code may block. The default
 *       from JDK 21 on.
 *   <li>{@link #POOL}: a bounded pool of platform threads; code may block. The default on JDK 17.
 *       What is bound to a thread around {@code next.run()} does not survive a body parser, but for
 *       what a {@code ContextCarrier} knows.
 *   <li>{@link #EVENT_LOOP}: the connection's event loop; code must not block. Of what is bound to
 *       a thread the same holds.
 * </ul>
 */
public enum ThreadMode {
  /** A virtual thread for each request. */
  VIRTUAL,
  /** A bounded pool of platform threads. */
  POOL,
  /** The connection's event loop. */
  EVENT_LOOP;

  /**
   * Returns the mode of a name: {@code virtual}, {@code pool} or {@code event loop}.
   *
   * @param name the name, as {@link #toString} gives it
   * @throws IllegalArgumentException if there is no such mode
   */
  public static ThreadMode of(String name) {
    for (ThreadMode mode : values()) {
      if (mode.toString().equals(name)) {
        return mode;
      }
    }
    String mode = "threads(\"" + name + "\"): ";
    if (name.equals("carried")) {
      throw new IllegalArgumentException(
          mode
              + "is no longer there, since an event loop that carries steps may wait for ever for a"
              + " lock that one of them holds; use \"virtual\", or \"event loop\" for steps that never"
              + " wait");
    }
    throw new IllegalArgumentException(mode + "not one of virtual, pool, event loop");
  }

  /** Returns the mode that servers of this JDK use when none is chosen. */
  public static ThreadMode ofThisJdk() {
    return VirtualThreads.available() ? VIRTUAL : POOL;
  }

  /**
   * Checks that this JDK has the mode, which an engine does before it listens.
   *
   * @throws IllegalArgumentException for {@link #VIRTUAL} on a JDK before 21
   */
  public void checkAvailable() {
    if (this == VIRTUAL && !VirtualThreads.available()) {
      throw new IllegalArgumentException(
          "threads(\"virtual\"): needs JDK 21 or later, this is " + Runtime.version().feature());
    }
  }

  /**
   * Tells whether a step waits for a body on its own thread, so that what follows the reading runs
   * inside the same call.
   */
  public boolean parks() {
    return this == VIRTUAL;
  }

  /** Returns the name, such as {@code event loop}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
