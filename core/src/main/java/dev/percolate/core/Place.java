package dev.percolate.core;

/** Names the place in a user's code that a stack trace comes from. */
final class Place {

  private Place() {}

  /** Gives {@code at Users.show (Users.java:31)}: the first frame outside of core and the JDK. */
  static String of(Throwable trace) {
    for (StackTraceElement frame : trace.getStackTrace()) {
      String name = frame.getClassName();
      boolean ours = name.startsWith("dev.percolate.core.") && !name.endsWith("Test");
      if (!ours && !name.startsWith("java.")) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        return "at "
            + simple
            + "."
            + frame.getMethodName()
            + " ("
            + frame.getFileName()
            + ":"
            + frame.getLineNumber()
            + ")";
      }
    }
    return "at an unknown place";
  }
}
