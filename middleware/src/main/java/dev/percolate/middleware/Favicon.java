package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.ETag;
import dev.percolate.http.TimeSpan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Answers {@code /favicon.ico}, which browsers ask every site for, from memory; passes everything
 * else on.
 *
 * <p>Put it in front of the logger to keep these requests out of the log:
 *
 * <pre>{@code
 * app.use(Favicon.of(Path.of("public/favicon.ico")).maxAge("7 days"));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class Favicon implements Middleware {

  private static final long LONGEST_AGE = 365L * 24 * 60 * 60 * 1000;

  private final Icon icon;
  private final long maxAge;

  private Favicon(Icon icon, long maxAge) {
    this.icon = icon;
    this.maxAge = maxAge;
  }

  /** Reads the icon, once. */
  private interface Source {
    byte[] read() throws IOException;
  }

  /** Keeps the icon from the first request on; copies of the middleware share it. */
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

  /** Answers with an icon of the framework's own. */
  public static Favicon of() {
    return new Favicon(new Icon(Favicon::own), LONGEST_AGE);
  }

  /**
   * Answers with the content of a file, which is read at the first request.
   *
   * @param file the file
   * @return the middleware
   * @throws UncheckedIOException if there is no such file
   */
  public static Favicon of(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new UncheckedIOException(new FileNotFoundException("no such file: " + file));
    }
    return new Favicon(new Icon(() -> Files.readAllBytes(file)), LONGEST_AGE);
  }

  /**
   * Answers with an icon.
   *
   * @param icon the bytes, copied
   * @return the middleware
   */
  public static Favicon of(byte[] icon) {
    byte[] copy = icon.clone();
    return new Favicon(new Icon(() -> copy), LONGEST_AGE);
  }

  /**
   * Chooses how long clients may keep the icon without asking.
   *
   * @param millis milliseconds; more than 365 days count as these
   * @throws IllegalArgumentException if it is negative
   */
  public Favicon maxAge(long millis) {
    return new Favicon(icon, Math.min(LONGEST_AGE, TimeSpan.millis("maxAge", millis)));
  }

  /**
   * Chooses how long clients may keep the icon without asking.
   *
   * @param time a time such as {@code 7 days}; see {@link dev.percolate.http.TimeSpan}
   * @throws IllegalArgumentException if it is none
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
      send(res);
    }
  }

  private void send(Response res) {
    res.status(200)
        .set("Cache-Control", "public, max-age=" + maxAge / 1000)
        .set("ETag", icon.tag)
        .set("Content-Type", "image/x-icon")
        .send(icon.bytes);
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
