package dev.percolate.logger;

import com.vlkan.rfos.RotatingFileOutputStream;
import com.vlkan.rfos.RotatingFilePattern;
import com.vlkan.rfos.RotationConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Appends lines to a file that is rotated.
 *
 * <p>It decides on its own when, before it writes: the library's policies rotate in the midst of a
 * writing, whose bytes are lost when that fails, and by a thread that one stream can stop for all
 * others. It also chooses the name, since the library overwrites what has it already.
 */
final class RotatingTarget implements LogTarget {

  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final long SETTLING_SECONDS = 10;

  private final RotatingFile.Rules rules;
  private final RotatedFiles rotated;
  private final RotationEvents events;
  private final RotationConfig config;
  private final ScheduledThreadPoolExecutor compressing;
  private final Clock clock;
  private @Nullable OpenFile<RotatingFileOutputStream> open;
  private long size;

  /** When the last line was written. */
  private Instant last = Instant.MIN;

  /** When the first line was written, as far as known. */
  private Instant first = Instant.MIN;

  private Instant retry = Instant.MIN;

  /** Whether a file has been rotated, so that it may be under compression. */
  private volatile boolean compresses;

  RotatingTarget(RotatingFile.Rules rules, Clock clock, LossCounter alarm) throws IOException {
    loadQuietly();
    this.rules = rules;
    this.clock = clock;
    this.rotated = new RotatedFiles(rules.file());
    this.events = new RotationEvents(rotated, rules.keep(), alarm);
    this.compressing = new ScheduledThreadPoolExecutor(1, RotatingTarget::thread);
    compressing.setKeepAliveTime(1, TimeUnit.SECONDS);
    compressing.allowCoreThreadTimeOut(true);
    this.config = config();
    this.open = open();
  }

  RotatingFile.Rules rules() {
    return rules;
  }

  @Override
  public void write(List<? extends CharSequence> lines) throws IOException {
    OpenFile<RotatingFileOutputStream> now = open;
    if (now == null || now.replaced()) {
      reopen();
    }
    Instant time = clock.instant();
    if (rules.unit() != null
        && time.truncatedTo(rules.unit()).isAfter(first.truncatedTo(rules.unit()))) {
      rotate(time);
    }
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (CharSequence line : lines) {
      byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
      if (rules.maxBytes() > 0 && size + batch.size() > rules.maxBytes() - bytes.length) {
        write(batch, time);
        rotate(time);
      }
      batch.writeBytes(bytes);
    }
    write(batch, time);
  }

  @Override
  public void release() throws IOException {
    OpenFile<RotatingFileOutputStream> old = open;
    if (old != null) {
      open = null;
      old.stream().close();
    }
  }

  /** Waits for the files that are being compressed. */
  @Override
  public void settle() {
    if (!compresses) {
      return;
    }
    try {
      compressing.submit(() -> {}).get(SETTLING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // What is not compressed by now is there as it was.
    }
  }

  private void write(ByteArrayOutputStream batch, Instant time) throws IOException {
    if (batch.size() > 0 && open != null) {
      first = size == 0 ? time : first;
      batch.writeTo(open.stream());
      size += batch.size();
      last = time;
      batch.reset();
    }
  }

  /** Rotates what there is, unless this has just failed; then the same file is written on. */
  private void rotate(Instant time) throws IOException {
    if (size == 0 || open == null || time.isBefore(retry)) {
      return;
    }
    Instant stamp = rotated.free(last);
    compresses = rules.compress();
    open.stream().rotate(null, stamp);
    if (events.takeFailure()) {
      retry = time.plus(RETRY);
      Instant before = first;
      reopen(); // a rotation that failed half-way has left a stream that is closed
      first = before;
    } else {
      open = open.anew();
      size = 0;
    }
  }

  private void reopen() throws IOException {
    release();
    open = open();
  }

  private OpenFile<RotatingFileOutputStream> open() throws IOException {
    Path file = rules.file();
    try {
      OpenFile<RotatingFileOutputStream> opened =
          OpenFile.of(file, () -> new RotatingFileOutputStream(config));
      size = Files.size(file);
      last = size == 0 ? clock.instant() : Files.getLastModifiedTime(file).toInstant();
      first = last;
      return opened;
    } catch (RuntimeException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  private RotationConfig config() {
    String name = rules.file().toString().replace("%", "%%");
    return RotationConfig.builder()
        .file(rules.file().toFile())
        .filePattern(
            RotatingFilePattern.builder()
                .pattern(name + ".%d{" + RotatedFiles.STAMP + "}")
                .locale(Locale.ROOT)
                .timeZoneId(ZoneOffset.UTC)
                .build())
        .policy(events)
        .callbacks(Set.of(events))
        .compress(rules.compress())
        .executorService(compressing)
        .build();
  }

  /** Keeps SLF4J from complaining, on standard error, that a library nobody asked for is mute. */
  private static void loadQuietly() {
    String verbosity = "slf4j.internal.verbosity";
    boolean unset = System.getProperty(verbosity) == null;
    if (unset) {
      System.setProperty(verbosity, "ERROR");
    }
    try {
      Class.forName(RotatingFileOutputStream.class.getName());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    } finally {
      if (unset) {
        System.clearProperty(verbosity);
      }
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "percolate-log-gzip", 0, false);
    thread.setDaemon(true);
    return thread;
  }
}
