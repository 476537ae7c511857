package dev.percolate.reliability;

import dev.percolate.http.CookieSignature;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tells by Welch's t-test whether the time to refuse a forged signature depends on how much of it
 * is right: once only its last character is wrong, once all are. {@code reliability/run G17} starts
 * it.
 *
 * <p>The argument says how many samples of each are taken. The slowest tenth is left out: it is due
 * to whatever else the machine does.
 */
final class ConstantTime {

  private static final String SECRET = "a secret of thirty-two characters";
  private static final double MOST = 4.5;
  private static final int CALLS = 4;

  /** Where results go, so that none is left out. */
  static @Nullable Object sink;

  private ConstantTime() {}

  public static void main(String[] args) {
    int samples = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    String signed = CookieSignature.sign("value", SECRET);
    String[] forged = {almost(signed), wholly(signed)};
    double t = t(forged, samples);
    System.out.printf(Locale.ROOT, "t = %.2f over %d samples of each%n", t, samples);
    System.exit(Math.abs(t) < MOST ? 0 : 1);
  }

  private static double t(String[] forged, int samples) {
    SplittableRandom random = new SplittableRandom(1);
    double[][] times = new double[2][samples];
    for (int i = -samples / 5; i < samples; i++) {
      // Which comes first is drawn, so that none of them always finds the caches as the other left
      // them.
      int first = random.nextInt(2);
      double one = nanos(forged[first]);
      double other = nanos(forged[1 - first]);
      if (i >= 0) {
        times[first][i] = one;
        times[1 - first][i] = other;
      }
    }
    double[] a = quickest(times[0]);
    double[] b = quickest(times[1]);
    return (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);
  }

  private static double nanos(String signed) {
    long before = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      sink = CookieSignature.unsign(signed, SECRET);
    }
    return System.nanoTime() - before;
  }

  /** Changes the last character that counts. */
  private static String almost(String signed) {
    char last = signed.charAt(signed.length() - 1);
    return signed.substring(0, signed.length() - 1) + (last == 'A' ? 'B' : 'A');
  }

  private static String wholly(String signed) {
    StringBuilder forged = new StringBuilder(signed);
    for (int i = signed.lastIndexOf('.') + 1; i < forged.length(); i++) {
      forged.setCharAt(i, forged.charAt(i) == 'x' ? 'y' : 'x');
    }
    return forged.toString();
  }

  private static double[] quickest(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return Arrays.copyOf(sorted, times.length * 9 / 10);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }
}
