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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Serves a guest book: a page with a form, a JSON API over the same entries, and a mounted
 * application for its owner.
 *
 * <p>{@link Environment} tells the variables of the environment. With the system property {@code
 * stop.with.parent} the process ends when the one that started it does.
 */
public final class Demo {

  private Demo() {}

  /**
   * Serves until the process is told to end.
   *
   * @param args none
   * @throws Exception if a variable is wrong, the database out of reach or the port taken
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
   * @return that in clear text, and where it is asked for that with TLS
   * @throws Exception as {@link #main} does
   */
  static List<Server> start(Environment options) throws Exception {
    Files.createDirectories(options.data());
    Database database = Database.open(options.jdbcUrl());
    Stores stores = Stores.of(options);
    Entries entries = new Entries(database, Clock.systemUTC(), stores.topics());
    LogSink accessLog =
        LogSink.rotating(
            RotatingFile.at(options.data().resolve("access.log"))
                .daily()
                .maxBytes("100mb")
                .keep(14));
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
    List<Server> servers = new ArrayList<>(List.of(app.listen(listening)));
    Integer httpsPort = options.httpsPort();
    if (httpsPort != null) {
      Tls tls = OwnCertificate.in(options.data());
      servers.add(app.listen(listening.port(httpsPort).tls(tls)));
    }
    return servers;
  }

  private static String greeting(List<Server> servers, Environment options) {
    String password = options.passwordGiven() ? "as you chose" : options.adminPassword();
    return "The guest book is at "
        + servers.stream().map(server -> server.uri().toString()).collect(Collectors.joining(", "))
        + ", threads: "
        + options.threads()
        + "; at /admin: admin, password "
        + password;
  }

  private static void stopWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    System.exit(0);
  }
}
