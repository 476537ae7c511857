package dev.percolate.core;

import dev.percolate.engine.Server;
import java.util.concurrent.atomic.LongAdder;

/** Counts the open connections of one application, and its errors that no client can see. */
public final class AppCounters {

  private final RunningServers servers;
  final LongAdder duplicateResponses = new LongAdder();
  final LongAdder duplicateNextCalls = new LongAdder();
  final LongAdder lateErrors = new LongAdder();
  final LongAdder responseTimeouts = new LongAdder();

  AppCounters(RunningServers servers) {
    this.servers = servers;
  }

  /** Returns the number of responses that were rejected because the request already had one. */
  public long duplicateResponses() {
    return duplicateResponses.sum();
  }

  /** Returns the number of calls of a {@code next} that had already been called. */
  public long duplicateNextCalls() {
    return duplicateNextCalls.sum();
  }

  /**
   * Returns the number of errors that came after {@code next} was called, or after the response.
   */
  public long lateErrors() {
    return lateErrors.sum();
  }

  /**
   * Returns the number of requests that got a 503 because they had no response in time. See {@link
   * dev.percolate.engine.ListenOptions#responseTimeout}.
   */
  public long responseTimeouts() {
    return responseTimeouts.sum();
  }

  /**
   * Returns the number of connections that ended before the TLS handshake was complete, on all
   * servers of the application. See {@link Server#failedHandshakes}.
   */
  public long failedHandshakes() {
    return servers.failedHandshakes();
  }

  /**
   * Returns the number of open connections on the servers of the application. Servers whose engine
   * does not count them are left out.
   */
  public long connections() {
    return servers.connections();
  }
}
