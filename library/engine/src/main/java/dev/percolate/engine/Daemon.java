package dev.percolate.engine;

/** Creates threads that do not keep the process running. */
public final class Daemon {

  private Daemon() {}

  /**
   * Creates a daemon thread without starting it.
   *
   * @param task the task of the thread
   * @param name the name of the thread
   */
  public static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
