package dev.percolate.core;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Headers;
import dev.percolate.http.TimeSpan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says how files are found and sent. Immutable; each method gives a changed copy:
 *
 * <pre>
 *   root          none         files are looked for below it, and nowhere else
 *   classPath     none         the same with a folder of the class path
 *   symlinks      true         whether links below the root may lead out of it
 *   index         index.html   names of the file that stands for a directory
 *   extensions    none         tried where a name without one is not there
 *   dotfiles      ignore       what happens to names that begin with a dot
 *   hidden        false        an older form of it
 *   dotted        none         such names that are no different from others
 *   maxAge        0            how long clients may keep the file
 *   immutable     false        whether clients need not ask again before that
 *   etag          true         whether ETag is sent
 *   lastModified  true         whether Last-Modified is sent
 *   start, end    whole file   which part is sent
 *   precompressed none         compressed files that may be sent instead
 *   headers       none         sets further headers
 * </pre>
 */
@CheckReturnValue
public final class FileOptions extends Copyable<FileOptions> {

  /** The content codings of files that stand beside others with the same content, compressed. */
  private static final Map<String, String> CODINGS =
      Map.of("br", "br", "zst", "zstd", "gz", "gzip");

  private static final long LONGEST_AGE = 31_536_000_000L;
  private static final FileOptions NONE = new FileOptions();

  private @Nullable Path root;
  private @Nullable ClassPath classPath;
  private boolean symlinks = true;
  List<String> precompressed = List.of();
  List<String> index = List.of("index.html");
  List<String> extensions = List.of();
  @Nullable String dotfiles;
  boolean hidden;
  List<String> dotted = List.of();
  boolean dottedFolders;
  long maxAge;
  boolean immutable;
  boolean etag = true;
  boolean lastModified = true;
  long start;
  long end = Long.MAX_VALUE;
  @Nullable HeaderHook hook;

  private FileOptions() {}

  /** Returns the options as they are by default. */
  public static FileOptions none() {
    return NONE;
  }

  /**
   * Chooses the directory that files are looked for in.
   *
   * @param root the directory; it need not exist yet, see {@link #checkRoot}
   * @throws IllegalArgumentException if the path is empty
   */
  public FileOptions root(Path root) {
    if (root.toString().isEmpty()) {
      throw new IllegalArgumentException("root(\"\"): the path is empty");
    }
    return with(
        copy -> {
          copy.root = root.toAbsolutePath().normalize();
          copy.classPath = null;
        });
  }

  /**
   * Chooses a folder of the class path that files are looked for in, instead of a directory: as
   * that of the same name in each jar and directory of it. Class files are never found. Names with
   * a backslash or a colon, or a dot or blank at their end, are not found on any system.
   *
   * @param folder the folder, such as {@code /public}; below the class path's root, which holds the
   *     application itself
   * @param loader finds the resources; those of a named module only in folders that cannot be
   *     packages, or that it opens
   * @throws IllegalArgumentException if it is the root of the class path, {@code META-INF}, or no
   *     name of a folder
   */
  public FileOptions classPath(String folder, ClassLoader loader) {
    ClassPath found = ClassPath.of(loader, folder);
    return with(
        copy -> {
          copy.root = null;
          copy.classPath = found;
        });
  }

  /**
   * Chooses whether files below the root are found where symbolic links lead out of it. By default
   * they are: who may make links there may also copy files. If not, such a file is not there; links
   * that stay below the root are followed. Where the system can, the file is opened from directory
   * to directory, so that a link that appears meanwhile is not followed either.
   *
   * @param follow false for a 404; without a root nothing changes
   */
  public FileOptions symlinks(boolean follow) {
    return with(copy -> copy.symlinks = follow);
  }

  /**
   * Chooses the compressed files that may be sent instead of a file: those with the same name and a
   * further extension, beside it. The client chooses by {@code Accept-Encoding}, which {@code Vary}
   * then names for each file; equal liking is decided by the order given here. Type and name stay
   * those of the plain file, which must be there too; tag, length and ranges are those of the
   * compressed one. Whether both have the same content is up to the one who made them. With {@link
   * #start}, {@link #end} or a {@code Content-Encoding} set before, the plain file is sent.
   *
   * @param extensions of {@code br}, {@code zst} and {@code gz} the ones to look for
   * @throws IllegalArgumentException if it is another one
   */
  public FileOptions precompressed(String... extensions) {
    List<String> list = List.of(extensions);
    for (String extension : list) {
      if (!CODINGS.containsKey(extension)) {
        throw new IllegalArgumentException(
            "precompressed(\"" + extension + "\"): neither br, zst nor gz");
      }
    }
    return with(copy -> copy.precompressed = list);
  }

  /**
   * Chooses the files that stand for a directory.
   *
   * @param names the names, of which the first that is there is sent; none to send no directory
   */
  public FileOptions index(String... names) {
    List<String> list = List.of(names);
    return with(copy -> copy.index = list);
  }

  /**
   * Chooses the extensions to try where a name without one is not there.
   *
   * @param extensions the extensions, without dot, in order
   */
  public FileOptions extensions(String... extensions) {
    List<String> list = List.of(extensions);
    return with(copy -> copy.extensions = list);
  }

  /**
   * Chooses what happens to paths with a part that begins with a dot. Unless this is chosen, they
   * are ignored; with {@link Settings#DOTTED_FOLDERS} only those are whose last part does.
   *
   * @param dotfiles {@code allow}, {@code deny} (a 403) or {@code ignore} (a 404)
   * @throws IllegalArgumentException if it is another text
   */
  public FileOptions dotfiles(String dotfiles) {
    if (!List.of("allow", "deny", "ignore").contains(dotfiles)) {
      throw new IllegalArgumentException(
          "dotfiles(\"" + dotfiles + "\"): neither allow nor deny nor ignore");
    }
    return with(copy -> copy.dotfiles = dotfiles);
  }

  /**
   * Chooses whether files with a dot in front are sent where {@link #dotfiles(String)} was not
   * chosen.
   *
   * @param hidden true to send them
   */
  public FileOptions hidden(boolean hidden) {
    return with(copy -> copy.hidden = hidden);
  }

  /**
   * Chooses names that are no different from others although they begin with a dot, such as {@code
   * .well-known} (RFC 8615), wherever they stand in a path.
   *
   * @param names the names; those chosen before no longer count
   * @throws IllegalArgumentException if one does not begin with a dot, or is no name
   */
  public FileOptions dotted(String... names) {
    List<String> list = List.of(names);
    for (String name : list) {
      if (!name.startsWith(".") || name.indexOf('/') >= 0 || List.of(".", "..").contains(name)) {
        throw new IllegalArgumentException(
            "dotted(\"" + name + "\"): no name that begins with a dot");
      }
    }
    return with(copy -> copy.dotted = list);
  }

  /**
   * Chooses how long clients may keep the file without asking.
   *
   * @param millis milliseconds; more than 365 days count as these
   * @throws IllegalArgumentException if it is negative
   */
  public FileOptions maxAge(long millis) {
    long age = Math.min(LONGEST_AGE, TimeSpan.millis("maxAge", millis));
    return with(copy -> copy.maxAge = age);
  }

  /**
   * Chooses how long clients may keep the file without asking.
   *
   * @param time a time such as {@code 2 hours} or {@code 1.5d}, see {@link TimeSpan}
   * @throws IllegalArgumentException if it is none
   */
  public FileOptions maxAge(String time) {
    return maxAge(TimeSpan.millis("maxAge", time));
  }

  /**
   * Chooses whether answers say that the file never changes while they may keep it (RFC 8246).
   *
   * @param immutable true to tell them
   */
  public FileOptions immutable(boolean immutable) {
    return with(copy -> copy.immutable = immutable);
  }

  /**
   * Chooses whether {@code ETag} is sent, made of the size and the time of the last change.
   *
   * @param etag false to leave it out
   */
  public FileOptions etag(boolean etag) {
    return with(copy -> copy.etag = etag);
  }

  /**
   * Chooses whether {@code Last-Modified} is sent.
   *
   * @param lastModified false to leave it out
   */
  public FileOptions lastModified(boolean lastModified) {
    return with(copy -> copy.lastModified = lastModified);
  }

  /**
   * Chooses where the part to send begins; ranges count from there.
   *
   * @param start the first byte, from 0
   * @throws IllegalArgumentException if it is negative
   */
  public FileOptions start(long start) {
    long checked = position("start", start);
    return with(copy -> copy.start = checked);
  }

  /**
   * Chooses where the part to send ends.
   *
   * @param end the last byte, inclusive; it may lie behind the end of the file
   * @throws IllegalArgumentException if it is negative
   */
  public FileOptions end(long end) {
    long checked = position("end", end);
    return with(copy -> copy.end = checked);
  }

  /**
   * Sets further headers for each file.
   *
   * @param hook runs before any header of the file is set; what it sets is kept
   */
  public FileOptions headers(HeaderHook hook) {
    return with(copy -> copy.hook = hook);
  }

  /** Returns these options with what they leave to settings. */
  FileOptions under(Settings settings) {
    boolean chosen = dotfiles != null || hidden;
    return !chosen && Boolean.TRUE.equals(settings.get(Settings.DOTTED_FOLDERS))
        ? with(copy -> copy.dottedFolders = true)
        : this;
  }

  /**
   * Checks that the root is there; a folder of the class path is not checked.
   *
   * @param user who needs it, for the message
   * @throws IllegalStateException if it is no directory
   */
  public void checkRoot(String user) {
    if (root != null && !Files.isDirectory(root)) {
      throw new IllegalStateException(user + ": there is no directory " + root);
    }
  }

  /** Returns the place that paths must stay below, or null. */
  @Nullable Path root() {
    return classPath == null ? root : classPath.root();
  }

  FileRoot source() {
    if (classPath != null) {
      return classPath.symlinks(symlinks);
    }
    return new Disk(symlinks ? null : root);
  }

  /** Returns the content coding that one of the extensions stands for. */
  static String coding(String extension) {
    return Objects.requireNonNull(CODINGS.get(extension));
  }

  private static long position(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + "(" + value + "): less than 0");
    }
    return value;
  }

  /** Sets headers of a file that is about to be sent. */
  @FunctionalInterface
  public interface HeaderHook {

    /**
     * Sets headers.
     *
     * @param headers those of the answer so far
     * @param file the file, as an absolute path; of the class path, as one below its root
     * @param attributes its size, its time of last change; those of the compressed file if that is
     *     sent
     */
    void set(Headers headers, Path file, BasicFileAttributes attributes);
  }
}
