package dev.percolate.core;

import dev.percolate.engine.Server;
import java.util.function.LongSupplier;

/**
 * The state of one outermost application, or of a service without an application: its settings,
 * servers, counters and response timeouts.
 *
 * <p>It is the context of a request until an application handles the request. Thread-safe.
 */
public final class AppState implements AppContext {

  private final Settings settings;
  private final RunningServers servers = new RunningServers();
  private final AppCounters counters = new AppCounters(servers);
  private final ErrorLog errorLog;
  private final ResponseTimeouts responseTimeouts = new ResponseTimeouts();

  /**
   * Creates the state of one application.
   *
   * @param settings the settings of the application, including its environment
   */
  public AppState(Settings settings) {
    this(settings, System::nanoTime);
  }

  /**
   * Creates the state of one application with another clock for its log.
   *
   * @param nanos returns nanoseconds, like {@link System#nanoTime}
   */
  AppState(Settings settings, LongSupplier nanos) {
    this.settings = settings;
    this.errorLog = new ErrorLog(settings, counters, nanos);
  }

  @Override
  public Settings settings() {
    return settings;
  }

  /** Returns the counters of the application. */
  public AppCounters counters() {
    return counters;
  }

  /** Adds a server of the application. */
  public void add(Server server) {
    servers.add(server);
  }

  /**
   * Notifies listeners that a server is shutting down and accepts no new clients. Services call it
   * from {@link dev.percolate.engine.Service#onShutdown}.
   */
  public void notifyShutdown() {
    servers.notifyShutdown();
  }

  RunningServers servers() {
    return servers;
  }

  ErrorLog faultLog() {
    return errorLog;
  }

  /** Returns the watch for requests without a response. */
  ResponseTimeouts responseTimeouts() {
    return responseTimeouts;
  }
}
