package dev.percolate.logger;

import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Says how a log file is rotated: when it is put aside under another name, and what becomes of it
 * then. For {@link LogSink#rotating}.
 *
 * <pre>
 *   LogSink.rotating(RotatingFile.at("access.log").daily().maxBytes("100mb").keep(7).compress(true))
 * </pre>
 *
 * <p>{@code access.log} becomes {@code access.log.2026-11-20T23-59-58.123}, after the time of its
 * last line in UTC, or a later millisecond if there is such a file. It is rotated when the next
 * lines come, not before, so an idle server makes no files; days and hours are those of UTC. What a
 * former process has left is rotated likewise. A file that cannot be renamed is written on, and
 * tried again a minute later. No two processes may rotate the same file.
 *
 * <p>Options, each gives a changed copy; at least one of the first three must be chosen:
 *
 * <pre>
 *   daily                   the first line of a day begins a new file
 *   hourly                  the first line of an hour begins a new file
 *   maxBytes  no limit      a file gets no more bytes than this, unless a single line has more
 *   keep      all           how many rotated files are kept
 *   compress  false         whether rotated files are compressed, to the same name with ".gz"
 * </pre>
 */
@CheckReturnValue
public final class RotatingFile {

  private final Rules rules;

  /** All the options; zero stands for no limit. */
  record Rules(Path file, @Nullable ChronoUnit unit, long maxBytes, int keep, boolean compress) {}

  private RotatingFile(Rules rules) {
    this.rules = rules;
  }

  /**
   * Names the file that lines are written to.
   *
   * @param file the file, which is made if there is none
   */
  public static RotatingFile at(Path file) {
    return new RotatingFile(new Rules(file.toAbsolutePath().normalize(), null, 0, 0, false));
  }

  /**
   * Names the file that lines are written to.
   *
   * @param file the file, which is made if there is none
   */
  public static RotatingFile at(String file) {
    return at(Path.of(file));
  }

  /** Has the first line of each day begin a new file. */
  public RotatingFile daily() {
    return every(ChronoUnit.DAYS);
  }

  /** Has the first line of each hour begin a new file. */
  public RotatingFile hourly() {
    return every(ChronoUnit.HOURS);
  }

  /**
   * Limits the size of the file.
   *
   * @param bytes 1 or more
   */
  public RotatingFile maxBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("maxBytes(" + bytes + "): less than 1");
    }
    return new RotatingFile(new Rules(rules.file, rules.unit, bytes, rules.keep, rules.compress));
  }

  /**
   * Limits the size of the file.
   *
   * @param size a size such as {@code 100mb} or {@code 1.5 GB} (powers of 1024), or a plain number
   *     of bytes
   */
  public RotatingFile maxBytes(String size) {
    return maxBytes(ByteSize.bytes("maxBytes", size));
  }

  /**
   * Returns how many rotated files are kept; the oldest are deleted. Files that only look like
   * them, by the name described above, count too.
   *
   * @param files 1 or more
   */
  public RotatingFile keep(int files) {
    if (files < 1) {
      throw new IllegalArgumentException("keep(" + files + "): less than 1");
    }
    return new RotatingFile(
        new Rules(rules.file, rules.unit, rules.maxBytes, files, rules.compress));
  }

  /**
   * Says whether rotated files are compressed by gzip, on a thread of its own. A process that ends
   * meanwhile may leave an incomplete one beside the file itself, which is deleted only when its
   * compressed form is complete.
   *
   * @param compress true for compressed
   */
  public RotatingFile compress(boolean compress) {
    return new RotatingFile(
        new Rules(rules.file, rules.unit, rules.maxBytes, rules.keep, compress));
  }

  @Override
  public String toString() {
    return "RotatingFile[" + rules.file + "]";
  }

  /** Returns the options, if there is a reason to rotate at all. */
  Rules rules() {
    if (rules.unit == null && rules.maxBytes == 0) {
      throw new IllegalArgumentException(
          "rotating(" + this + "): when? Choose daily(), hourly() or maxBytes(…)");
    }
    return rules;
  }

  private RotatingFile every(ChronoUnit unit) {
    return new RotatingFile(
        new Rules(rules.file, unit, rules.maxBytes, rules.keep, rules.compress));
  }
}
