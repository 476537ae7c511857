package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TimeZone;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests clauses on the logger that no scenario can show; each name begins with its clause. */
@Timeout(120)
class LoggerClausesTest {

  @TempDir private Path folder;

  private static void ask(String target, RequestLogger logger) {
    new Visit(target).through(logger, Lines.OK);
  }

  private String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  @Test
  @DisplayName("2.2-immediate-crash: the line is in its stream when a handler halts the process")
  void anImmediateLineOutlivesACrash() throws Exception {
    Path file = folder.resolve("crash.log");
    ChildProcess child = ChildProcess.run(folder, jar -> true, LoggingMain.class, file.toString());
    assertEquals(7, child.code(), child::toString);
    assertEquals("GET /b\n", text("crash.log"));
    assertEquals("GET /b\n", child.out());
  }

  @Test
  @DisplayName("2.2-stream-default: a logger without options writes to the standard output")
  void withoutAStreamLinesGoToTheStandardOutput() throws Exception {
    ChildProcess child = ChildProcess.run(folder, jar -> true, LoggingMain.class);
    assertEquals("GET /a\n", child.out());
    assertEquals(0, child.code());
    assertEquals("", child.err());
  }

  @Test
  @DisplayName("2.4-date-value: date is the current time in UTC, whatever the time zone")
  void datesAreInUtc() {
    TimeZone before = TimeZone.getDefault();
    try {
      for (String zone : new String[] {"Asia/Kolkata", "Pacific/Honolulu", "UTC"}) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        assertEquals(
            "Tue, 10 Oct 2000 13:55:36 GMT|Tue, 10 Oct 2000 13:55:36 GMT"
                + "|10/Oct/2000:13:55:36 +0000|2000-10-10T13:55:36.789Z",
            Lines.of(":date|:date[web]|:date[clf]|:date[iso]", "/"),
            zone);
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  @DisplayName("2.4-remote-addr-socket: without trusted proxies it is the connection's address")
  void theAddressIsThatOfTheConnection() {
    Visit visit =
        new Visit("/", "X-Forwarded-For", "198.51.100.7", "Forwarded", "for=198.51.100.8");
    visit.exchange.remoteAddress("203.0.113.9");
    assertEquals("203.0.113.9", Lines.of(":remote-addr", visit));
  }

  @Test
  @DisplayName("4.1-compile: what compile gives makes a line of tokens, request and response")
  void aCompiledFormatIsAFunction() {
    LineFormat compiled = RequestLogger.compile(":method :url");
    assertEquals(
        "GET /a?b, told twice: GET /a?b",
        linesOf(
            (tokens, req, res) ->
                compiled.line(tokens, req, res)
                    + ", told twice: "
                    + compiled.line(tokens, req, res)));
    assertEquals("GET /a?b", linesOf(compiled));
  }

  private static String linesOf(LineFormat format) {
    Lines lines = new Lines();
    new Visit("/a?b").through(lines.logger(format), Lines.OK);
    return lines.only();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // where an open file keeps its name
  @DisplayName("9-stream: a logger goes on in the file that replaces the one it writes to")
  void aFileMayBeReplacedMeanwhile() throws Exception {
    Path file = folder.resolve("access.log");
    RequestLogger logger = RequestLogger.of(":url").immediate(true).to(LogSink.file(file));
    ask("/1", logger);
    Files.move(file, folder.resolve("access.log.1"));
    Files.createFile(file);
    ask("/2", logger);
    assertEquals("/1\n", text("access.log.1"));
    assertEquals("/2\n", text("access.log"));
    LogSink.file(file).close();
  }

  @Test
  @DisplayName("9-stream: a stream of another library that rotates its file takes the lines")
  void aRotatingStreamTakesTheLines() throws Exception {
    try (OutputStream stream = new Rotating(folder)) {
      RequestLogger logger = RequestLogger.of(":url").immediate(true).to(stream);
      for (int i = 1; i <= 3; i++) {
        ask("/" + i, logger);
      }
      LogSink.of(stream).close();
    }
    assertEquals("/1\n/2\n/3\n", text("0.log") + text("1.log") + text("2.log"));
  }

  /** Writes each batch of lines into a separate file. */
  private static final class Rotating extends OutputStream {

    private final Path folder;
    private int next;

    Rotating(Path folder) {
      this.folder = folder;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] lines = Arrays.copyOfRange(bytes, offset, offset + length);
      Files.write(folder.resolve(next++ + ".log"), lines);
    }
  }

  @Test
  @DisplayName("9-stream: a logger rotates its own file")
  void aLoggerRotatesItsFile() throws Exception {
    LogSink sink = LogSink.rotating(RotatingFile.of(folder.resolve("access.log")).maxBytes(4));
    ask("/1", RequestLogger.of(":url").to(sink));
    ask("/2", RequestLogger.of(":url").to(sink));
    sink.close();
    assertEquals("/2\n", text("access.log"));
    try (var files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }
}
