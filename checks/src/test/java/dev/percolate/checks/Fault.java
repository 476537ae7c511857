package dev.percolate.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What callbacks of a test throw: an exception or an error, each time of another kind. */
@SuppressWarnings("TypeParameterUnusedInFormals") // it returns nothing of any type
final class Fault {

  private static final List<Supplier<Throwable>> KINDS =
      List.of(
          () -> new IllegalStateException("provoked"),
          StackOverflowError::new,
          () -> new Exception("provoked"),
          () -> new AssertionError("provoked"),
          () -> new NoClassDefFoundError("provoked"));

  /** How many kinds there are. */
  static final int COUNT = KINDS.size();

  // Guarded by this.
  private final List<Throwable> raised = new ArrayList<>();

  /** Throws the next one; of the type that the caller is to return. */
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

  /** Returns all that were thrown. */
  synchronized List<Throwable> raised() {
    return List.copyOf(raised);
  }

  @SuppressWarnings("unchecked") // callbacks throw what they like
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
