package dev.percolate.framework;

import dev.percolate.core.Settings;

/** Prints the layers of an application instead of starting a server, if requested. */
final class RouteListing {

  private static final String PROPERTY = "percolate.routes";
  private static final String ARGUMENT = " --routes";

  private RouteListing() {}

  /** Returns true if the command line requests the map. */
  static boolean isRequested() {
    return isRequested(System.getProperty("sun.java.command", ""), Settings.processEnv());
  }

  /**
   * Returns true if the command line requests the map.
   *
   * @param command the main class or jar with its arguments
   * @param env the environment of the process
   */
  static boolean isRequested(String command, String env) {
    // In production, an application may have an argument of the same name.
    return Boolean.getBoolean(PROPERTY)
        || (!env.equals("production") && command.endsWith(ARGUMENT));
  }

  static void printAndExit(AppMap map) {
    System.out.print(map);
    System.exit(0);
  }
}
