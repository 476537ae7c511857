package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server for one test class, on a free port and in a temporary folder. It refuses to
 * run as root, so root runs it as the user {@code postgres} of its package.
 */
final class PostgresServer {

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

  private final Path programs;
  private final Path folder;
  private final int port;
  private Process process;

  private PostgresServer(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** Starts a server. If PostgreSQL is not installed, the test is skipped, except in CI. */
  static PostgresServer start() throws Exception {
    List<Path> found = programs();
    if (System.getenv("CI") != null) {
      assertFalse(found.isEmpty(), "PostgreSQL is not installed");
    }
    assumeFalse(found.isEmpty(), "PostgreSQL is not installed: tests that need it are skipped");
    PostgresServer server = new PostgresServer(found.get(0), newFolder(), freePort());
    List<String> initialize =
        server.command("initdb", "-D", server.data(), "-U", "test", "-A", "trust", "-N");
    run(server.folder, initialize);
    server.process = server.begin();
    return server;
  }

  /** Starts a copy of this server. From then on, commits wait until the copy has them. */
  PostgresServer startStandby() throws Exception {
    PostgresServer standby = new PostgresServer(programs, newFolder(), freePort());
    List<String> copy = standby.command("pg_basebackup", "-D", standby.data(), "-R", "-U", "test");
    copy.addAll(List.of("-X", "stream", "-c", "fast", "-h", "127.0.0.1", "-p", "" + port));
    run(standby.folder, copy);
    standby.process = standby.begin();
    execute("alter system set synchronous_standby_names = '*'");
    execute("select pg_reload_conf()");
    return standby;
  }

  /** Makes this standby the primary. */
  void promote() throws SQLException {
    execute("select pg_promote()");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      boolean ignored = statement.execute(sql);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static Path newFolder() throws Exception {
    Path folder = Files.createTempDirectory("postgres");
    if (isRoot()) {
      run(folder, List.of("chown", "postgres", folder.toString()));
    }
    return folder;
  }

  private static List<Path> programs() throws IOException {
    List<Path> places = new ArrayList<>();
    for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
      places.add(Path.of(place));
    }
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        versions.sorted(Comparator.reverseOrder()).forEach(one -> places.add(one.resolve("bin")));
      }
    }
    return places.stream().filter(PostgresServer::hasPrograms).toList();
  }

  /** Returns true for a folder with all programs, not only links to some. */
  private static boolean hasPrograms(Path folder) {
    return Files.isExecutable(folder.resolve("initdb"))
        && Files.isExecutable(folder.resolve("pg_basebackup"));
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private List<String> command(String program, String... arguments) {
    List<String> command =
        new ArrayList<>(
            isRoot() ? List.of("setpriv", "--reuid=postgres", "--clear-groups") : List.of());
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static void run(Path folder, List<String> command) throws Exception {
    Path log = folder.resolveSibling(folder.getFileName() + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status = process.waitFor();
    String said = Files.readString(log);
    Files.delete(log);
    if (status != 0) {
      throw new IOException(command + ": " + said);
    }
  }

  private Process begin() throws Exception {
    Process started =
        new ProcessBuilder(
                command(
                    "postgres",
                    "-D",
                    data(),
                    "-p",
                    "" + port,
                    "-k",
                    folder.toString(),
                    "-c",
                    "listen_addresses=127.0.0.1",
                    "-c",
                    "fsync=off"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (Connection connection = DriverManager.getConnection(url())) {
        if (connection.isValid(1)) {
          return started;
        }
      } catch (SQLException e) {
        if (System.nanoTime() > end || !started.isAlive()) {
          throw e;
        }
      }
      Thread.sleep(20);
    }
  }

  String url() {
    return "jdbc:postgresql://" + address() + "/postgres?user=test";
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Pauses all of its processes. */
  void pause() throws Exception {
    signal("STOP");
  }

  void resume() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    List<String> kill = new ArrayList<>(List.of("kill", "-" + name));
    kill.add("" + process.pid());
    process.descendants().forEach(one -> kill.add("" + one.pid()));
    new ProcessBuilder(kill).start().waitFor();
  }

  /** Closes all connections at once, and stops the server. */
  void stop() throws Exception {
    process.destroy(); // TERM waits for clients, INT does not
    new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor();
    process.waitFor();
  }

  void startAgain() throws Exception {
    process = begin();
  }

  void close() throws Exception {
    signal("CONT");
    stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
