package dev.percolate.logger;

/** Writes a line to SLF4J, or prints the reason if it cannot. */
final class Slf4jMain {

  private Slf4jMain() {}

  public static void main(String[] args) {
    try {
      LogSink sink = LogSink.slf4j("access");
      sink.write("one\n");
      sink.close();
      System.out.println("lost " + sink.lostLines());
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }
}
