package dev.percolate.logger;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends lines to a file. Opens a new file if it was renamed, deleted or replaced. Rotates the
 * file before a line that requires a new one.
 */
final class FileTarget implements LogTarget {

  /** How long to keep writing to the same file after it could not be renamed. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final RotatingFile.Rules rules;
  private final RotatedFiles rotated;
  private final Clock clock;
  private final LossCounter losses;
  private @Nullable OpenFile open;
  private long size;

  /** When the last line was written. */
  private Instant last = Instant.MIN;

  /** When the first line was written, if known. */
  private Instant first = Instant.MIN;

  private Instant retry = Instant.MIN;

  /** Whether the file may end within a line: it was just opened, or a write has failed. */
  private boolean torn;

  FileTarget(RotatingFile.Rules rules, Clock clock, LossCounter losses) throws IOException {
    this.rules = rules;
    this.clock = clock;
    this.losses = losses;
    this.open = open();
    this.rotated = new RotatedFiles(rules, losses);
  }

  RotatingFile.Rules rules() {
    return rules;
  }

  @Override
  public void write(List<? extends CharSequence> lines) throws IOException {
    OpenFile now = open;
    if (now == null || now.replaced()) {
      release();
      open = open();
    }
    if (torn) {
      endLine();
    }
    Instant time = clock.instant();
    if (rules.unit() != null
        && time.truncatedTo(rules.unit()).isAfter(first.truncatedTo(rules.unit()))) {
      rotate(time);
    }
    if (rules.maxBytes() == 0) {
      write(LogTarget.bytes(lines), time);
      return;
    }
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (CharSequence line : lines) {
      byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
      if (size + batch.size() > rules.maxBytes() - bytes.length) {
        write(batch.toByteArray(), time);
        batch.reset();
        rotate(time);
      }
      batch.writeBytes(bytes);
    }
    write(batch.toByteArray(), time);
  }

  @Override
  public void release() throws IOException {
    OpenFile old = open;
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

  private void write(byte[] bytes, Instant time) throws IOException {
    if (bytes.length > 0 && open != null) {
      first = size == 0 ? time : first;
      torn = true;
      open.stream().write(bytes);
      torn = false;
      size += bytes.length;
      last = time;
    }
  }

  /** Ends an incomplete last line, so that the next line is not joined to it. */
  private void endLine() throws IOException {
    if (open != null && open.endsWithinLine()) {
      open.stream().write('\n');
      size++;
    }
  }

  /** Rotates the file, unless it is empty, is not a file, or a rename has just failed. */
  private void rotate(Instant time) throws IOException {
    if (size == 0 || open == null || time.isBefore(retry)) {
      return;
    }
    Path file = rules.file();
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      size = 0; // a device or pipe such as /dev/stdout
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

  private OpenFile open() throws IOException {
    Path file = rules.file();
    OpenFile opened = OpenFile.of(file);
    torn = true;
    if (rules.rotates()) {
      size = Files.size(file);
      last = size == 0 ? clock.instant() : Files.getLastModifiedTime(file).toInstant();
      first = last;
    }
    return opened;
  }

  /**
   * An open file, with the information needed to detect that it was replaced.
   *
   * @param file the path
   * @param stream appends to the file
   * @param key the file system's key of the file; null if it has none
   */
  private record OpenFile(Path file, OutputStream stream, @Nullable Object key) {

    private static final int TRIES = 3;

    /**
     * Opens a file, without a channel, since an interrupted thread would close a channel. Opens it
     * again if it was created or replaced meanwhile, since its key is then unknown.
     */
    static OpenFile of(Path file) throws IOException {
      Object before = keyOrNull(file);
      for (int tries = 1; ; tries++) {
        OutputStream stream = new FileOutputStream(file.toFile(), true);
        Object after = keyOrNull(file);
        if (Objects.equals(before, after) || tries == TRIES) {
          return new OpenFile(file, stream, after);
        }
        stream.close();
        before = after;
      }
    }

    /** Returns true if the path now names another file or none. */
    boolean replaced() {
      try {
        return !Objects.equals(key, key(file));
      } catch (NoSuchFileException e) {
        return key != null;
      } catch (IOException e) {
        return false; // unknown; the open file may still accept lines
      }
    }

    /** Returns true if a regular file ends without a line feed. Reading a pipe would block. */
    boolean endsWithinLine() {
      if (!Files.isRegularFile(file)) {
        return false;
      }
      try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
        long length = content.length();
        content.seek(Math.max(length - 1, 0));
        return length > 0 && content.read() != '\n';
      } catch (IOException e) {
        return false; // such as a file without read permission
      }
    }

    private static @Nullable Object keyOrNull(Path file) {
      try {
        return key(file);
      } catch (IOException e) {
        return null;
      }
    }

    private static @Nullable Object key(Path file) throws IOException {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }
  }
}
