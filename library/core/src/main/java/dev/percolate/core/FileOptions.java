package dev.percolate.core;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Headers;
import dev.percolate.http.Quantity;
import dev.percolate.http.TimeSpan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for finding and sending files. Immutable; each option returns a changed copy:
 *
 * <pre>
 *   root             none         the directory of the files
 *   classPath        none         a folder of the class path instead of a directory
 *   symlinks         true         whether symbolic links may lead out of the root
 *   index            index.html   the file names to try for a directory
 *   extensions       none         the extensions to try for a name without extension
 *   dotfiles         ignore       how to treat names that begin with a dot
 *   hidden           false        whether to allow such names if dotfiles is not set
 *   allowedDotfiles  none         names with a leading dot that are always allowed
 *   maxAge           0            how long clients may cache the file
 *   immutable        false        whether to send Cache-Control: immutable
 *   etag             true         whether to send ETag
 *   lastModified     true         whether to send Last-Modified
 *   start, end       whole file   the part to send
 *   precompressed    none         extensions of compressed files to send instead
 *   headers          none         a hook that sets further headers
 * </pre>
 */
@CheckReturnValue
public final class FileOptions extends Copyable<FileOptions> {

  /** The content codings of compressed files, by extension. */
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
  List<String> allowedDotfiles = List.of();
  boolean dottedFolders;
  long maxAge;
  boolean immutable;
  boolean etag = true;
  boolean lastModified = true;
  long start;
  long end = Long.MAX_VALUE;
  @Nullable HeaderHook hook;

  private FileOptions() {}

  /** Returns the default options. */
  public static FileOptions none() {
    return NONE;
  }

  /**
   * Sets the directory of the files. Files outside of it are not found.
   *
   * @param root the directory; it may be created later, see {@link #checkRoot}
   * @throws IllegalArgumentException if the path is empty
   */
  public FileOptions root(Path root) {
    if (root.toString().isEmpty()) {
      throw new IllegalArgumentException("root must not be an empty path");
    }
    return with(
        copy -> {
          copy.root = root.toAbsolutePath().normalize();
          copy.classPath = null;
        });
  }

  /**
   * Sets a folder of the class path as the root, instead of a directory. It consists of the folders
   * with this name in all jars and directories. Class files are never found. Names with a backslash
   * or a colon, or with a dot or space at the end, are not found on any system.
   *
   * @param folder the folder, such as {@code /public}. The root of the class path is not allowed,
   *     because it contains the application itself
   * @param loader finds the resources. Resources of a named module are found only in folders that
   *     cannot be packages, or that the module opens
   * @throws IllegalArgumentException if the folder is the root of the class path or {@code
   *     META-INF}, or its name is invalid
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
   * Sets whether symbolic links in the root may lead out of it. Default: true, because a user who
   * can create links there can also copy files. If false, files outside of the root are not found;
   * links inside it still work. If the system supports it, files are then opened directory by
   * directory, so that links created in the meantime are not followed either.
   *
   * @param follow false to respond with 404; no effect without a root
   */
  public FileOptions symlinks(boolean follow) {
    return with(copy -> copy.symlinks = follow);
  }

  /**
   * Sets the extensions of compressed files that may be sent instead of a file. They have the name
   * of the file with a further extension, such as {@code app.js.br} for {@code app.js}. The client
   * selects one with {@code Accept-Encoding}; if it prefers several equally, the order given here
   * decides. Each response has {@code Vary: Accept-Encoding}.
   *
   * <p>The original file must exist; it determines content type and name. Entity tag, length and
   * ranges are those of the compressed file. The application must ensure that both have the same
   * content. If {@link #start}, {@link #end} or {@code Content-Encoding} is set, the original file
   * is sent.
   *
   * @param extensions any of {@code br}, {@code zst} and {@code gz}
   * @throws IllegalArgumentException if an extension is invalid
   */
  public FileOptions precompressed(String... extensions) {
    List<String> list = List.of(extensions);
    for (String extension : list) {
      if (!CODINGS.containsKey(extension)) {
        throw new IllegalArgumentException(
            "precompressed must be br, zst or gz, was \"" + extension + "\"");
      }
    }
    return with(copy -> copy.precompressed = list);
  }

  /**
   * Sets the file names to try for a directory.
   *
   * @param names the names, of which the first that exists is sent; none to send no file for a
   *     directory
   */
  public FileOptions index(String... names) {
    return with(copy -> copy.index = List.of(names));
  }

  /**
   * Sets the extensions to try if a name without extension is not found.
   *
   * @param extensions the extensions without dot, in order
   */
  public FileOptions extensions(String... extensions) {
    return with(copy -> copy.extensions = List.of(extensions));
  }

  /**
   * Sets how to treat paths with a part that begins with a dot. By default they are ignored. With
   * {@link Settings#DOTTED_FOLDERS}, only paths whose last part begins with a dot are ignored by
   * default.
   *
   * @param dotfiles {@code allow}, {@code deny} (403) or {@code ignore} (404)
   * @throws IllegalArgumentException for any other value
   */
  public FileOptions dotfiles(String dotfiles) {
    if (!List.of("allow", "deny", "ignore").contains(dotfiles)) {
      throw new IllegalArgumentException(
          "dotfiles must be allow, deny or ignore, was \"" + dotfiles + "\"");
    }
    return with(copy -> copy.dotfiles = dotfiles);
  }

  /**
   * Sets whether to allow names that begin with a dot, if {@link #dotfiles(String)} is not set.
   * Default: false.
   *
   * @param hidden true to allow them
   */
  public FileOptions hidden(boolean hidden) {
    return with(copy -> copy.hidden = hidden);
  }

  /**
   * Sets names that are allowed although they begin with a dot, such as {@code .well-known} (RFC
   * 8615), anywhere in a path.
   *
   * @param names the names; they replace those set before
   * @throws IllegalArgumentException if a name does not begin with a dot, or is invalid
   */
  public FileOptions allowedDotfiles(String... names) {
    List<String> list = List.of(names);
    for (String name : list) {
      if (!name.startsWith(".") || name.indexOf('/') >= 0 || List.of(".", "..").contains(name)) {
        throw new IllegalArgumentException(
            "allowedDotfiles must be a name that begins with a dot, was \"" + name + "\"");
      }
    }
    return with(copy -> copy.allowedDotfiles = list);
  }

  /**
   * Sets how long clients may cache the file without revalidation. Default: 0.
   *
   * @param millis the time in milliseconds, limited to 365 days
   * @throws IllegalArgumentException if the time is negative
   */
  public FileOptions maxAge(long millis) {
    long age = Math.min(LONGEST_AGE, TimeSpan.millis("maxAge", millis));
    return with(copy -> copy.maxAge = age);
  }

  /**
   * Sets how long clients may cache the file without revalidation. Default: 0.
   *
   * @param time a time such as {@code 2 hours} or {@code 1.5d}, see {@link TimeSpan}
   * @throws IllegalArgumentException if the time is invalid
   */
  public FileOptions maxAge(String time) {
    return maxAge(TimeSpan.millis("maxAge", time));
  }

  /**
   * Sets whether responses state that the file never changes while it is cached (RFC 8246).
   * Default: false.
   *
   * @param immutable true to send {@code immutable}
   */
  public FileOptions immutable(boolean immutable) {
    return with(copy -> copy.immutable = immutable);
  }

  /**
   * Sets whether to send {@code ETag}, derived from the size and the time of the last change. For
   * files in jars it is derived from the checksum. Default: true.
   *
   * @param etag false to omit the header
   */
  public FileOptions etag(boolean etag) {
    return with(copy -> copy.etag = etag);
  }

  /**
   * Sets whether to send {@code Last-Modified}. Default: true.
   *
   * @param lastModified false to omit the header
   */
  public FileOptions lastModified(boolean lastModified) {
    return with(copy -> copy.lastModified = lastModified);
  }

  /**
   * Sets the start of the part to send. Ranges are relative to it.
   *
   * @param start the index of the first byte
   * @throws IllegalArgumentException if the index is negative
   */
  public FileOptions start(long start) {
    return with(copy -> copy.start = Quantity.atLeast("start", 0, start));
  }

  /**
   * Sets the end of the part to send.
   *
   * @param end the index of the last byte, inclusive; may be greater than the size of the file
   * @throws IllegalArgumentException if the index is negative
   */
  public FileOptions end(long end) {
    return with(copy -> copy.end = Quantity.atLeast("end", 0, end));
  }

  /**
   * Sets a hook that adds headers to each file.
   *
   * @param hook called before the headers of the file are set; headers that it sets are kept
   */
  public FileOptions headers(HeaderHook hook) {
    return with(copy -> copy.hook = hook);
  }

  /** Applies the settings to options that are not set. */
  FileOptions under(Settings settings) {
    boolean chosen = dotfiles != null || hidden;
    return !chosen && Boolean.TRUE.equals(settings.get(Settings.DOTTED_FOLDERS))
        ? with(copy -> copy.dottedFolders = true)
        : this;
  }

  /**
   * Checks that the root directory exists. A folder of the class path is not checked.
   *
   * @param user the name of the caller, for the message
   * @throws IllegalStateException if the directory does not exist
   */
  public void checkRoot(String user) {
    if (root != null && !Files.isDirectory(root)) {
      throw new IllegalStateException(user + ": there is no directory " + root);
    }
  }

  /** Returns the directory that paths must not leave, or null. */
  @Nullable Path root() {
    return classPath == null ? root : classPath.root();
  }

  FileRoot source() {
    if (classPath != null) {
      return classPath.symlinks(symlinks);
    }
    return new Disk(symlinks ? null : root);
  }

  /** Returns the content coding of an extension. */
  static String coding(String extension) {
    return Objects.requireNonNull(CODINGS.get(extension));
  }

  /** Sets headers of a file before it is sent. */
  @FunctionalInterface
  public interface HeaderHook {

    /**
     * Sets headers.
     *
     * @param headers the headers of the response so far
     * @param file the absolute path of the file; for a folder of the class path, a path below its
     *     root
     * @param attributes the size and time of the last change of the file; of the compressed file if
     *     that is sent
     */
    void set(Headers headers, Path file, BasicFileAttributes attributes);
  }
}
