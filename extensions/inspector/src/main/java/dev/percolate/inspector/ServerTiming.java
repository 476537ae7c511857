package dev.percolate.inspector;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Formats a timeline for the header {@code Server-Timing} (W3C Server Timing), which browsers show
 * in their developer tools: the time of each call until it passed the request on.
 */
final class ServerTiming {

  /** The name of the header. */
  static final String HEADER = "Server-Timing";

  private static final int MOST_CALLS = 30;
  private static final int LONGEST_NAME = 80;

  private ServerTiming() {}

  /**
   * Returns the value of the header.
   *
   * @param calls the values of the calls, see {@link Timeline#stepValues}
   * @param now the time since the start of the request, in microseconds
   */
  static String of(List<Map<String, Object>> calls, long now) {
    StringJoiner value = new StringJoiner(", ");
    value.add("total;dur=" + millis(now));
    for (int i = 0; i < Math.min(MOST_CALLS, calls.size()); i++) {
      Map<String, Object> call = calls.get(i);
      long begin = micros(call, "begin", now);
      long end = micros(call, "passes", micros(call, "returns", now));
      String number = String.format(Locale.ROOT, "%02d", i + 1); // browsers sort by it
      value.add(number + ";desc=\"" + name(call) + "\";dur=" + millis(end - begin));
    }
    return value.toString();
  }

  private static long micros(Map<String, Object> call, String name, long fallback) {
    return call.get(name) instanceof Long time ? time : fallback;
  }

  private static String name(Map<String, Object> call) {
    String name = call.get("step") + ", " + call.get("layer");
    String plain = name.replaceAll("[^ -~]|[\"\\\\]", "?");
    return plain.length() > LONGEST_NAME ? plain.substring(0, LONGEST_NAME) : plain;
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.3f", micros / 1000.0);
  }
}
