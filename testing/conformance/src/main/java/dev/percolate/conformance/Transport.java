package dev.percolate.conformance;

import dev.percolate.engine.Service;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends requests to a service, over sockets or in memory. */
interface Transport extends AutoCloseable {

  /** Returns the reason why a request cannot be sent by this transport; null if it can. */
  default @Nullable String rejection(Map<String, @Nullable Object> request) {
    return null;
  }

  /**
   * Sends a request on a new connection.
   *
   * @param service the service that handles the request
   * @param request the request in the form of scenarios
   * @return the response in the form of recorded ones
   */
  Map<String, @Nullable Object> exchange(Service service, Map<String, @Nullable Object> request)
      throws IOException, InterruptedException;

  @Override
  void close();
}
