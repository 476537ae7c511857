package dev.percolate.logger;

import dev.percolate.core.Handler;
import java.nio.file.Path;

/** Logs one request to the standard output, or an immediate one to a file before a crash. */
final class LoggingMain {

  private LoggingMain() {}

  public static void main(String[] args) {
    RequestLogger logger = RequestLogger.of(":method :url");
    if (args.length == 0) {
      new FakeExchange("/a").through(logger, Lines.OK);
      return;
    }
    RequestLogger early = logger.immediate(true);
    Handler crash = (req, res) -> Runtime.getRuntime().halt(7);
    new FakeExchange("/b").through(early, early.to(LogSink.file(Path.of(args[0]))), crash);
  }
}
