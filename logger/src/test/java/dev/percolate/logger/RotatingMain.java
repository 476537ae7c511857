package dev.percolate.logger;

/** Writes two lines into a file that is rotated between them, or tells why it cannot. */
final class RotatingMain {

  private RotatingMain() {}

  public static void main(String[] args) {
    try {
      LogSink sink = LogSink.rotating(RotatingFile.at(args[0]).maxBytes(4).compress(true));
      sink.write("one\n");
      sink.write("two\n");
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
    System.out.println(System.getProperty("slf4j.internal.verbosity"));
  }
}
