package dev.percolate.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.percolate.http.Form;
import dev.percolate.http.FormException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What bodies cost beside what could not be done without, by CPU time, in turns: on a machine that
 * others use, too, times of the wall say nothing. {@code benchmarks/bodies} starts it.
 */
final class BodyRatios {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 31;

  /** Rounds before those that count: the compiler takes two seconds and more. */
  private static final int WARM_UPS = 60;

  private static final long NANOS_A_ROUND = 40_000_000;

  /** Where results go, so that none is left out. */
  static @Nullable Object sink;

  private BodyRatios() {}

  /** Something to measure. */
  @FunctionalInterface
  private interface Work {
    @Nullable Object run() throws FormException;
  }

  /**
   * Measures and prints Markdown.
   *
   * @param args the script of Node, and the file beside its libraries; or nothing
   */
  public static void main(String[] args) throws Exception {
    System.out.println(
        "| what | size | ours, µs | beside, µs | ratio | ours, bytes | beside, bytes |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    for (int kilobytes : new int[] {1, 100}) {
      BodyBench bench = new BodyBench();
      bench.kilobytes = kilobytes;
      bench.make();
      String size = kilobytes + " KB";
      print("JSON codec beside Jackson", size, bench::jsonByTheCodec, bench::jsonByTheLibrary);
      // A request costs something without a body, too; that counts on both sides.
      print("JSON parser beside Jackson", size, bench::jsonByTheParser, bench::libraryAndRequest);
      print("raw beside a copy", size, bench::rawByTheParser, bench::bytesAndRequest);
      print("text beside a copy", size, bench::textByTheParser, bench::textAndRequest);
    }
    if (args.length > 1) {
      besideNode(args);
    }
  }

  private static void print(String what, String size, Work ours, Work beside) throws FormException {
    double[] ratios = new double[ROUNDS];
    double[] mine = new double[ROUNDS];
    double[] theirs = new double[ROUNDS];
    int calls = calls(ours);
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      double first = micros(ours, calls);
      double second = micros(beside, calls);
      if (i >= 0) {
        mine[i] = first;
        theirs[i] = second;
        ratios[i] = first / second;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.2f | %.2f | %.2f | %d | %d |%n",
        what,
        size,
        median(mine),
        median(theirs),
        median(ratios),
        bytes(ours),
        bytes(beside));
  }

  private static void besideNode(String[] args) throws IOException, FormException {
    System.out.println();
    System.out.println("| form | size | parts | Node, µs | ours, µs | times as fast |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    Map<String, Form> grammars = new LinkedHashMap<>();
    grammars.put("extended", Form.extended().parameterLimit(100_000));
    grammars.put("simple", Form.simple().parameterLimit(100_000));
    for (Map.Entry<String, Form> grammar : grammars.entrySet()) {
      for (int kilobytes : new int[] {1, 10, 100}) {
        String form = Bodies.form(kilobytes << 10);
        Work ours = () -> grammar.getValue().parse(form, StandardCharsets.UTF_8);
        int calls = calls(ours);
        double[] mine = new double[ROUNDS];
        for (int i = -WARM_UPS; i < ROUNDS; i++) {
          mine[Math.max(0, i)] = micros(ours, calls);
        }
        double theirs = node(args, grammar.getKey(), form);
        System.out.printf(
            Locale.ROOT,
            "| %s | %d KB | %d | %.1f | %.1f | %.1f |%n",
            grammar.getKey(),
            kilobytes,
            1 + form.chars().filter(c -> c == '&').count(),
            theirs,
            median(mine),
            theirs / median(mine));
      }
    }
  }

  /** Gives the median of the CPU time in Node. */
  private static double node(String[] args, String grammar, String form) throws IOException {
    Process process =
        new ProcessBuilder("node", args[0], args[1], grammar, form)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = in.readLine();
      if (line == null) {
        throw new IOException("Node gave no result");
      }
      return Double.parseDouble(line);
    }
  }

  /** Finds how many calls fill a round, and warms up. */
  private static int calls(Work work) throws FormException {
    int calls = 1;
    for (long nanos = 0; nanos < NANOS_A_ROUND; ) {
      calls *= 2;
      nanos = (long) (1000 * micros(work, calls) * calls);
    }
    return calls;
  }

  private static double micros(Work work, int calls) throws FormException {
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < calls; i++) {
      sink = work.run();
    }
    return (THREADS.getCurrentThreadCpuTime() - before) / 1000.0 / calls;
  }

  private static long bytes(Work work) throws FormException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    sink = work.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
