package dev.percolate.engine;

import java.util.Locale;

/**
 * The threads that run middleware and handlers. Set for each server by {@link
 * ListenOptions#threads}.
 *
 * <ul>
 *   <li>{@link #VIRTUAL}: a virtual thread for each request; code may block. The default since JDK
 *       21.
 *   <li>{@link #POOL}: a bounded pool of platform threads; code may block. The default on JDK 17.
 *   <li>{@link #EVENT_LOOP}: the event loop of the connection; code must not block.
 * </ul>
 *
 * <p>With {@link #POOL} and {@link #EVENT_LOOP}, thread-local values that are set around {@code
 * next.run()} are lost after a body parser, unless a {@code ContextCarrier} transfers them.
 */
public enum ThreadMode {
  /** A virtual thread for each request. */
  VIRTUAL,
  /** A bounded pool of platform threads. */
  POOL,
  /** The event loop of the connection. */
  EVENT_LOOP;

  /**
   * Returns the mode with the given name.
   *
   * @param name {@code virtual}, {@code pool} or {@code event loop}
   * @throws IllegalArgumentException if there is no such mode
   */
  public static ThreadMode of(String name) {
    for (ThreadMode mode : values()) {
      if (mode.toString().equals(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "threads(\"" + name + "\"): must be virtual, pool or event loop");
  }

  /** Returns the default mode on this JDK. */
  public static ThreadMode ofThisJdk() {
    return VirtualThreads.available() ? VIRTUAL : POOL;
  }

  /**
   * Checks that this JDK supports the mode. Engines call it before they listen.
   *
   * @throws IllegalArgumentException for {@link #VIRTUAL} on a JDK before 21
   */
  public void checkAvailable() {
    if (this == VIRTUAL && !VirtualThreads.available()) {
      throw new IllegalArgumentException(
          "threads(\"virtual\"): needs JDK 21 or later, but this is "
              + Runtime.version().feature());
    }
  }

  /**
   * Returns true if handlers wait for a body on their own thread, so that later code runs inside
   * the same call.
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
