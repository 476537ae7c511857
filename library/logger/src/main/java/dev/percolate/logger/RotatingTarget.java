package dev.percolate.logger;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends lines to a file. Rotates the file before a line that requires a new one. */
final class RotatingTarget implements LogTarget {

  /** How long to keep writing to the same file after it could not be renamed. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final RotatingFile.Rules rules;
  private final RotatedFiles rotated;
  private final Clock clock;
  private final LossCounter losses;
  private @Nullable OpenFile<OutputStream> open;
  private long size;

  /** When the last line was written. */
  private Instant last = Instant.MIN;

  /** When the first line was written, if known. */
  private Instant first = Instant.MIN;

  private Instant retry = Instant.MIN;

  RotatingTarget(RotatingFile.Rules rules, Clock clock, LossCounter losses) throws IOException {
    this.rules = rules;
    this.clock = clock;
    this.losses = losses;
    this.rotated = new RotatedFiles(rules, losses);
    this.open = open();
  }

  RotatingFile.Rules rules() {
    return rules;
  }

  @Override
  public void write(List<? extends CharSequence> lines) throws IOException {
    OpenFile<OutputStream> now = open;
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
    OpenFile<OutputStream> old = open;
    if (old != null) {
      open = null;
      old.stream().close();
    }
  }

  /** Waits for the files that are being compressed. */
  @Override
  public void settle() {
    rotated.settle();
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

  /** Rotates the file, unless it is empty or a rename has just failed. */
  private void rotate(Instant time) throws IOException {
    if (size == 0 || open == null || time.isBefore(retry)) {
      return;
    }
    Instant before = first;
    release(); // some systems cannot rename open files
    try {
      rotated.add(last);
    } catch (IOException | RuntimeException e) {
      losses.raise(0, "rotating a log file failed", e);
      retry = time.plus(RETRY);
    }
    open = open();
    if (size > 0) {
      first = before;
    }
  }

  private void reopen() throws IOException {
    release();
    open = open();
  }

  /** Opens the file without a channel, since an interrupted thread would close a channel. */
  private OpenFile<OutputStream> open() throws IOException {
    Path file = rules.file();
    OpenFile<OutputStream> opened =
        OpenFile.of(file, () -> new FileOutputStream(file.toFile(), true));
    size = Files.size(file);
    last = size == 0 ? clock.instant() : Files.getLastModifiedTime(file).toInstant();
    first = last;
    return opened;
  }
}
