package dev.percolate.multipart;

import dev.percolate.engine.Shutdown;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The temporary files of this process in one directory. They are deleted when the process ends.
 * Files of a killed process are deleted when the next process starts.
 *
 * <p>File names start with the name of their process. A live process holds a lock on a file of that
 * name, so a process is dead if its lock can be acquired. This also works if containers share a
 * directory or process IDs are reused. Only regular files of the same user are deleted, and links
 * are never followed.
 */
final class TemporaryFolder {

  private static final System.Logger LOG = System.getLogger("dev.percolate.multipart");
  private static final Map<Path, TemporaryFolder> OPEN = new ConcurrentHashMap<>();
  private static final String PROCESS = "percolate-" + process() + "-";
  private static final Pattern LOCK = Pattern.compile("(percolate-\\d+-\\d+-)\\d+\\.lock");
  private static final String LOCK_END = ".lock";
  private static final String FILE_END = ".upload";

  private final Path directory;
  private final Set<Path> files = ConcurrentHashMap.newKeySet();
  private final Path lockFile;
  private final String prefix;

  /** Held until the process ends; null if the file system does not support locks. */
  private final @Nullable FileLock lock;

  private volatile boolean closed;

  private TemporaryFolder(Path directory) throws IOException {
    this.directory = directory;
    Path made;
    FileLock held;
    do {
      made = Files.createTempFile(directory, PROCESS, LOCK_END);
      held = lock(made);
      // Another process may have deleted the file before it was locked.
    } while (held != null && Files.notExists(made));
    this.lockFile = made;
    this.lock = held;
    String name = String.valueOf(made.getFileName());
    this.prefix = name.substring(0, name.length() - LOCK_END.length()) + "-";
    Shutdown.add(Shutdown.Stage.APPLICATIONS, this::close);
  }

  /**
   * Returns the temporary files of a directory, after deleting the files of dead processes.
   *
   * @param directory the directory; null for that of the JDK
   * @throws IOException if no file can be created in it
   */
  static TemporaryFolder of(@Nullable Path directory) throws IOException {
    Path key = path(directory).toAbsolutePath().normalize();
    synchronized (OPEN) {
      TemporaryFolder known = OPEN.get(key);
      if (known == null) {
        known = new TemporaryFolder(key);
        OPEN.put(key, known);
        known.deleteLeftovers();
      }
      return known;
    }
  }

  /** Deletes the files of dead processes, unless this was done before. */
  static void deleteLeftovers(@Nullable Path directory) {
    try {
      TemporaryFolder ignored = of(directory);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "cannot create temporary files in " + path(directory) + ", so uploads fail: " + e);
    }
  }

  private static Path path(@Nullable Path directory) {
    return directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
  }

  /** Creates a file that only this user may read. */
  Path create() throws IOException {
    Path file = Files.createTempFile(directory, prefix, FILE_END);
    files.add(file);
    if (closed) {
      delete(file);
      throw new IOException("the process is shutting down");
    }
    return file;
  }

  /** Deletes a file if it exists. */
  void delete(Path file) throws IOException {
    files.remove(file);
    Files.deleteIfExists(file);
  }

  private void close() throws IOException {
    closed = true;
    IOException failure = null;
    for (Path file : files) {
      try {
        delete(file);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure; // the lock file stays, so that the next process deletes the remaining files
    }
    Files.deleteIfExists(lockFile);
  }

  private static @Nullable FileLock lock(Path file) {
    FileLock held = null;
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try {
        held = channel.tryLock();
      } finally {
        if (held == null) {
          channel.close();
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      return null; // no locks: leftovers are not deleted
    }
    return held;
  }

  private void deleteLeftovers() {
    if (lock == null) {
      return;
    }
    try {
      UserPrincipal user = Files.getOwner(lockFile, LinkOption.NOFOLLOW_LINKS);
      try (DirectoryStream<Path> locks = Files.newDirectoryStream(directory, "percolate-*.lock")) {
        for (Path found : locks) {
          Matcher name = LOCK.matcher(String.valueOf(found.getFileName()));
          // Opening and closing a lock file of this process would release its lock.
          if (name.matches() && !name.group(1).equals(PROCESS) && isOurs(found, user)) {
            deleteIfDead(found, user);
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "failed to delete temporary files of earlier processes: " + e);
    }
  }

  private void deleteIfDead(Path found, UserPrincipal user) throws IOException {
    try (FileChannel channel =
            FileChannel.open(found, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock had = channel.tryLock()) {
      if (had == null) {
        return; // its process is alive
      }
      String name = String.valueOf(found.getFileName());
      String begin = name.substring(0, name.length() - LOCK_END.length()) + "-";
      try (DirectoryStream<Path> left =
          Files.newDirectoryStream(directory, begin + "*" + FILE_END)) {
        for (Path file : left) {
          if (isOurs(file, user)) {
            Files.deleteIfExists(file);
          }
        }
      }
      Files.deleteIfExists(found);
    }
  }

  private static boolean isOurs(Path file, UserPrincipal user) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(user);
  }

  /** Returns the ID and the start time of this process, since IDs are reused. */
  private static String process() {
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L);
    return self.pid() + "-" + start;
  }
}
