package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.ETag;
import dev.percolate.http.TimeSpan;
import dev.percolate.middleware.files.ReadOnly;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Middleware that responds to {@code /favicon.ico}, which browsers request from every site, from
 * memory. All other requests are passed on.
 *
 * <p>Add it before the logger to keep these requests out of the log:
 *
 * <pre>{@code
 * app.use(Favicon.of(Path.of("public/favicon.ico")).maxAge("7 days"));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class Favicon extends Copyable<Favicon> implements Middleware {

  private static final long LONGEST_AGE = 365L * 24 * 60 * 60 * 1000;

  private final Icon icon;
  private long maxAge = LONGEST_AGE;

  private Favicon(Icon icon) {
    this.icon = icon;
  }

  /** Reads the icon. */
  private interface Source {
    byte[] read() throws IOException;
  }

  /** Holds the icon after the first request. Copies of the middleware share it. */
  private static final class Icon {

    private final Source source;
    private byte[] bytes = {};
    private String tag = "";

    Icon(Source source) {
      this.source = source;
    }

    synchronized void read() throws IOException {
      if (tag.isEmpty()) {
        bytes = source.read();
        tag = ETag.strong(bytes);
      }
    }
  }

  /** Creates middleware with the icon of Percolate. */
  public static Favicon of() {
    return new Favicon(new Icon(Favicon::own));
  }

  /**
   * Creates middleware with an icon from a file, which is read at the first request.
   *
   * @param file the file
   * @return the middleware
   * @throws UncheckedIOException if the file does not exist
   */
  public static Favicon of(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new UncheckedIOException(new FileNotFoundException("no such favicon file: " + file));
    }
    return new Favicon(new Icon(() -> Files.readAllBytes(file)));
  }

  /**
   * Creates middleware with an icon.
   *
   * @param icon the bytes, which are copied
   * @return the middleware
   */
  public static Favicon of(byte[] icon) {
    byte[] copy = icon.clone();
    return new Favicon(new Icon(() -> copy));
  }

  /**
   * Sets how long clients may cache the icon. Default: 365 days, which is the maximum.
   *
   * @param millis the time in milliseconds; values above the maximum are reduced to it
   * @throws IllegalArgumentException if it is negative
   */
  public Favicon maxAge(long millis) {
    long age = Math.min(LONGEST_AGE, TimeSpan.millis("maxAge", millis));
    return with(copy -> copy.maxAge = age);
  }

  /**
   * Sets how long clients may cache the icon. Default: 365 days, which is the maximum.
   *
   * @param time a time such as {@code 7 days}; see {@link dev.percolate.http.TimeSpan}
   * @throws IllegalArgumentException if the time is invalid
   */
  public Favicon maxAge(String time) {
    return maxAge(TimeSpan.millis("maxAge", time));
  }

  @Override
  public void handle(Request req, Response res, Next next) throws IOException {
    if (!req.path().equals("/favicon.ico")) {
      next.run();
    } else if (ReadOnly.allows(req, res)) {
      icon.read();
      res.status(200)
          .set("Cache-Control", "public, max-age=" + maxAge / 1000)
          .set("ETag", icon.tag)
          .set("Content-Type", "image/x-icon")
          .send(icon.bytes);
    }
  }

  private static byte[] own() throws IOException {
    try (InputStream own = Favicon.class.getResourceAsStream("favicon.ico")) {
      if (own == null) {
        throw new FileNotFoundException("favicon.ico");
      }
      return own.readAllBytes();
    }
  }
}
