package dev.percolate.logger;

import dev.percolate.core.Handler;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Loggers that write to a list, and their lines. */
final class Lines {

  /** 10/Oct/2000:13:55:36, 789 milliseconds later. */
  static final Clock CLOCK = Clock.fixed(Instant.parse("2000-10-10T13:55:36.789Z"), ZoneOffset.UTC);

  static final Handler OK = (req, res) -> res.send("ok");

  final List<String> all = new ArrayList<>();
  long nanos = 1_000;

  RequestLogger logger(String format) {
    return to(RequestLogger.of(format));
  }

  /** Creates a logger that writes the same text as each line. */
  RequestLogger saying(String text) {
    return logger(RequestLogger.compile(text));
  }

  RequestLogger logger(LineFormat format) {
    return to(RequestLogger.of(format));
  }

  /** Returns the line of a format, without its line feed, for a request with the response ok. */
  static String of(String format, Visit visit) {
    Lines lines = new Lines();
    visit.through(lines.logger(format), OK);
    return lines.only();
  }

  static String of(String format, String target, String... headers) {
    return of(format, new Visit(target, headers));
  }

  static String of(LineFormat format) {
    Lines lines = new Lines();
    new Visit("/").through(lines.logger(format), OK);
    return lines.only();
  }

  String only() {
    if (all.size() != 1 || !all.get(0).endsWith("\n")) {
      throw new AssertionError("not one line with a line feed: " + all);
    }
    return all.get(0).substring(0, all.get(0).length() - 1);
  }

  private RequestLogger to(RequestLogger logger) {
    return logger.to(all::add).clock(new LogClock(CLOCK, () -> nanos));
  }
}
