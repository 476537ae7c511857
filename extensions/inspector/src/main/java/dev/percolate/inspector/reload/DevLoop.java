package dev.percolate.inspector.reload;

import dev.percolate.core.ErrorResponse;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application, and replaces it when its files have changed. Sockets stay open, and no
 * request is rejected.
 *
 * <p>One thread does all the work. Other threads only add events to its queue. Requests that have
 * arrived wait for a check of all files that begins after their arrival, and for a restart if
 * something has changed. So each request is served by the code that was current when it arrived, or
 * by later code.
 *
 * <pre>
 *   requests --> arrived --check files--> no change ------------------> current version
 *                             |                                            ^
 *                             +--> compile --> end old --> start new ------+
 *                                     |                       |
 *                                     +------- error ---------+--> page with the error
 * </pre>
 */
public final class DevLoop implements Runnable, Version.Events, OpenPort.Requests {

  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  /** Without requests, the pause after a check of the files is this many times as long. */
  private static final int REST = 20;

  /** How often files are checked while an application starts. */
  private static final long START_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long requests wait for {@code listen}. */
  private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(10);

  /** After an error, how long to wait for the rest of a file that is still being written. */
  private static final long SETTLE_MILLIS = 50;

  private final Project project;
  private final Function<Throwable, Service> errorPages;
  private final Consumer<String> console;
  private final SourceCompiler compiler;
  private final Engine engine;
  private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final Browsers browsers = new Browsers();
  private final OpenPorts ports;
  private List<Arrival> arrived = new ArrayList<>();
  private SourceTree tree = SourceTree.EMPTY;
  private long pause = SHORTEST_PAUSE;
  private int versions;
  private @Nullable Version version;

  /** Identifies the state of the files. Pages of another state reload. */
  private String state = "";

  /** The error of the current sources; null if they serve requests. */
  private @Nullable Throwable error;

  /** Whether the error is that of newer sources than those of the version. */
  private boolean outdated;

  /** A request that waits. */
  private record Arrival(OpenPort port, Exchange exchange) {}

  /**
   * Creates a loop.
   *
   * @param project the application
   * @param errorPages creates the service for all requests while there is an error
   * @param console receives messages
   * @throws IllegalArgumentException if this is not a JDK
   * @throws IllegalStateException if there is no engine
   */
  public DevLoop(
      Project project, Function<Throwable, Service> errorPages, Consumer<String> console) {
    this.project = project;
    this.errorPages = errorPages;
    this.console = console;
    this.compiler = new SourceCompiler(project);
    this.engine = Engine.find();
    this.ports = new OpenPorts(engine, this);
    System.clearProperty("percolate.engine"); // the application finds ReloadEngine
  }

  /** Runs until the thread is interrupted. */
  @Override
  public void run() {
    // Threads of the engine inherit it. They find carriers, even if the first request fails.
    Thread.currentThread().setContextClassLoader(AppLoader.empty(engine));
    // Its thread would keep the loader of the first version that uses it.
    Runnable ignored = DaemonTimer.after(Duration.ofMillis(1), () -> {});
    ExitNotice.add(console);
    try {
      tree = SourceTree.read(project, tree, System.currentTimeMillis());
      compiler.note(tree);
      rebuild();
      while (true) {
        await(arrived.isEmpty() ? pause : 0);
        List<Arrival> waiting = arrived;
        arrived = new ArrayList<>();
        refresh();
        waiting.forEach(one -> Callbacks.run("passing on a request", () -> release(one)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for an event, then handles all events. */
  private void await(long nanos) throws InterruptedException {
    for (Runnable event = events.poll(nanos, TimeUnit.NANOSECONDS);
        event != null;
        event = events.poll()) {
      Callbacks.run("an event of the development loop", event);
    }
  }

  private void refresh() throws InterruptedException {
    long begun = System.nanoTime();
    SourceTree.Change change = change();
    long rest = REST * (System.nanoTime() - begun);
    pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, rest));
    if (change == SourceTree.Change.CODE) {
      rebuild();
    } else if (change == SourceTree.Change.LIVE) {
      reloadPages();
    }
  }

  private SourceTree.Change change() {
    SourceTree read = SourceTree.read(project, tree, System.currentTimeMillis());
    SourceTree.Change change = read.since(tree, compiler::isCopy);
    tree = read;
    if (change != SourceTree.Change.NONE) {
      compiler.note(tree);
    }
    return change;
  }

  private void rebuild() throws InterruptedException {
    while (!build()) {
      // files have changed meanwhile
    }
    reloadPages();
  }

  /** Compiles and starts a version. Returns false if files have changed meanwhile. */
  private boolean build() throws InterruptedException {
    long begun = System.nanoTime();
    try {
      Path classes = compiler.compile(tree);
      endVersion();
      if (!start(classes)) {
        return false;
      }
    } catch (CompileException | RuntimeException | Error e) { // annotation processors, too
      error = e;
      outdated = true;
    }
    if (error != null) {
      Thread.sleep(SETTLE_MILLIS);
      if (change() == SourceTree.Change.CODE) {
        return false;
      }
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    Throwable cause = error;
    console.accept(
        cause == null ? "version " + versions + " started in " + millis + " ms" : text(cause));
    return true;
  }

  private static String text(Throwable cause) {
    return cause instanceof CompileException
        ? "The sources do not compile:\n" + cause.getMessage()
        : ErrorResponse.text(cause);
  }

  private void endVersion() throws InterruptedException {
    Version old = version;
    version = null;
    if (old != null) {
      old.end();
    }
  }

  /** Starts a version and waits until it serves. Returns false if files have changed meanwhile. */
  private boolean start(Path classes) throws InterruptedException {
    versions++;
    Version next = new Version(versions, project, classes, compiler, this, console);
    version = next;
    error = null;
    outdated = false;
    next.start();
    long end = System.nanoTime() + START_LIMIT;
    while (!next.isReady(ports.names()) && System.nanoTime() - end < 0) {
      await(START_PAUSE);
      if (change() == SourceTree.Change.CODE) {
        return false;
      }
    }
    if (error == null && next.servers().isEmpty()) {
      error = next.position("main has not called listen within 10 s");
    } else if (!next.servers().isEmpty()) {
      ports.keep(next.servers().keySet()); // main may never end
    }
    return true;
  }

  private void reloadPages() {
    state = UUID.randomUUID().toString();
    browsers.changed(state);
  }

  /** Passes a request to the current version, or to the page with the error. */
  private void release(Arrival arrival) {
    boolean page = LocalPage.isPage(arrival.exchange) && LocalPage.isLocal(arrival.exchange);
    Exchange exchange = page ? new PageExchange(arrival.exchange, state) : arrival.exchange;
    Version now = version;
    VersionServer server = now == null ? null : now.servers().get(arrival.port.name());
    if (error == null && now != null && server != null) {
      Exchange tracked = TrackedExchange.of(exchange, now);
      exchange.executor().execute(() -> now.serve(server.service(), tracked));
    } else {
      Throwable cause =
          error == null ? new IllegalStateException("main no longer listens on this port") : error;
      exchange.executor().execute(() -> errorPages.apply(cause).serve(exchange));
    }
  }

  @Override
  public void arrived(OpenPort port, Exchange exchange) {
    if (Browsers.covers(exchange)) {
      events.add(() -> browsers.open(exchange, state));
    } else {
      events.add(() -> arrived.add(new Arrival(port, exchange)));
    }
  }

  @Override
  public void closing() {
    events.add(browsers::close);
  }

  @Override
  public void mainEnded(Version ended, @Nullable Throwable thrown) {
    events.add(
        () -> {
          ended.setMainEnded();
          if (ended == version && !outdated) {
            setResult(ended, thrown);
          }
        });
  }

  private void setResult(Version ended, @Nullable Throwable thrown) {
    if (ended.servers().isEmpty()) {
      Throwable cause =
          thrown == null
              ? new IllegalStateException("main returned without calling listen")
              : thrown;
      if (error != null) { // later than START_LIMIT
        console.accept(text(cause));
        reloadPages();
      }
      error = cause;
    } else if (thrown != null) {
      console.accept(text(thrown));
    } else {
      ports.keep(ended.servers().keySet());
    }
  }

  @Override
  public Server listen(Version caller, Service service, ListenOptions options) throws IOException {
    try {
      return CompletableFuture.supplyAsync(() -> open(caller, service, options), events::add)
          .join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      if (cause != null && cause.getCause() instanceof IOException io) {
        throw new IOException(io.getMessage(), io); // its stack names the line of listen
      }
      throw cause instanceof RuntimeException unchecked ? unchecked : e;
    }
  }

  private Server open(Version caller, Service service, ListenOptions options) {
    if (caller != version) {
      throw new IllegalStateException("this version of the application has been replaced");
    }
    try {
      Server server = ports.listen(caller.servers(), service, options);
      if (error != null && !outdated) { // later than START_LIMIT
        error = null;
        reloadPages();
      }
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
