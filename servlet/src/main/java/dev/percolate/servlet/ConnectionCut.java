package dev.percolate.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import java.io.IOException;

/** Closes the connection of an asynchronous request, which a container does for what is thrown. */
final class ConnectionCut {

  private static final String CAUSE = "dev.percolate.servlet.cut";

  private ConnectionCut() {}

  /** Has the container call filters and servlets once more, for one of them to throw. */
  static void begin(AsyncContext async, IOException cause) {
    async.getRequest().setAttribute(CAUSE, cause);
    async.dispatch();
  }

  /** Throws the cause if this is that call. */
  static void throwCause(ServletRequest request) throws IOException {
    if (request.getAttribute(CAUSE) instanceof IOException cause) {
      throw cause;
    }
  }
}
