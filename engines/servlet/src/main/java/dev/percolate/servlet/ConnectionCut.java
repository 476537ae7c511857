package dev.percolate.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import java.io.IOException;

/** Closes the connection of an asynchronous request by throwing an exception to the container. */
final class ConnectionCut {

  private static final String CAUSE = "dev.percolate.servlet.cut";

  private ConnectionCut() {}

  /** Dispatches the request again, so that a filter or servlet can throw. */
  static void begin(AsyncContext async, IOException cause) {
    async.getRequest().setAttribute(CAUSE, cause);
    async.dispatch();
  }

  /** Throws the cause if the request was dispatched for this purpose. */
  static void throwCause(ServletRequest request) throws IOException {
    if (request.getAttribute(CAUSE) instanceof IOException cause) {
      throw cause;
    }
  }
}
