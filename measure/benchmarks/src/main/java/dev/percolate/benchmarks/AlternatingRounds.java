package dev.percolate.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Measures two tasks in alternating rounds by CPU time. Times are medians in microseconds. */
final class AlternatingRounds {

  /** Receives results, so that the compiler does not remove the work. */
  static @Nullable Object sink;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 31;
  private static final long MOST_WARM_UP_NANOS = 40_000_000_000L;
  private static final int SETTLED_MILLIS_A_SECOND = 20;
  private static final long NANOS_A_ROUND = 40_000_000;

  private final double[] ours = new double[ROUNDS];
  private final double[] beside = new double[ROUNDS];

  private AlternatingRounds(Work work, int calls, Elsewhere elsewhere) throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      ours[i] = micros(work, calls);
      beside[i] = elsewhere.micros();
    }
  }

  /** A task to measure. */
  @FunctionalInterface
  interface Work {
    @Nullable Object run() throws Exception;
  }

  /** A task in another process, which is warm and measures itself. */
  @FunctionalInterface
  interface Elsewhere {
    /** Runs one round and returns the microseconds per call. */
    double micros() throws Exception;
  }

  /** Measures both tasks in alternating rounds. */
  static AlternatingRounds of(Work ours, Work beside) throws Exception {
    warm(ours, beside);
    int calls = calls(ours);
    return new AlternatingRounds(ours, calls, () -> micros(beside, calls));
  }

  /** Measures a task and one of another process in alternating rounds. */
  static AlternatingRounds besideProcess(Work ours, Elsewhere beside) throws Exception {
    warm(ours, () -> null);
    return new AlternatingRounds(ours, calls(ours), beside);
  }

  double ours() {
    return median(ours.clone());
  }

  double beside() {
    return median(beside.clone());
  }

  /** Returns the median of the ratios of all rounds. */
  double ratio() {
    double[] ratios = new double[ROUNDS];
    Arrays.setAll(ratios, i -> ours[i] / beside[i]);
    return median(ratios);
  }

  /** Returns the median of the differences of all rounds. */
  double difference() {
    double[] differences = new double[ROUNDS];
    Arrays.setAll(differences, i -> ours[i] - beside[i]);
    return median(differences);
  }

  /** Returns the number of bytes that one call allocates on its thread. */
  static long bytes(Work work) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    sink = work.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** Calls both tasks until hardly any code is compiled for two consecutive seconds. */
  private static void warm(Work ours, Work beside) throws Exception {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    long start = System.nanoTime();
    int settled = 0;
    while (settled < 2 && System.nanoTime() - start < MOST_WARM_UP_NANOS) {
      long before = compilers.getTotalCompilationTime();
      for (long second = System.nanoTime(); System.nanoTime() - second < 1_000_000_000; ) {
        sink = ours.run();
        sink = beside.run();
      }
      boolean quiet = compilers.getTotalCompilationTime() - before < SETTLED_MILLIS_A_SECOND;
      settled = quiet ? settled + 1 : 0;
    }
  }

  /** Returns the number of calls that fill a round. */
  private static int calls(Work work) throws Exception {
    int calls = 1;
    for (long nanos = 0; nanos < NANOS_A_ROUND; ) {
      calls *= 2;
      nanos = (long) (1000 * micros(work, calls) * calls);
    }
    return calls;
  }

  private static double micros(Work work, int calls) throws Exception {
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < calls; i++) {
      sink = work.run();
    }
    return (THREADS.getCurrentThreadCpuTime() - before) / 1000.0 / calls;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
