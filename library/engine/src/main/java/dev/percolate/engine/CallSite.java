package dev.percolate.engine;

import java.util.Set;

/** Finds the line of application code that a call or an error comes from, for messages. */
public final class CallSite {

  private static final StackWalker WALKER = StackWalker.getInstance();

  private CallSite() {}

  /**
   * Returns the file and line of the first caller outside of the given classes, such as {@code
   * Users.java:31}.
   *
   * @param ours the names of the classes to skip; nested classes are skipped only if listed
   */
  public static String here(Set<String> ours) {
    return WALKER.walk(
        frames ->
            frames
                .skip(1)
                .filter(frame -> !ours.contains(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("an unknown line"));
  }

  /**
   * Returns the first frame outside of {@code engine}, {@code core} and the JDK, such as {@code at
   * Users.show (Users.java:31)}.
   *
   * @param trace the exception with the stack trace
   */
  public static String of(Throwable trace) {
    return of(trace.getStackTrace());
  }

  /**
   * Returns the first frame outside of {@code engine}, {@code core} and the JDK; see {@link
   * #of(Throwable)}.
   *
   * @param trace the stack frames, innermost first
   */
  public static String of(StackTraceElement... trace) {
    for (StackTraceElement frame : trace) {
      String name = frame.getClassName();
      if (!isOurs(name) && !isOfJdk(name)) {
        return "at %s.%s (%s:%d)"
            .formatted(
                name.substring(name.lastIndexOf('.') + 1),
                frame.getMethodName(),
                frame.getFileName(),
                frame.getLineNumber());
      }
    }
    return "at an unknown line";
  }

  private static boolean isOfJdk(String name) {
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
  }

  private static boolean isOurs(String name) {
    boolean inside =
        name.startsWith("dev.percolate.core.") || name.startsWith("dev.percolate.engine.");
    return inside && !name.endsWith("Test");
  }
}
