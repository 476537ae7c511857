package dev.percolate.reliability;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A series that a client requests.
 *
 * @param query the query of the request
 * @param messages the messages of the series
 * @param code the code that closes a socket afterwards, positive for a stream that ends; or 0
 */
record LiveSeries(String query, List<LiveMessage> messages, int code) {

  private static final int FIRST_CODE = 3000;
  private static final int CODES = 2000;

  /** Returns a random series, which is empty for a kind without one. */
  static LiveSeries drawn(SplittableRandom random, LiveKind kind, String id, int longest) {
    if (kind.isEcho() || kind.isTopic()) {
      return new LiveSeries("", List.of(), 0);
    }
    int count = random.nextInt(longest + 1);
    long seed = random.nextLong();
    int code = random.nextBoolean() ? FIRST_CODE + random.nextInt(CODES) : 0;
    return new LiveSeries(
        "?count=" + count + "&seed=" + seed + "&code=" + code,
        LiveMessage.series(id, seed, count),
        code);
  }
}
