package dev.percolate.inspector.reload;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One version of the application: its class loader, the thread of its {@code main}, its servers and
 * its requests.
 *
 * <pre>
 *   start: main --listen--> serves requests --end--> waits for them --> onClose, threads, files
 * </pre>
 *
 * <p>Methods are called on the thread of the loop, unless they say otherwise.
 */
final class Version {

  /** How long the next version waits for the requests of this one. */
  private static final long REQUESTS_SECONDS = 1;

  /** How long the next version waits for the {@code onClose} actions of this one. */
  private static final long CLOSE_SECONDS = 5;

  private final int number;
  private final Events events;
  private final Consumer<String> console;
  private final Path classes;
  private final AppLoader loader;
  private final Thread main;
  private final Map<String, VersionServer> servers = new LinkedHashMap<>();
  private final Set<Exchange> requests = ConcurrentHashMap.newKeySet();
  private final List<AutoCloseable> openBefore = Leftovers.open();
  private final CountDownLatch idle = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean mainEnded;
  private volatile boolean ending;

  /** Receives the events of a version, on the threads of the application. */
  interface Events {

    /** Serves an application on a socket that is open, or opens one. */
    Server listen(Version version, Service service, ListenOptions options) throws IOException;

    /** Called when {@code main} has returned, or has thrown an exception or error. */
    void mainEnded(Version version, @Nullable Throwable thrown);
  }

  /**
   * Creates a version.
   *
   * @param classes the folder with its classes, which is deleted at its end
   * @param compiler knows which classes and resources have sources
   */
  Version(
      int number,
      Project project,
      Path classes,
      SourceCompiler compiler,
      Events events,
      Consumer<String> console) {
    this.number = number;
    this.events = events;
    this.console = console;
    this.classes = classes;
    List<Path> folders = new ArrayList<>(List.of(classes));
    folders.addAll(project.resources());
    folders.addAll(project.classes());
    Engine engine = (service, options) -> events.listen(this, service, options);
    this.loader =
        new AppLoader(folders, project.classes(), compiler::isManaged, compiler::hasSource, engine);
    this.main = new Thread(null, () -> runMain(project), "main", 0, false);
    main.setContextClassLoader(loader);
  }

  /** Starts {@code main}. */
  void start() {
    main.start();
  }

  private void runMain(Project project) {
    Throwable thrown = null;
    try {
      String name =
          project.isOneFile() ? MainMethod.classOf(project.main(), classes) : project.main();
      MainMethod.call(Class.forName(name, true, loader), project.arguments());
    } catch (Throwable e) { // an Error too, such as one of a static initializer
      thrown = e;
    }
    events.mainEnded(this, thrown);
  }

  /** Records that {@code main} has ended. */
  void setMainEnded() {
    mainEnded = true;
  }

  /** Returns true if {@code main} has ended, or the version serves all of these ports. */
  boolean isReady(Set<String> ports) {
    return mainEnded || (!servers.isEmpty() && servers.keySet().containsAll(ports));
  }

  /** Returns the position of {@code main} as an exception. */
  Throwable position(String message) {
    IllegalStateException position = new IllegalStateException(message);
    position.setStackTrace(main.getStackTrace());
    return position;
  }

  /** Returns the servers by the names of their ports. */
  Map<String, VersionServer> servers() {
    return servers;
  }

  /** Runs a request. Called on its serial executor. */
  void serve(Service service, Exchange exchange) {
    new LoaderCarrier().run(loader, () -> service.serve(exchange));
  }

  void enter(Exchange exchange) {
    requests.add(exchange);
  }

  /** Removes a request that has ended, on any thread. */
  void leave(Exchange exchange) {
    requests.remove(exchange);
    releaseIfIdle();
  }

  private void releaseIfIdle() {
    if (ending && requests.isEmpty()) {
      idle.countDown();
    }
  }

  /** Returns true if the version is being replaced. May be called on any thread. */
  boolean isEnding() {
    return ending;
  }

  /**
   * Ends this version. Waits for its requests and {@code onClose} actions, but not for ever: if a
   * request takes long, the rest happens after its end.
   */
  void end() throws InterruptedException {
    List<AutoCloseable> open = Leftovers.open();
    open.removeAll(openBefore);
    ending = true;
    releaseIfIdle();
    Thread thread = new Thread(null, () -> finish(open), "percolate-end-" + number, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
    if (idle.await(REQUESTS_SECONDS, TimeUnit.SECONDS)) {
      boolean ignored = done.await(CLOSE_SECONDS, TimeUnit.SECONDS);
    } else {
      requests.forEach(this::showLate);
    }
  }

  private void showLate(Exchange exchange) {
    Thread owner = exchange.executor().thread();
    console.accept(
        "version %d still has the request %s %s %s; its onClose actions run when it ends"
            .formatted(
                number,
                exchange.method(),
                exchange.target(),
                owner == null ? "" : CallSite.of(owner.getStackTrace())));
  }

  private void finish(List<AutoCloseable> open) {
    servers.values().forEach(one -> Callbacks.run("ending requests", one.service()::onShutdown));
    try {
      idle.await();
      servers.values().forEach(VersionServer::end);
      Leftovers.close(open);
      Leftovers.endThreads(loader, console);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this thread is never interrupted
    }
    done.countDown();
    Thread.currentThread().setContextClassLoader(loader.getParent());
    Leftovers.clearCaches();
    Callbacks.run("deleting classes", () -> Leftovers.delete(classes));
  }
}
