package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random requests, whose log lines are read back by an independent grammar. Use {@code
 * -Dpercolate.log.lines=1000000} for more requests.
 */
@Timeout(1200)
class HostileLinesTest {

  private static final int REQUESTS = Integer.getInteger("percolate.log.lines", 100_000);

  private static final String LIKELY = "\"\\\\[] -a/?&\n\r\t\u001b\u009b%:1";

  @TempDir private Path folder;

  /** The content of one request; the same random numbers create the same content. */
  private record Hostile(
      String method, String target, String agent, String referrer, String user, int ending) {

    static Hostile next(Random random) {
      return new Hostile(
          method(random),
          "/" + latin(random),
          latin(random),
          latin(random),
          user(random),
          random.nextInt(10));
    }

    private static String method(Random random) {
      return "!#$%&'*+-.^_`|~GETa0".substring(random.nextInt(15)).replaceAll("(?<=..).*", "");
    }

    private static String latin(Random random) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(16); i > 0; i--) {
        boolean any = random.nextInt(3) == 0;
        text.append(
            any ? (char) random.nextInt(256) : LIKELY.charAt(random.nextInt(LIKELY.length())));
      }
      return text.toString();
    }

    private static String user(Random random) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(8); i > 0; i--) {
        int c = random.nextInt(3) == 0 ? random.nextInt(0x11_0000) : random.nextInt(0x2030);
        if (c != ':' && (c < 0xD800 || c > 0xDFFF)) {
          text.appendCodePoint(c);
        }
      }
      return text.append(random.nextBoolean() ? " [\" -" : "").toString();
    }

    Visit visit() {
      byte[] pair = (user + ":p").getBytes(StandardCharsets.UTF_8);
      String basic = "Basic " + Base64.getEncoder().encodeToString(pair);
      return Visit.of(
          method, target, "User-Agent", agent, "Referer", referrer, "Authorization", basic);
    }

    /** Returns the expected line: one in ten clients disconnects before the response. */
    CombinedLine expected(String date) {
      boolean gone = ending == 0;
      return new CombinedLine(
          "127.0.0.1",
          orNone(user),
          date,
          method,
          target,
          "1.1",
          gone ? "-" : "200",
          gone ? "-" : "2",
          orNone(referrer),
          orNone(agent));
    }

    private static String orNone(String text) {
      return text.isEmpty() ? "-" : text;
    }
  }

  @Test
  void eachRequestHasOneLineThatParsesToItsValues() throws Exception {
    Path file = folder.resolve("access.log");
    LogSink sink = LogSink.file(file).enqueueTimeout(Duration.ofSeconds(10));
    RequestLogger logger = RequestLogger.of("combined").to(sink);
    Handler silent = (req, res) -> {};
    Random random = new Random(4711);
    for (int i = 0; i < REQUESTS; i++) {
      Hostile hostile = Hostile.next(random);
      Visit visit = hostile.visit();
      visit.through(logger, hostile.ending == 0 ? silent : Lines.OK).disconnect();
    }
    sink.close();
    assertEquals(0, sink.lostLines() + logger.failedLines());
    Random again = new Random(4711);
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (int i = 0; i < REQUESTS; i++) {
        CombinedLine line = CombinedLine.read(lines.readLine());
        assertEquals(Hostile.next(again).expected(line.date()), line);
      }
      assertEquals(null, lines.readLine());
    }
  }
}
