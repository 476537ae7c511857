package dev.percolate.conformance;

import dev.percolate.engine.Service;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries requests to a service and its answers back: over sockets, or in memory. */
interface Transport extends AutoCloseable {

  /** Returns why a request cannot be carried here; null if it can. */
  default @Nullable String refusal(Map<String, @Nullable Object> request) {
    return null;
  }

  /**
   * Sends a request, on a connection of its own.
   *
   * @param service gets it
   * @param request as the scenario has it
   * @return the answer, in the form of recorded ones
   */
  Map<String, @Nullable Object> exchange(Service service, Map<String, @Nullable Object> request)
      throws IOException, InterruptedException;

  @Override
  void close();
}
