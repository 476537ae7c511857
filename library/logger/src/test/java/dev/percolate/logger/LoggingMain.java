package dev.percolate.logger;

import dev.percolate.core.Handler;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Logs one request to the standard output, or an immediate one to a file before a crash. */
final class LoggingMain {

  private LoggingMain() {}

  public static void main(String[] args) throws IOException {
    RequestLogger logger = RequestLogger.of(":method :url");
    if (args.length == 0) {
      new Visit("/a").through(logger, Lines.OK);
      return;
    }
    RequestLogger early = logger.immediate(true);
    Handler crash = (req, res) -> Runtime.getRuntime().halt(7);
    RequestLogger slow = early.to(slow(Files.newOutputStream(Path.of(args[0]))));
    new Visit("/b").through(early, slow, crash);
  }

  /** A stream so slow that a line is written before the crash only if the logger waits for it. */
  private static OutputStream slow(OutputStream stream) {
    return new FilterOutputStream(stream) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
          Thread.sleep(90);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException();
        }
        out.write(bytes, offset, length);
      }
    };
  }
}
