package dev.percolate.framework;

import java.util.Set;

/** Finds the place in a user's code where something is being defined. */
final class Origin {

  private static final StackWalker WALKER = StackWalker.getInstance();

  private Origin() {}

  /**
   * Returns file and line of the first frame that is not ours, such as {@code Users.java:31}.
   *
   * @param ours the names of classes that users call; lambdas and nested classes of theirs are not
   *     on the way
   */
  static String here(Set<String> ours) {
    return WALKER.walk(
        frames ->
            frames
                .skip(1)
                .filter(frame -> !ours.contains(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("an unknown place"));
  }
}
