package dev.percolate.core;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A message to developers about a request that has no response after some time. A second one
 * follows if the request cannot continue, because the {@code next} of its handler is unreachable.
 */
final class HangNotice {

  /** The time between checks whether the {@code next} is still reachable. */
  static final long NEXT_LOOK = TimeUnit.SECONDS.toNanos(1);

  /** The end of a message about a handler whose {@code next} is unreachable. */
  static final String LOST = "; its next is unreachable";

  /** The request. */
  interface Owner {

    AppState appState();

    /** Returns the method and target of the request. */
    String head();

    /** Returns the handler that was called last; null if there is none. */
    @Nullable CurrentHandler current();
  }

  private final Owner owner;
  private final WeakReference<? extends Next> next;

  private HangNotice(Owner owner, WeakReference<? extends Next> next) {
    this.owner = owner;
    this.next = next;
  }

  /** Describes what a request waits for. */
  static String text(Owner owner) {
    CurrentHandler current = owner.current();
    String handler = current == null ? "its first handler" : current.waitsFor();
    return owner.head() + " waits for " + handler;
  }

  /** Logs what a request waits for. Returns null if no second message can follow. */
  static @Nullable HangNotice log(Owner owner) {
    owner.appState().faultLog().hangs(text(owner));
    CurrentHandler current = owner.current();
    WeakReference<? extends Next> next = current == null ? null : current.next();
    return next == null || next.refersTo(null) ? null : new HangNotice(owner, next);
  }

  /**
   * Logs the second message if the {@code next} is unreachable. Does not start the garbage
   * collector.
   *
   * @return false if no second message can follow
   */
  boolean look() {
    CurrentHandler current = owner.current();
    if (current == null || current.next() != next) {
      return false; // the request has continued
    }
    boolean lost = next.refersTo(null);
    if (lost) {
      String text = owner.head() + " waits forever for " + current.place() + LOST;
      owner.appState().faultLog().hangs(text);
    }
    return !lost;
  }
}
