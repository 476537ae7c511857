package dev.percolate.demo;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.logger.RotatingFile;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Serves a guest book: a page with a form, a JSON API for the same entries, and a mounted
 * application for its owner.
 *
 * <p>{@link Environment} lists the environment variables. With the system property {@code
 * stop.with.parent}, the process ends with its parent process.
 */
public final class Demo {

  private Demo() {}

  /**
   * Starts the server, which runs until the process ends.
   *
   * @param args ignored
   * @throws Exception if a variable is invalid, the database is unreachable or the port is in use
   */
  public static void main(String[] args) throws Exception {
    Environment options = Environment.of(System.getenv());
    System.out.println(greeting(start(options), options));
    if (Boolean.getBoolean("stop.with.parent")) {
      Thread watch = new Thread(Demo::stopWithParent, "parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  /**
   * Opens the database and starts the servers.
   *
   * @return the HTTP server and, if configured, the HTTPS server
   * @throws Exception as for {@link #main}
   */
  static List<Server> start(Environment options) throws Exception {
    Files.createDirectories(options.data());
    Database database = Database.open(options.jdbcUrl());
    Stores stores = Stores.of(options.storeUrl());
    Entries entries = new Entries(database, Clock.systemUTC(), stores.topics());
    LogSink accessLog =
        LogSink.rotating(
            RotatingFile.of(options.data().resolve("access.log"))
                .daily()
                .maxBytes("100mb")
                .maxFiles(14));
    App app =
        GuestBook.app(
            entries,
            stores,
            options,
            RequestLogger.of("dev"),
            RequestLogger.of("combined").to(accessLog));
    app.onClose(database).onClose(stores.open());
    ListenOptions listening = ListenOptions.ofPort(options.port()).threads(options.threads());
    if (options.proxy() != null) {
      listening = listening.behindProxy(Duration.ofMinutes(1));
    }
    Server http = app.listen(listening);
    Integer httpsPort = options.httpsPort();
    if (httpsPort == null) {
      return List.of(http);
    }
    try {
      Tls tls = OwnCertificate.in(options.data());
      return List.of(http, app.listen(listening.port(httpsPort).tls(tls)));
    } catch (Exception e) {
      http.close(); // otherwise the process continues without HTTPS
      throw e;
    }
  }

  private static String greeting(List<Server> servers, Environment options) {
    String password = options.passwordGiven() ? "from ADMIN_PASSWORD" : options.adminPassword();
    return "Listening at "
        + servers.stream().map(server -> server.uri().toString()).collect(Collectors.joining(", "))
        + ", threads: "
        + options.threads()
        + "; log in at /admin as admin, password "
        + password
        + (options.unshared().isEmpty()
            ? ""
            : "\nTo run several servers, set " + String.join(", ", options.unshared()));
  }

  private static void stopWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    System.exit(0);
  }
}
