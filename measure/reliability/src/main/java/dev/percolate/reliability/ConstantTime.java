package dev.percolate.reliability;

import dev.percolate.http.CookieSignature;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tests with a t-test for unequal variances whether the time to reject a forged signature depends
 * on how much of it is right: in one group only the last character is wrong, in the other all are.
 * {@code measure/reliability/run G17} starts it.
 *
 * <p>Each sample has its own forgery, created by the same steps in both groups. With one fixed text
 * for each group, one of them may be placed better in memory for the lifetime of the process.
 *
 * <p>The argument is the number of samples of each group. The slowest tenth is left out of the
 * means, because other load on the machine causes it. The limit of that tenth varies, too, so the
 * variance counts its samples as if they had exactly the limit's time (Yuen 1974, The two-sample
 * trimmed t for unequal population variances). Without that, t was twice as large and failed by
 * chance.
 */
final class ConstantTime {

  private static final String SECRET = "a secret of thirty-two characters";
  private static final double MOST = 4.5;
  private static final int CALLS = 4;
  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  /** Stores results, so that the JIT compiler removes no calls. */
  static @Nullable Object sink;

  private ConstantTime() {}

  public static void main(String[] args) {
    int samples = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    double t = t(CookieSignature.sign("value", SECRET), samples);
    System.out.printf(Locale.ROOT, "t = %.2f over %d samples of each%n", t, samples);
    System.exit(Math.abs(t) < MOST ? 0 : 1);
  }

  private static double t(String signed, int samples) {
    SplittableRandom random = new SplittableRandom(1);
    double[][] times = new double[2][samples];
    for (int i = -samples / 5; i < samples; i++) {
      // A random order, so that neither group always finds the caches as the other left them.
      int first = random.nextInt(2);
      String forged = forged(signed, first == 0, random);
      String another = forged(signed, first == 1, random);
      double one = nanos(forged);
      double other = nanos(another);
      if (i >= 0) {
        times[first][i] = one;
        times[1 - first][i] = other;
      }
    }
    Trimmed a = Trimmed.of(times[0]);
    Trimmed b = Trimmed.of(times[1]);
    return (a.mean - b.mean) / Math.sqrt(a.squaredError + b.squaredError);
  }

  private static double nanos(String signed) {
    long before = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      sink = CookieSignature.unsign(signed, SECRET);
    }
    return System.nanoTime() - before;
  }

  /** Changes all characters of the signature; then restores all but the last, or none. */
  private static String forged(String signed, boolean almost, SplittableRandom random) {
    int from = signed.lastIndexOf('.') + 1;
    char[] text = signed.toCharArray();
    for (int i = from; i < text.length; i++) {
      int other = BASE64.indexOf(text[i]) + 1 + random.nextInt(BASE64.length() - 1);
      text[i] = BASE64.charAt(other % BASE64.length());
    }
    signed.getChars(from, almost ? text.length - 1 : from, text, from);
    return new String(text);
  }

  /**
   * The mean of samples without the slowest tenth.
   *
   * @param squaredError the square of its standard error
   */
  private record Trimmed(double mean, double squaredError) {

    static Trimmed of(double[] times) {
      double[] sorted = times.clone();
      Arrays.sort(sorted);
      int kept = sorted.length * 9 / 10;
      double mean = Arrays.stream(sorted, 0, kept).average().orElseThrow();
      Arrays.fill(sorted, kept, sorted.length, sorted[kept - 1]);
      double middle = Arrays.stream(sorted).average().orElseThrow();
      double squares = Arrays.stream(sorted).map(v -> (v - middle) * (v - middle)).sum();
      return new Trimmed(mean, squares / ((double) kept * (kept - 1)));
    }
  }
}
