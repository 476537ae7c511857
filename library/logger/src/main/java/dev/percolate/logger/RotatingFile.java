package dev.percolate.logger;

import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Quantity;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Options for rotating a log file: when to rename it, and whether to compress and delete old files.
 * For {@link LogSink#rotating}.
 *
 * <pre>
 *   LogSink.rotating(
 *       RotatingFile.of("access.log").daily().maxBytes("100mb").maxFiles(7).compress(true))
 * </pre>
 *
 * <p>{@code access.log} is renamed to {@code access.log.2026-11-20T23-59-58.123}, after the time of
 * its last line in UTC, or to a later millisecond if that name is taken. Rotation happens when the
 * next line is written, so an idle server creates no files. Days and hours are in UTC. Files of an
 * earlier process are rotated too. If renaming fails, lines go to the same file, and renaming is
 * tried again a minute later. Two processes must not rotate the same file. A device or pipe such as
 * {@code /dev/stdout} is never renamed. New files have the permissions of the previous file.
 *
 * <p>Options; each returns a changed copy. Set at least one of the first three:
 *
 * <pre>
 *   daily                   the first line of a day starts a new file
 *   hourly                  the first line of an hour starts a new file
 *   maxBytes  no limit      the maximum size of a file, unless a single line is larger
 *   maxFiles  all           the number of rotated files to keep
 *   compress  false         whether to compress rotated files, to the same name with ".gz"
 * </pre>
 */
@CheckReturnValue
public final class RotatingFile {

  private final Rules rules;

  /** All options; zero means no limit. */
  record Rules(Path file, @Nullable ChronoUnit unit, long maxBytes, int keep, boolean compress) {

    /** Returns the options of a file that is not rotated. */
    static Rules none(Path file) {
      return new Rules(file, null, 0, 0, false);
    }

    boolean rotates() {
      return unit != null || maxBytes > 0;
    }
  }

  private RotatingFile(Rules rules) {
    this.rules = rules;
  }

  /**
   * Creates options for a log file.
   *
   * @param file the file, created if it does not exist
   */
  public static RotatingFile of(Path file) {
    return new RotatingFile(Rules.none(file.toAbsolutePath().normalize()));
  }

  /**
   * Creates options for a log file.
   *
   * @param file the file, created if it does not exist
   */
  public static RotatingFile of(String file) {
    return of(Path.of(file));
  }

  /** Starts a new file with the first line of each day. */
  public RotatingFile daily() {
    return every(ChronoUnit.DAYS);
  }

  /** Starts a new file with the first line of each hour. */
  public RotatingFile hourly() {
    return every(ChronoUnit.HOURS);
  }

  /**
   * Limits the size of the file.
   *
   * @param bytes the limit in bytes, at least 1
   */
  public RotatingFile maxBytes(long bytes) {
    long checked = Quantity.atLeast("maxBytes", 1, bytes);
    return new RotatingFile(new Rules(rules.file, rules.unit, checked, rules.keep, rules.compress));
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
   * Sets how many rotated files are kept. The oldest are deleted, including other files whose names
   * match the pattern. Default: all.
   *
   * @param files at least 1
   */
  public RotatingFile maxFiles(int files) {
    int checked = Quantity.atLeast("maxFiles", 1, files);
    return new RotatingFile(
        new Rules(rules.file, rules.unit, rules.maxBytes, checked, rules.compress));
  }

  /**
   * Sets whether rotated files are compressed with gzip, on a separate thread. If the process ends
   * during compression, an incomplete compressed file may remain beside the original. Default:
   * false.
   *
   * @param compress true to compress
   */
  public RotatingFile compress(boolean compress) {
    return new RotatingFile(
        new Rules(rules.file, rules.unit, rules.maxBytes, rules.keep, compress));
  }

  @Override
  public String toString() {
    return "RotatingFile[" + rules.file + "]";
  }

  /** Returns the options, after checking that they define when to rotate. */
  Rules rules() {
    if (!rules.rotates()) {
      throw new IllegalArgumentException(
          this + " must set when to rotate. Add daily(), hourly() or maxBytes(…).");
    }
    return rules;
  }

  private RotatingFile every(ChronoUnit unit) {
    return new RotatingFile(
        new Rules(rules.file, unit, rules.maxBytes, rules.keep, rules.compress));
  }
}
