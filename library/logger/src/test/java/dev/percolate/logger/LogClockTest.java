package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogClockTest {

  private final AtomicLong millis = new AtomicLong();
  private final LogClock clock = new LogClock(new Settable(), () -> 0);

  private final class Settable extends Clock {

    @Override
    public ZoneId getZone() {
      return ZoneOffset.ofHours(5);
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis.get());
    }
  }

  private String at(String instant) {
    millis.set(Instant.parse(instant).toEpochMilli());
    StringBuilder out = new StringBuilder();
    clock.appendClf(out);
    clock.appendIso(out.append('|'));
    clock.appendWeb(out.append('|'));
    return out.toString();
  }

  @Test
  void datesAreInUtcWithTwoDigits() {
    assertEquals(
        "02/Jan/2003:04:05:06 +0000|2003-01-02T04:05:06.007Z|Thu, 02 Jan 2003 04:05:06 GMT",
        at("2003-01-02T04:05:06.007Z"));
  }

  @Test
  void theNextSecondHasItsOwnText() {
    assertEquals(
        "31/Dec/2024:23:59:59 +0000|2024-12-31T23:59:59.999Z|Tue, 31 Dec 2024 23:59:59 GMT",
        at("2024-12-31T23:59:59.999Z"));
    assertEquals(
        "01/Jan/2025:00:00:00 +0000|2025-01-01T00:00:00.000Z|Wed, 01 Jan 2025 00:00:00 GMT",
        at("2025-01-01T00:00:00.000Z"));
  }

  @Test
  void timesBeforeTheEpochAreWrittenToo() {
    assertEquals(
        "31/Dec/1969:23:59:59 +0000|1969-12-31T23:59:59.001Z|Wed, 31 Dec 1969 23:59:59 GMT",
        at("1969-12-31T23:59:59.001Z"));
  }
}
