package dev.percolate.framework;

import java.util.Set;

/** Finds the place in a user's code where something is being defined. */
final class Origin {

  private static final StackWalker WALKER = StackWalker.getInstance();

  /** Whom users call; lambdas and nested classes of theirs are not on the way. */
  private static final Set<String> OURS =
      Set.of(Origin.class.getName(), App.class.getName(), Verbs.class.getName());

  private Origin() {}

  /** Gives file and line of the first frame that is not ours, such as {@code Users.java:31}. */
  static String here() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !OURS.contains(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("an unknown place"));
  }
}
