package dev.percolate.core;

import dev.percolate.http.HttpError;

/** Ends a request whose body found no room in memory. */
final class NoRoom extends HttpError {

  private static final long serialVersionUID = 1L;

  NoRoom() {
    super(503, "no room in memory for the body", "memory.unavailable", null);
  }

  /** Keeps no stack: a crowd causes many, and there is nothing in it to find. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
