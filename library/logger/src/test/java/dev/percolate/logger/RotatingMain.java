package dev.percolate.logger;

/** Writes two lines into a file that is rotated between them. */
final class RotatingMain {

  private RotatingMain() {}

  public static void main(String[] args) {
    LogSink sink = LogSink.rotating(RotatingFile.of(args[0]).maxBytes(4).compress(true));
    sink.write("one\n");
    sink.write("two\n");
  }
}
