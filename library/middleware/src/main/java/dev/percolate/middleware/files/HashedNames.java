package dev.percolate.middleware.files;

import dev.percolate.http.Hash;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Paths of files that contain a hash of the content: {@code /app.css} becomes {@code
 * /app.1a2b3c4d5e.css}. A changed file gets another path, so clients may cache each path forever.
 *
 * <p>Each file is read once, and again if its time or size has changed. Files in jars do not
 * change. Only normalized paths of regular files up to {@link #LARGEST} have hashes. Thread-safe.
 */
public final class HashedNames {

  /** The size of the largest files that have hashes, in bytes. */
  static final long LARGEST = 64L << 20;

  /** The number of files whose hashes are kept. */
  private static final int MOST = 10_000;

  private static final int DIGITS = 10;
  private static final int CHUNK = 1 << 14;

  /** A path with a hash before the last extension. */
  private static final Pattern HASHED =
      Pattern.compile("(.*/[^/]+)\\.([0-9a-f]{" + DIGITS + "})(\\.[^./]+)?");

  private final Source files;
  private final int most;
  private final Map<String, Version> known = new ConcurrentHashMap<>();

  /** Finds files by normalized paths. */
  interface Source {

    /** Returns the address of a file; null if it does not exist. */
    @Nullable URL find(String path) throws IOException;
  }

  /**
   * The state of a file.
   *
   * @param modified its time in milliseconds; 0 in a jar
   * @param limit the maximum number of bytes to read
   */
  private record State(URL url, long modified, long limit) {}

  /** A hash of a file in a state. */
  private record Version(long modified, long size, String hash) {

    boolean isOf(State state) {
      return modified == state.modified() && (modified == 0 || size == state.limit());
    }
  }

  HashedNames(Source files, int most) {
    this.files = files;
    this.most = most;
  }

  /** Creates the paths of the files in a directory. */
  public static HashedNames of(Path root) {
    return new HashedNames(below(root), MOST);
  }

  /** Returns the files in a directory. */
  static Source below(Path root) {
    Path base = root.toAbsolutePath().normalize();
    return path -> {
      Path file = base.resolve(path.substring(1)).normalize();
      return file.startsWith(base) ? file.toUri().toURL() : null;
    };
  }

  /** Creates the paths of the files in a folder of the class path. */
  public static HashedNames of(ClassLoader loader, String folder) {
    String prefix = folder.replaceFirst("^/+", "").replaceFirst("/+$", "");
    return new HashedNames(path -> loader.getResource(prefix + path), MOST);
  }

  /**
   * Returns a path with the hash of the file.
   *
   * @param path the path, which begins with a slash
   * @return the path unchanged if the file does not exist or has no hash
   */
  public String hashed(String path) {
    String hash = hash(path);
    return hash == null ? path : hashed(path, hash);
  }

  private static String hashed(String path, String hash) {
    int name = path.lastIndexOf('/') + 1;
    int dot = path.lastIndexOf('.');
    int end = dot > name ? dot : path.length();
    return path.substring(0, end) + "." + hash + path.substring(end);
  }

  /** Returns a path without its hash; null if it has none. */
  public static @Nullable String plain(String path) {
    Matcher matcher = HASHED.matcher(path);
    if (!matcher.matches()) {
      return null;
    }
    String extension = matcher.group(3);
    return matcher.group(1) + (extension == null ? "" : extension);
  }

  /**
   * Returns true if a path has the hash of the file as it is now. May read the whole file, so for
   * the path of a request, call it only if the file may be sent.
   */
  public boolean isCurrent(String path) {
    String plain = plain(path);
    return plain != null && hashed(plain).equals(path);
  }

  /** Like {@link #isCurrent}, but returns false instead of reading the file. */
  public boolean isKnown(String path) {
    String plain = plain(path);
    Version last = plain == null ? null : known.get(plain);
    if (plain == null || last == null) {
      return false;
    }
    try {
      State state = last.modified() == 0 ? null : state(plain);
      boolean same = last.modified() == 0 || (state != null && last.isOf(state));
      return same && hashed(plain, last.hash()).equals(path);
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the number of files whose hashes are kept. */
  int size() {
    return known.size();
  }

  private @Nullable String hash(String path) {
    if (!isNormalized(path)) {
      return null;
    }
    try {
      Version last = known.get(path);
      if (last != null && last.modified() == 0) {
        return last.hash();
      }
      State state = state(path);
      if (state == null) {
        return null;
      }
      if (last != null && last.isOf(state)) {
        return last.hash();
      }
      return isOtherCase(state.url(), path) ? null : read(path, state);
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  /**
   * Returns true if a path has only plain names, which mean the same on all systems: no empty
   * names, no dots at their ends, no separators or drives of Windows, no escapes.
   */
  private static boolean isNormalized(String path) {
    if (!path.startsWith("/")) {
      return false;
    }
    for (String name : path.substring(1).split("/", -1)) {
      if (name.isEmpty() || name.endsWith(".") || name.endsWith(" ")) {
        return false;
      }
    }
    return path.chars().noneMatch(c -> c == '%' || c == '\\' || c == ':' || c < ' ');
  }

  private @Nullable String read(String path, State state) throws IOException {
    String hash = hash(state.url(), state.limit());
    if (hash != null) {
      Iterator<String> others = known.keySet().iterator();
      while (known.size() >= most && others.hasNext()) {
        known.remove(others.next());
      }
      known.put(path, new Version(state.modified(), state.limit(), hash));
    }
    return hash;
  }

  /** Returns the state of a regular file; null if it has no hash. */
  private @Nullable State state(String path) throws IOException {
    URL url = files.find(path);
    if (url == null || !url.getProtocol().equals("file")) {
      return url == null ? null : new State(url, 0, LARGEST);
    }
    BasicFileAttributes attributes = Files.readAttributes(file(url), BasicFileAttributes.class);
    if (!attributes.isRegularFile() || attributes.size() > LARGEST) {
      return null;
    }
    return new State(url, Math.max(1, attributes.lastModifiedTime().toMillis()), attributes.size());
  }

  /** Returns true if the name on the disk has another case, on a disk that ignores case. */
  private static boolean isOtherCase(URL url, String path) throws IOException {
    if (!url.getProtocol().equals("file")) {
      return false;
    }
    String real = file(url).toRealPath().toString().replace('\\', '/');
    int start = real.length() - path.length();
    return real.regionMatches(true, start, path, 0, path.length()) && !real.endsWith(path);
  }

  private static Path file(URL url) throws IOException {
    try {
      return Path.of(new URI(url.toString()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IOException(e);
    }
  }

  /** Returns the hash of a file; null if it is a directory in a jar, or longer than the limit. */
  private static @Nullable String hash(URL url, long limit) throws IOException {
    MessageDigest digest = Hash.of("SHA-256");
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // a cached jar would stay open
    try (InputStream content = connection.getInputStream()) {
      if (isDirectory(connection) || connection.getContentLengthLong() > limit) {
        return null;
      }
      byte[] chunk = new byte[CHUNK];
      long rest = limit;
      for (int n = content.read(chunk); n >= 0; n = content.read(chunk)) {
        rest -= n;
        if (rest < 0) {
          return null;
        }
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }

  private static boolean isDirectory(URLConnection connection) throws IOException {
    JarEntry entry = connection instanceof JarURLConnection jar ? jar.getJarEntry() : null;
    return entry != null && entry.isDirectory();
  }
}
