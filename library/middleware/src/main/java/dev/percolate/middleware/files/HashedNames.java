package dev.percolate.middleware.files;

import dev.percolate.http.Hash;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Paths of files that contain a hash of the content: {@code /app.css} becomes {@code
 * /app.1a2b3c4d5e.css}. A changed file gets another path, so clients may cache each path forever.
 *
 * <p>Each file is read once, and again if its time or size has changed. Files in jars do not
 * change. Thread-safe.
 */
public final class HashedNames {

  private static final int DIGITS = 10;
  private static final int CHUNK = 1 << 14;

  /** A path with a hash before the last extension. */
  private static final Pattern HASHED =
      Pattern.compile("(.*/[^/]+)\\.([0-9a-f]{" + DIGITS + "})(\\.[^./]+)?");

  private final Function<String, @Nullable URL> files;
  private final Map<String, Version> known = new ConcurrentHashMap<>();

  /**
   * A version of a file.
   *
   * @param modified its time in milliseconds; 0 in a jar
   */
  private record Version(long modified, long size, String hash) {}

  private HashedNames(Function<String, @Nullable URL> files) {
    this.files = files;
  }

  /** Creates the paths of the files in a directory. */
  public static HashedNames of(Path root) {
    return new HashedNames(
        path -> {
          try {
            return root.resolve(path.substring(1)).toUri().toURL();
          } catch (IOException | InvalidPathException e) {
            return null;
          }
        });
  }

  /** Creates the paths of the files in a folder of the class path. */
  public static HashedNames of(ClassLoader loader, String folder) {
    String prefix = folder.replaceFirst("^/+", "").replaceFirst("/+$", "");
    return new HashedNames(path -> loader.getResource(prefix + path));
  }

  /**
   * Returns a path with the hash of the file.
   *
   * @param path the path, which begins with a slash
   * @return the path unchanged if the file does not exist
   */
  public String hashed(String path) {
    String hash = hash(path);
    if (hash == null) {
      return path;
    }
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

  /** Returns true if a path has the hash of the file as it is now. */
  public boolean isCurrent(String path) {
    String plain = plain(path);
    return plain != null && hashed(plain).equals(path);
  }

  private @Nullable String hash(String path) {
    boolean simple =
        path.startsWith("/")
            && !path.endsWith("/")
            && !(path + "/").contains("/../")
            && path.chars().noneMatch(c -> c == '%' || c == '\\' || c < ' ');
    if (!simple) {
      return null;
    }
    try {
      Version version = version(path);
      return version == null ? null : version.hash();
    } catch (IOException e) {
      return null;
    }
  }

  private @Nullable Version version(String path) throws IOException {
    Version last = known.get(path);
    if (last != null && last.modified() == 0) {
      return last;
    }
    URL url = files.apply(path);
    if (url == null) {
      return null;
    }
    long modified = 0;
    long size = 0;
    if (url.getProtocol().equals("file")) {
      BasicFileAttributes attributes = Files.readAttributes(file(url), BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        return null;
      }
      modified = Math.max(1, attributes.lastModifiedTime().toMillis());
      size = attributes.size();
    }
    if (last != null && last.modified() == modified && last.size() == size) {
      return last;
    }
    Version version = new Version(modified, size, hash(url));
    known.put(path, version);
    return version;
  }

  private static Path file(URL url) throws IOException {
    try {
      return Path.of(new URI(url.toString()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IOException(e);
    }
  }

  private static String hash(URL url) throws IOException {
    MessageDigest digest = Hash.of("SHA-256");
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // a cached jar would stay open
    try (InputStream content = connection.getInputStream()) {
      byte[] chunk = new byte[CHUNK];
      for (int n = content.read(chunk); n >= 0; n = content.read(chunk)) {
        digest.update(chunk, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }
}
