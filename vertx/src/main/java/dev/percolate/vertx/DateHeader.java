package dev.percolate.vertx;

import dev.percolate.http.HttpDate;
import io.netty.util.AsciiString;

/** Gives the value of the header {@code Date}, made anew each second; used by one loop. */
final class DateHeader {

  private long second = -1;
  private AsciiString text = AsciiString.EMPTY_STRING;

  AsciiString now() {
    long now = System.currentTimeMillis();
    if (now / 1000 != second) {
      second = now / 1000;
      text = HeaderLine.value(HttpDate.format(now));
    }
    return text;
  }
}
