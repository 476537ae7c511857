package dev.percolate.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of one played scenario: its directory, its log and its running work. */
final class World implements AutoCloseable {

  private static final FileTime FILE_TIME = FileTime.from(Instant.parse("2020-01-02T03:04:05Z"));

  private final Path root;
  private final List<String> log = new ArrayList<>();
  private @Nullable MissingFeature missing;
  private int begun;
  private int pending;

  private World(Path root) {
    this.root = root;
  }

  /** Writes the files of a scenario to a new directory. */
  static World of(Map<String, @Nullable Object> files) throws IOException {
    World world = new World(Files.createTempDirectory("scenario-").toRealPath());
    for (Map.Entry<String, @Nullable Object> entry : files.entrySet()) {
      Path file = world.root.resolve(entry.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, content(entry.getValue()));
      Files.setLastModifiedTime(file, FILE_TIME);
    }
    return world;
  }

  Path root() {
    return root;
  }

  synchronized void log(String line) {
    log.add(line);
  }

  synchronized List<String> log() {
    return List.copyOf(log);
  }

  /** Records a missing feature, because the exception may end on an error page. */
  MissingFeature missing(String what) {
    note(what);
    return new MissingFeature(what);
  }

  /** Records a missing feature that the scenario can continue without. */
  synchronized void note(String what) {
    if (missing == null) {
      missing = new MissingFeature(what);
    }
  }

  synchronized @Nullable MissingFeature missing() {
    return missing;
  }

  /** Records the start of work that may write to the log. */
  synchronized void begun() {
    begun++;
    pending++;
    notifyAll();
  }

  /** Returns the number of started works. */
  synchronized int count() {
    return begun;
  }

  /** Waits until more work has started, or for a limited time. */
  synchronized void awaitMore(int before, long millis) throws InterruptedException {
    await(() -> begun > before, millis);
  }

  synchronized void over() {
    pending--;
    notifyAll();
  }

  /** Waits until no work is running, or for a limited time. */
  synchronized void settle(long millis) throws InterruptedException {
    await(() -> pending == 0, millis);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private synchronized void await(BooleanSupplier there, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!there.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  private static byte[] content(@Nullable Object content) {
    return content instanceof String text
        ? text.getBytes(StandardCharsets.UTF_8)
        : Base64.getDecoder().decode((String) ScriptValues.map(content).get("base64"));
  }
}
