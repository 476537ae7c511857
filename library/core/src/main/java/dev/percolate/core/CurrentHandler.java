package dev.percolate.core;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** The handler of a request that was called last, as the state of the request sees it. */
interface CurrentHandler {

  /** Passes on an error in place of the handler; returns false if the handler has passed on. */
  boolean fails(Throwable error);

  /** Continues with an error, also if the handler has passed on. */
  void advance(Throwable error);

  /** Returns the position of the handler, for messages. */
  String position();

  /** Returns where the handler was defined, for messages. */
  String place();

  /** Describes what the request waits for, for messages. */
  String waitsFor();

  /** Returns the {@code next} of the handler if it is held weakly, else null. */
  @Nullable WeakReference<? extends Next> next();
}
