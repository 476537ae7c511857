package dev.percolate.engine;

import java.util.ArrayList;
import java.util.List;

/** A process that a fatal error ends. */
final class FatalErrorMain {

  private static final List<byte[]> HELD = new ArrayList<>();

  private FatalErrorMain() {}

  public static void main(String[] args) throws InterruptedException {
    FatalErrorHandler.prepare();
    Runnable task = args[0].equals("memory") ? FatalErrorMain::fill : FatalErrorMain::fail;
    String name = "event loop"; // loaded now, since the first use of a constant needs memory
    new Thread(() -> die(name, task)).start();
    Thread.sleep(60_000);
  }

  private static void die(String name, Runnable task) {
    try {
      task.run();
    } catch (Error e) {
      FatalErrorHandler.endProcess(name, e);
    }
  }

  private static void fail() {
    throw new NoClassDefFoundError("gone");
  }

  private static void fill() {
    for (int size = 1 << 20; ; size = Math.max(16, size / 2)) {
      try {
        while (true) {
          HELD.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        if (size == 16) {
          throw e; // the memory remains in use
        }
      }
    }
  }
}
