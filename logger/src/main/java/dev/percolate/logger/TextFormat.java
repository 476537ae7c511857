package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** A format that can write into a line in the making, so that no text is copied. */
@FunctionalInterface
interface TextFormat extends LineFormat {

  /** Appends the line to others' text. */
  void append(Tokens tokens, StringBuilder out);

  /** Tells whether the format itself says how a connection has ended that was handed over. */
  default boolean tellsClosing() {
    return false;
  }

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // the same line, made in another way
  default String line(Tokens tokens, Request req, Response res) {
    StringBuilder out = new StringBuilder(256);
    append(tokens, out);
    return out.toString();
  }
}
