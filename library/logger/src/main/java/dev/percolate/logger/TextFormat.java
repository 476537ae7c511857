package dev.percolate.logger;

import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** A format that appends to a builder, so that no text is copied. */
@FunctionalInterface
interface TextFormat extends LineFormat {

  /** Appends the line to a builder. */
  void append(Tokens tokens, StringBuilder out);

  /** Returns whether the format itself shows how an upgraded connection ended. */
  default boolean tellsClosing() {
    return false;
  }

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // the same line, created by append
  default String line(Tokens tokens, Request req, Response res) {
    StringBuilder out = new StringBuilder(256);
    append(tokens, out);
    return out.toString();
  }
}
