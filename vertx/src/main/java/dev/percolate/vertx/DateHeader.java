package dev.percolate.vertx;

import dev.percolate.http.HttpDate;

/** Gives the value of the header {@code Date}, made anew each second; used by one loop. */
final class DateHeader {

  private long second = -1;
  private String text = "";

  String now() {
    long now = System.currentTimeMillis();
    if (now / 1000 != second) {
      second = now / 1000;
      text = HttpDate.format(now);
    }
    return text;
  }
}
