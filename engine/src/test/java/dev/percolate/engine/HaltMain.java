package dev.percolate.engine;

import java.util.ArrayList;
import java.util.List;

/** Runs in a process of its own, of which one thread dies; the others would go on for ever. */
final class HaltMain {

  private static final List<byte[]> HELD = new ArrayList<>();

  private HaltMain() {}

  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("watched")) {
      Thread told = new Thread(() -> {});
      told.start();
      Halt.ifDies("thread that was told to end", told, () -> true);
      Thread dying = new Thread(HaltMain::fail);
      dying.start();
      Halt.ifDies("event loop", dying, () -> false);
    } else {
      Runnable task = args[0].equals("memory") ? HaltMain::fill : HaltMain::fail;
      new Thread(Halt.onError("event loop", task)).start();
    }
    Thread.sleep(60_000);
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
          throw e; // and what is held stays
        }
      }
    }
  }
}
