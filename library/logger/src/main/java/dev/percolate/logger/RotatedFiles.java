package dev.percolate.logger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Names, compresses and deletes rotated log files. */
final class RotatedFiles {

  private static final long SETTLING_SECONDS = 10;

  /** The time in file names. It has no colon, which some file systems reject, and sorts by time. */
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss.SSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final List<String> ENDINGS = List.of("", ".gz");

  private final RotatingFile.Rules rules;
  private final Path folder;
  private final String prefix;

  /** The names of rotated files, with their time as a group. */
  private final Pattern names;

  private final LossCounter losses;
  private final ScheduledThreadPoolExecutor compressing;

  /** True if a file may be being compressed. */
  private volatile boolean compresses;

  RotatedFiles(RotatingFile.Rules rules, LossCounter losses) {
    this.rules = rules;
    this.folder = Objects.requireNonNull(rules.file().toAbsolutePath().getParent());
    this.prefix = rules.file().getFileName() + ".";
    String time = "(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3})";
    this.names = Pattern.compile(Pattern.quote(prefix) + time + "(?:\\.gz)?");
    this.losses = losses;
    this.compressing = new ScheduledThreadPoolExecutor(1, RotatedFiles::thread);
    compressing.setKeepAliveTime(1, TimeUnit.SECONDS);
    compressing.allowCoreThreadTimeOut(true);
  }

  /**
   * Renames the log file, then compresses it and deletes the oldest files, according to the rules.
   *
   * @param time the first time to try for the name
   * @throws IOException if the file cannot be renamed
   */
  void add(Instant time) throws IOException {
    Path file = folder.resolve(prefix + FORMAT.format(free(time)));
    Files.move(rules.file(), file);
    try {
      createLike(file, rules.file());
    } catch (IOException e) {
      // Opening the file creates it.
    }
    if (rules.compress()) {
      compresses = true;
      compressing.execute(() -> compress(file));
    }
    if (rules.keep() > 0) {
      try {
        prune();
      } catch (IOException | RuntimeException e) {
        losses.raise(0, "deleting old log files failed", e);
      }
    }
  }

  /** Waits for the files that are being compressed. */
  void settle() {
    if (!compresses) {
      return;
    }
    try {
      compressing.submit(() -> {}).get(SETTLING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // A file that is not compressed yet stays uncompressed.
    }
  }

  private void compress(Path file) {
    Path compressed = folder.resolve(file.getFileName() + ".gz");
    try (InputStream in = Files.newInputStream(file)) {
      createLike(file, compressed);
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
        in.transferTo(out);
      }
      Files.delete(file);
    } catch (NoSuchFileException e) {
      // Either the file was deleted as one of the oldest, or the name of the .gz file is too long.
      if (Files.exists(file)) {
        losses.raise(0, "compressing a log file failed", e);
      }
    } catch (Throwable e) { // the executor would ignore it
      deletePart(file, compressed);
      losses.raise(0, "compressing a log file failed", e);
    }
  }

  /** Creates an empty file with the permissions of another one. */
  private static void createLike(Path model, Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(model, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    Files.createFile(file, PosixFilePermissions.asFileAttribute(permissions));
    if (!Files.getPosixFilePermissions(file).equals(permissions)) { // reduced by the umask
      Files.setPosixFilePermissions(file, permissions);
    }
  }

  /** Deletes an incomplete compressed file, if the log file is still there. */
  private static void deletePart(Path file, Path compressed) {
    try {
      if (Files.exists(file)) {
        Files.deleteIfExists(compressed);
      }
    } catch (IOException | RuntimeException e) {
      // The failure to compress is reported anyway.
    }
  }

  /** Returns the first time at or after another one that no file name contains. */
  private Instant free(Instant from) {
    Instant time = from;
    while (taken(FORMAT.format(time))) {
      time = time.plusMillis(1);
    }
    return time;
  }

  private boolean taken(String stamp) {
    return ENDINGS.stream()
        .anyMatch(ending -> Files.exists(folder.resolve(prefix + stamp + ending)));
  }

  /** Deletes the oldest files beyond the number to keep, compressed or not. */
  private void prune() throws IOException {
    TreeSet<String> stamps = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.map(file -> stamp(file.getFileName().toString())).forEach(stamps::add);
    }
    stamps.remove("");
    while (stamps.size() > rules.keep()) {
      String oldest = stamps.pollFirst();
      for (String ending : ENDINGS) {
        Files.deleteIfExists(folder.resolve(prefix + oldest + ending));
      }
    }
  }

  /** Returns the time in the name of a rotated file; an empty string for any other name. */
  private String stamp(String name) {
    Matcher matcher = names.matcher(name);
    return matcher.matches() ? matcher.group(1) : "";
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "percolate-log-gzip", 0, false);
    thread.setDaemon(true);
    return thread;
  }
}
