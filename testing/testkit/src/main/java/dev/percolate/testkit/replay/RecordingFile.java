package dev.percolate.testkit.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes recordings on a thread of its own: one file, or one for each failure. */
final class RecordingFile {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final int QUEUE = 1_000;
  private static final int MOST_BEFORE = 20;
  private static final int MOST_FILES = 100;
  private static final int MOST_OF_A_KIND = 3;
  private static final Duration SLOW = Duration.ofSeconds(10);
  private static final String END = "\n]\n";

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

  private final Path path;
  private final boolean onlyFailures;
  private final AtomicLong held = new AtomicLong();
  private final RecordedClients<Deque<Tape>> clients = new RecordedClients<>(ArrayDeque::new);
  private final Deque<Deque<Tape>> histories = new ArrayDeque<>();
  private final ThreadPoolExecutor writer;
  private final Map<String, Integer> kinds = new HashMap<>();
  private @Nullable FileChannel channel;
  private @Nullable TapeText text;
  private long size;
  private int files = -1;
  private volatile boolean open = true;
  private boolean full;

  RecordingFile(Path path, boolean onlyFailures) {
    this.path = path;
    this.onlyFailures = onlyFailures;
    writer =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> {
              Thread thread = new Thread(task, "percolate-recorder");
              thread.setDaemon(true);
              return thread;
            });
    writer.allowCoreThreadTimeOut(true);
  }

  boolean isOpen() {
    return open;
  }

  RecordedClients<Deque<Tape>> clients() {
    return clients;
  }

  /** Returns the counter of the bytes in memory. */
  AtomicLong held() {
    return held;
  }

  /**
   * Queues a finished request; drops it if the queue is full.
   *
   * @param texts creates the text of a file
   * @param maxSize the total size at which recording stops, in bytes
   */
  void add(Tape tape, Supplier<TapeText> texts, long maxSize) {
    if (tape.status == 101) {
      tape.release();
      return;
    }
    if (!onlyFailures) {
      Deque<Tape> unused = clients.of(tape); // before its next request
    }
    try {
      writer.execute(() -> write(tape, texts, maxSize));
    } catch (RejectedExecutionException e) {
      tape.release();
    }
  }

  void close() {
    open = false;
    writer.shutdown();
    try {
      if (!writer.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.log(System.Logger.Level.WARNING, "{0} is incomplete: writing took too long", path);
      }
      FileChannel last = channel;
      if (last != null) {
        last.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      stop(e);
    }
  }

  private void write(Tape tape, Supplier<TapeText> texts, long maxSize) {
    try {
      if (onlyFailures) {
        writeFailure(tape, texts, maxSize);
      } else {
        append(tape, texts, maxSize);
        tape.release();
      }
    } catch (IOException e) {
      tape.release();
      stop(e);
    } catch (RuntimeException | StackOverflowError e) {
      tape.release();
      LOG.log(System.Logger.Level.WARNING, "a request was not recorded", e);
    }
  }

  private void stop(IOException e) {
    full = true;
    open = false;
    LOG.log(System.Logger.Level.WARNING, "recording to " + path + " has stopped", e);
  }

  private void append(Tape tape, Supplier<TapeText> texts, long maxSize) throws IOException {
    FileChannel out = channel;
    TapeText form = text;
    if (out == null || form == null) {
      out = create(path);
      channel = out;
      form = texts.get();
      text = form;
    }
    byte[] line =
        ((size == 0 ? "[\n" : ",\n") + form.of(tape, null) + END).getBytes(StandardCharsets.UTF_8);
    if (!fits(line.length, maxSize)) {
      return;
    }
    // Replaces the end of the list, so that the file is complete after each request.
    for (ByteBuffer bytes = ByteBuffer.wrap(line); bytes.hasRemaining(); ) {
      size += out.write(bytes, size);
    }
    size -= END.length();
  }

  private boolean fits(int bytes, long maxSize) {
    if (!full && size + bytes > maxSize) {
      full = true;
      open = false;
      LOG.log(System.Logger.Level.WARNING, "recording to {0} has stopped at {1} bytes", path, size);
    }
    return !full;
  }

  /** Stores a request for its session, or writes the session if the request has failed. */
  private void writeFailure(Tape tape, Supplier<TapeText> texts, long maxSize) throws IOException {
    Deque<Tape> session = clients.of(tape);
    Deque<Tape> before = session == null ? new ArrayDeque<>() : session;
    String failure = failure(tape, Instant.now());
    if (failure != null && isNew(tape)) {
      TapeText form = texts.get();
      List<String> lines = new ArrayList<>();
      before.forEach(earlier -> lines.add(form.of(earlier, null)));
      lines.add(form.of(tape, failure));
      byte[] bytes = ("[\n" + String.join(",\n", lines) + END).getBytes(StandardCharsets.UTF_8);
      if (fits(bytes.length, maxSize)) {
        String method = tape.method.replaceAll("[^A-Za-z]", "");
        String name = STAMP.format(tape.at) + "-" + method + "-" + tape.status;
        try (FileChannel out = create(path.resolve(name + "-" + files + ".json"))) {
          size += out.write(ByteBuffer.wrap(bytes));
        }
      }
    }
    if (session == null || failure != null) {
      tape.release();
      return;
    }
    histories.remove(session);
    histories.addLast(session);
    session.addLast(tape);
    if (session.size() > MOST_BEFORE) {
      session.removeFirst().release();
    }
    while (held.get() > (8 << 20) && !histories.isEmpty()) {
      Deque<Tape> oldest = histories.removeFirst();
      oldest.forEach(Tape::release);
      oldest.clear();
    }
  }

  /** Returns why a request counts as failed at a time; null if it does not. */
  static @Nullable String failure(Tape tape, Instant now) {
    if (tape.status >= 500) {
      return "status " + tape.status;
    }
    if (!tape.warnings.isEmpty()) {
      return tape.warnings.get(0);
    }
    Duration time = Duration.between(tape.at, now);
    // Clients end event streams and downloads, which have sent a head.
    boolean hung = !tape.finished && tape.status == 0 && time.compareTo(SLOW) >= 0;
    return hung ? "no response within " + time.toSeconds() + " seconds" : null;
  }

  private boolean isNew(Tape tape) throws IOException {
    if (files < 0) {
      Files.createDirectories(path);
      try (Stream<Path> existing = Files.list(path)) {
        files = (int) existing.filter(file -> file.toString().endsWith(".json")).count();
      }
    }
    String route = tape.route.equals("null") ? Rules.pattern("/" + tape.target) : tape.route;
    String kind = (tape.method + " " + route + " " + tape.status).toLowerCase(Locale.ROOT);
    boolean few = kinds.size() < 10 * MOST_FILES || kinds.containsKey(kind);
    return few
        && files < MOST_FILES
        && kinds.merge(kind, 1, Integer::sum) <= MOST_OF_A_KIND
        && ++files > 0;
  }

  /** Creates a file that only its owner can read. */
  private static FileChannel create(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.deleteIfExists(file);
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Path unused =
          Files.createFile(
              file,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
