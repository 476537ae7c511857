package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Many edits while clients send requests without a pause. */
class EditStormTest {

  private static final int CLIENTS = 8;

  /** The current version, two that end, and the loader of the engine's threads. */
  private static final int MOST_LOADERS = 4;

  private static final String LOADER = "dev.percolate.inspector.reload.AppLoader";

  private static final String BODY =
      """
          app.use(dev.percolate.logger.RequestLogger.of("tiny").to(line -> {}));
          app.get("/", (req, res) -> {
            Page page = req.query(Page.class);
            res.json(dev.percolate.core.JsonCodec.find().read("{\\"number\\":%d}", Answer.class));
          });
          java.util.concurrent.ScheduledExecutorService timer =
              java.util.concurrent.Executors.newScheduledThreadPool(1);
          timer.scheduleAtFixedRate(() -> LOCAL.set(new Answer(1)), 1, 1, java.util.concurrent.TimeUnit.SECONDS);
          app.onClose(timer::shutdownNow);
      """;

  @TempDir Path folder;

  private final AtomicInteger written = new AtomicInteger();
  private final AtomicLong served = new AtomicLong();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  @Test
  @Timeout(180)
  void fiftyEditsLoseNoRequest() throws Exception {
    play(50, 0);
  }

  @Test
  @Tag("long")
  @Timeout(1800)
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void thousandEditsLoseNoRequest() throws Exception {
    play(1000, 100);
  }

  /**
   * Edits an application under load.
   *
   * @param requests the least number of requests that are served between two edits
   */
  private void play(int edits, int requests) throws Exception {
    write(0);
    try (DevProcess dev = DevProcess.start(folder, "com.example.Main")) {
      int port = dev.port();
      edit(port, 1);
      edit(port, 2);
      long descriptors = dev.descriptors();
      List<String> threads = dev.threads();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Thread client = new Thread(() -> ask(port), "client-" + i);
        client.start();
        clients.add(client);
      }
      long[] millis = new long[edits];
      for (int i = 0; i < edits; i++) {
        millis[i] = edit(port, i + 3);
        long before = served.get();
        while (served.get() < before + requests && faults.isEmpty()) {
          Thread.sleep(1);
        }
      }
      over = true;
      for (Thread client : clients) {
        client.join();
      }
      assertEquals(List.of(), faults.stream().limit(5).toList(), dev::output);
      Arrays.sort(millis);
      System.out.printf(
          "%d edits, %d requests; edit to first response: median %d ms, longest %d ms%n",
          edits, served.get(), millis[edits / 2], millis[edits - 1]);
      assertTrue(dev.live(LOADER) > 0);
      awaitAtMost(MOST_LOADERS, () -> dev.live(LOADER), () -> "class loaders");
      awaitAtMost(descriptors + 5, dev::descriptors, () -> "descriptors");
      awaitAtMost(threads.size() + 5, () -> dev.threads().size(), () -> "" + dev.threads());
    }
  }

  /** Waits until idle connections are closed, and threads of pools have ended. */
  private static void awaitAtMost(
      long most, Callable<? extends Number> count, Callable<String> what) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    long now = count.call().longValue();
    while (now > most && System.nanoTime() - end < 0) {
      Thread.sleep(50);
      now = count.call().longValue();
    }
    if (now > most) {
      fail(now + " instead of at most " + most + ": " + what.call());
    }
  }

  /** Edits the application. Returns the time until the edit is served, in milliseconds. */
  private long edit(int port, int number) throws IOException {
    write(number);
    long begun = System.nanoTime();
    written.set(number);
    try (Socket socket = connect(port)) {
      check(number, answer(socket));
    }
    return (System.nanoTime() - begun) / 1_000_000;
  }

  /** Writes a version, half of them in place, the others by renaming a new file. */
  private void write(int number) throws IOException {
    String source =
        DevProcess.main(BODY.formatted(number))
            .replace(
                "final class Main {",
                """
                final class Main {
                  record Answer(int number) {}
                  record Page(java.util.Optional<Integer> page) {}

                  static final ThreadLocal<Answer> LOCAL = new ThreadLocal<>();
                """);
    Path file = folder.resolve("src/main/java/com/example/Main.java");
    Files.createDirectories(file.getParent());
    if (number % 2 == 0) {
      Files.writeString(file, source);
    } else {
      Path other = Files.writeString(folder.resolve("Main.new"), source);
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void ask(int port) {
    try (Socket socket = connect(port)) {
      while (!over) {
        int current = written.get();
        check(current, answer(socket));
        served.incrementAndGet();
      }
    } catch (IOException e) {
      faults.add(e.toString());
    }
  }

  private void check(int current, String body) {
    String number = body.replaceAll("\\D", "");
    if (!body.contains("\"number\"") || number.isEmpty() || Integer.parseInt(number) < current) {
      faults.add("expected " + current + " or later, got " + body);
    }
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Sends a request. Returns the body of the response. */
  private static String answer(Socket socket) throws IOException {
    String request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = new BufferedInputStream(socket.getInputStream());
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed after \"" + head + "\"");
      }
      head.append((char) b);
    }
    int at = head.indexOf("Content-Length: ") + "Content-Length: ".length();
    int length = Integer.parseInt(head.substring(at, head.indexOf("\r", at)));
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
