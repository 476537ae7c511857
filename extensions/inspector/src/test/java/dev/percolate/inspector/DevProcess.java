package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The development loop in a process of its own, with an application in a temporary folder. */
final class DevProcess implements AutoCloseable {

  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(90);
  private static final Pattern PORT = Pattern.compile("port (\\d+)");

  /** Threads of pools, which end when they have been idle for a while. */
  private static final Pattern IDLE = Pattern.compile("^\"(ForkJoinPool|percolate-pool-)");

  private final Path folder;
  private final Process process;
  private final List<String> output = new ArrayList<>();
  private int port;

  private DevProcess(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
    Thread reader = new Thread(this::read, "reader");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the loop in a folder. */
  static DevProcess start(Path folder, String... arguments) throws IOException {
    String javaHome = System.getProperty("java.home");
    List<String> command = new ArrayList<>();
    command.add(Path.of(javaHome, "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    Path temporary = Files.createDirectories(folder.resolve(".tmp"));
    command.add("-Djava.io.tmpdir=" + temporary);
    Path built = folder.toRealPath().resolve("target/classes"); // used if it exists
    command.addAll(List.of("-cp", classPath() + File.pathSeparator + built, Dev.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    return new DevProcess(folder, builder.redirectErrorStream(true).start());
  }

  private static String classPath() {
    Stream<String> paths =
        Stream.of("jdk.module.path", "java.class.path").map(key -> System.getProperty(key, ""));
    List<String> entries =
        new ArrayList<>(List.of(Path.of("target/classes").toAbsolutePath() + ""));
    paths
        .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
        .filter(entry -> !entry.isEmpty() && !entry.endsWith("test-classes"))
        .forEach(entry -> entries.add(Path.of(entry).toAbsolutePath().toString()));
    return String.join(File.pathSeparator, entries);
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (output) {
          output.add(line);
          output.notifyAll();
        }
      }
    } catch (IOException e) {
      // the process was destroyed
    }
  }

  /** Writes a file of the application. */
  DevProcess write(String file, String text) throws IOException {
    write(folder, file, text);
    return this;
  }

  /** Writes a file of an application. */
  static void write(Path folder, String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Writes {@code com.example.Main}. */
  static void writeMain(Path folder, String body) throws IOException {
    write(folder, "src/main/java/com/example/Main.java", main(body));
  }

  /** Returns the source of {@code com.example.Main}, whose {@code main} has the given body. */
  static String main(String body) {
    return """
        package com.example;

        import dev.percolate.framework.App;
        import dev.percolate.engine.Server;

        public final class Main {
          public static void main(String[] args) throws Exception {
            App app = new App();
        %s
            System.out.println("port " + app.listen("127.0.0.1", 0).port());
          }
        }
        """
        .formatted(body);
  }

  /** Changes the body of {@code main}. */
  DevProcess edit(String body) throws IOException {
    writeMain(folder, body);
    return this;
  }

  /** Waits for a line that contains a text. Returns it. */
  String await(String text) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE;
    synchronized (output) {
      while (true) {
        for (String line : output) {
          if (line.contains(text)) {
            return line;
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return fail("no line with \"" + text + "\" in\n" + String.join("\n", output));
        }
        output.wait(left);
      }
    }
  }

  /** Returns the port that the application prints as {@code port 1234}. It remains the same. */
  int port() throws InterruptedException {
    if (port == 0) {
      Matcher line = PORT.matcher(await("port "));
      port = line.find() ? Integer.parseInt(line.group(1)) : fail("no port");
    }
    return port;
  }

  /** Forgets what was printed, except the port. */
  void clear() throws InterruptedException {
    int ignored = port();
    synchronized (output) {
      output.clear();
    }
  }

  URI uri() throws InterruptedException {
    return URI.create("http://localhost:" + port());
  }

  Client client() throws InterruptedException {
    return Client.of(uri());
  }

  Reply get(String target) throws InterruptedException {
    return Call.get(target).to(uri());
  }

  /** Sends a request whose response takes long. Returns the head and the body. */
  String slow(String target) throws IOException, InterruptedException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(60_000);
      String head = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Loads a page as a browser does. */
  Reply page(String target) throws InterruptedException {
    return page(target, "Accept-Encoding", "gzip");
  }

  Reply page(String target, String header, String value) throws InterruptedException {
    return Call.get(target)
        .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
        .header("Sec-Fetch-Dest", "document")
        .header("Sec-Fetch-Site", "none")
        .header(header, value)
        .to(uri());
  }

  /** Waits until a port is closed. */
  static void awaitRefusal(int port) throws IOException, InterruptedException {
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertTrue(socket.isConnected());
        Thread.sleep(10);
      } catch (ConnectException e) {
        return;
      }
    }
  }

  /** Returns the number of live objects of a class, after a garbage collection. */
  int live(String className) throws IOException, InterruptedException {
    int count = 0;
    for (String line : jcmd("GC.class_histogram")) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length >= 4 && words[3].equals(className)) {
        count += Integer.parseInt(words[1]);
      }
    }
    return count;
  }

  /** Returns the names of the threads, without virtual ones, those that run them, and pools. */
  List<String> threads() throws IOException, InterruptedException {
    return jcmd("Thread.print").stream()
        .filter(line -> line.startsWith("\"") && !IDLE.matcher(line).find())
        .map(line -> line.substring(1, line.indexOf('"', 1)))
        .toList();
  }

  private List<String> jcmd(String command) throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process asking =
        new ProcessBuilder(tool, process.pid() + "", command).redirectErrorStream(true).start();
    try (BufferedReader lines = asking.inputReader(StandardCharsets.UTF_8)) {
      List<String> all = lines.lines().toList();
      int unused = asking.waitFor();
      return all;
    }
  }

  /** Returns the number of open file descriptors; -1 if the system does not show them. */
  long descriptors() throws IOException {
    Path open = Path.of("/proc/" + process.pid() + "/fd");
    if (!Files.isDirectory(open)) {
      return -1;
    }
    try (Stream<Path> files = Files.list(open)) {
      return files.count();
    }
  }

  /** Waits for the end of the process. Returns its exit status. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor(30, TimeUnit.SECONDS) ? process.exitValue() : fail("still running");
  }

  /** Returns everything that was printed. */
  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  /** Asks the process to end, as Ctrl-C does. */
  void terminate() {
    process.toHandle().destroy(); // Process.destroy closes the output
  }

  @Override
  public void close() {
    Process unused = process.destroyForcibly().onExit().join(); // its folder will be deleted
  }
}
