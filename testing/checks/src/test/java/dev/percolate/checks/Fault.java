package dev.percolate.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Throws from the callbacks of a test: exceptions and errors of several classes in turn. */
@SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
final class Fault {

  private static final List<Supplier<Throwable>> KINDS =
      List.of(
          () -> new IllegalStateException("provoked"),
          StackOverflowError::new,
          () -> new Exception("provoked"),
          () -> new AssertionError("provoked"),
          () -> new NoClassDefFoundError("provoked"));

  /** The number of classes. */
  static final int COUNT = KINDS.size();

  // Guarded by this.
  private final List<Throwable> raised = new ArrayList<>();

  /** Throws the next one; declared to return the type that the caller needs. */
  <T> T raise() {
    Throwable next;
    synchronized (this) {
      next = KINDS.get(raised.size() % COUNT).get();
      raised.add(next);
    }
    throw Fault.<RuntimeException>unchecked(next);
  }

  /** Throws the next one. */
  void run() {
    Object unused = raise();
  }

  /** Returns everything that was thrown. */
  synchronized List<Throwable> raised() {
    return List.copyOf(raised);
  }

  @SuppressWarnings("unchecked") // callbacks may throw checked exceptions
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
