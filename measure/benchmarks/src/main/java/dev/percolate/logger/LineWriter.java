package dev.percolate.logger;

import com.sun.management.OperatingSystemMXBean;
import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Writes combined lines to a file for each line of its input, and prints the seconds and CPU
 * seconds until all were in the file. For {@code benchmarks/log-lines}.
 *
 * <p>Arguments: {@code percolate}, {@code log4j} or {@code requests}, the file, and the number of
 * lines. {@code requests} writes the requests for other programs.
 */
final class LineWriter {

  private static final int REQUESTS = 256;

  private LineWriter() {}

  /** Writes the line of one request. */
  private interface Writer {
    void write(int request);
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    Sample[] samples = Sample.all(REQUESTS);
    Tokens[] answered = new Tokens[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      answered[i] = answered(samples[i]);
    }
    if (args[0].equals("requests")) {
      describe(samples, file);
      return;
    }
    LogSink sink = LogSink.file(file).enqueueTimeout(Duration.ofSeconds(10));
    RequestLogger logger = RequestLogger.of("combined").to(sink);
    long bytes = 0;
    for (Tokens tokens : answered) {
      bytes += String.valueOf(logger.line(tokens)).getBytes(StandardCharsets.UTF_8).length;
    }
    Writer writer =
        args[0].equals("log4j") ? log4j(samples) : request -> logger.log(answered[request]);
    int rounds = Integer.parseInt(args[2]) / REQUESTS;
    measure(writer, rounds, file, bytes);
  }

  private static void measure(Writer writer, int rounds, Path file, long bytes) throws Exception {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    long size = 0;
    while (in.readLine() != null) {
      long start = System.nanoTime();
      long cpu = system.getProcessCpuTime();
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < REQUESTS; i++) {
          writer.write(i);
        }
      }
      size += rounds * bytes;
      while (Files.size(file) < size) {
        Thread.sleep(1);
      }
      System.out.println(
          (System.nanoTime() - start) / 1e9 + " " + (system.getProcessCpuTime() - cpu) / 1e9);
    }
  }

  private static Tokens answered(Sample sample) {
    Tokens[] seen = new Tokens[1];
    Handler hello =
        (req, res) -> {
          seen[0] = new Tokens(LogClock.SYSTEM, Map.of(), req, res);
          res.send("Hello, World!");
        };
    Chain.service(new Settings(), hello).serve(new SampleExchange(sample));
    return seen[0];
  }

  /** Returns a writer that passes prepared values to Log4j, which neither decodes nor escapes. */
  private static Writer log4j(Sample[] samples) {
    Logger logger = LogManager.getLogger("access");
    return request -> {
      Sample sample = samples[request];
      StringBuilder date = new StringBuilder(26);
      LogClock.SYSTEM.appendClf(date);
      logger.info(
          "{} - {} [{}] \"{} {} HTTP/{}\" {} {} \"{}\" \"{}\"",
          sample.address(),
          sample.user(),
          date,
          sample.method(),
          sample.target(),
          "1.1",
          200,
          "13",
          sample.header("Referer"),
          sample.header("User-Agent"));
    };
  }

  private static void describe(Sample[] samples, Path file) throws Exception {
    StringBuilder all = new StringBuilder();
    for (Sample sample : samples) {
      all.append(sample.address()).append('\t').append(sample.method()).append('\t');
      all.append(sample.target());
      sample.headers().forEach((name, value) -> all.append('\t').append(name + ": " + value));
      all.append('\n');
    }
    Files.writeString(file, all);
  }
}
