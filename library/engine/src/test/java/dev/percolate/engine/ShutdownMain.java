package dev.percolate.engine;

import java.util.concurrent.CountDownLatch;

/** A process that receives a signal, and prints the resources that are closed. */
final class ShutdownMain {

  private ShutdownMain() {}

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch both = new CountDownLatch(2);
    AutoCloseable forgotten = () -> say("forgotten");
    Shutdown.add(Shutdown.Stage.LOG_SINKS, () -> say("sink"));
    Shutdown.add(
        Shutdown.Stage.LOG_SINKS,
        () -> {
          say("sink that fails");
          throw new NoClassDefFoundError("gone");
        });
    Shutdown.add(Shutdown.Stage.APPLICATIONS, () -> say("application 1"));
    Shutdown.add(
        Shutdown.Stage.APPLICATIONS,
        () -> {
          say("application 2");
          throw new StackOverflowError("no end");
        });
    Shutdown.add(Shutdown.Stage.APPLICATIONS, forgotten);
    for (int i = 0; i < 2; i++) {
      Shutdown.add(
          Shutdown.Stage.SERVERS,
          () -> {
            both.countDown();
            both.await(); // returns only if both are closed at the same time
            say("server");
            throw new OutOfMemoryError("no room");
          });
    }
    if (args.length > 0) {
      Shutdown.add(
          Shutdown.Stage.SERVERS,
          () -> {
            say("draining");
            new CountDownLatch(1).await();
          });
    }
    Shutdown.remove(Shutdown.Stage.APPLICATIONS, forgotten);
    say("ready");
    new CountDownLatch(1).await();
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
