package dev.percolate.reliability;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A series that a client asks for.
 *
 * @param query how it asks
 * @param messages what is in it
 * @param code what closes a socket behind it, and a stream; 0 for nothing
 */
record LiveSeries(String query, List<LiveMessage> messages, int code) {

  private static final int FIRST_CODE = 3000;
  private static final int CODES = 2000;

  /** Draws one; an empty one for a kind that has none. */
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
