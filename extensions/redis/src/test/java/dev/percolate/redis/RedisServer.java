package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Redis server for one test class, on a free port and in a temporary folder. */
final class RedisServer implements AutoCloseable {

  private static final String PROGRAM = "redis-server";

  private final Path folder;
  private final int port;
  private final List<String> options;
  private Process process;

  private RedisServer(Path folder, int port, List<String> options) throws IOException {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.process = run();
  }

  /**
   * Starts a server. If Redis is not installed, the test is skipped, except in CI.
   *
   * @param options further options, such as {@code --requirepass secret}
   */
  static RedisServer start(String... options) throws IOException {
    return startAt(freePort(), options);
  }

  /** Starts a server on a port that is known to be free. */
  static RedisServer startAt(int port, String... options) throws IOException {
    require();
    return new RedisServer(Files.createTempDirectory("redis"), port, List.of(options));
  }

  /**
   * Creates a client with a long timeout, since a busy machine may be slow.
   *
   * @param name the prefix of its keys
   */
  Redis client(String name) {
    return Redis.of(url(), name, Duration.ofSeconds(10));
  }

  /** Starts a sentinel for a master with the name {@code main}, with a quorum of two. */
  static RedisServer sentinelOf(RedisServer master) throws IOException {
    require();
    Path folder = Files.createTempDirectory("sentinel");
    Files.writeString(
        folder.resolve("sentinel.conf"),
        """
        sentinel monitor main 127.0.0.1 %d 2
        sentinel down-after-milliseconds main 1500
        sentinel failover-timeout main 20000
        """
            .formatted(master.port));
    return new RedisServer(folder, freePort(), List.of("--sentinel"));
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void require() {
    boolean there =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, PROGRAM)));
    if (System.getenv("CI") != null) {
      assertTrue(there, PROGRAM + " is not installed");
    }
    assumeTrue(there, PROGRAM + " is not installed: tests that need it are skipped");
  }

  /** Sends a command as text, and returns what {@code redis-cli} prints. */
  String say(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("redis-cli", "-p", "" + port));
    command.addAll(List.of(words));
    Process asked = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  int port() {
    return port;
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills the server. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Stops the server, which saves its data, and starts it again. */
  void restart() throws IOException {
    process.destroy();
    awaitEnd();
    process = run();
  }

  /** Restarts a server that was killed. */
  void startAgain() throws IOException {
    process = run();
  }

  private void awaitEnd() {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void pause() throws IOException {
    signal("STOP");
  }

  void resume() throws IOException {
    signal("CONT");
  }

  private void signal(String name) throws IOException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    try {
      kill.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Process run() throws IOException {
    Path sentinel = folder.resolve("sentinel.conf");
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    if (Files.exists(sentinel)) {
      command.add(sentinel.toString());
    }
    command.addAll(List.of("--port", "" + port));
    command.addAll(List.of("--bind", "127.0.0.1", "--dir", folder.toString()));
    if (!Files.exists(sentinel)) {
      command.addAll(List.of("--save", ""));
    }
    command.addAll(options);
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!isOpen()) {
      if (System.nanoTime() > end || !started.isAlive()) {
        throw new IOException(Files.readString(folder.resolve("log")));
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
    return started;
  }

  private boolean isOpen() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
