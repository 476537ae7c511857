package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.AcceptEncoding;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.ContentLength;
import dev.percolate.http.ETag;
import dev.percolate.http.Status;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses answers for clients that take gzip or deflate, piece by piece as they are written.
 *
 * <p>Compressed is what is of a type worth it ({@link #compressible}), long enough or of unknown
 * length, and not encoded already; not what has {@code Cache-Control: no-transform}. Whatever could
 * be compressed says {@code Vary: Accept-Encoding}. HEAD and 304 get the headers of the compressed
 * response. Pieces are held back while that helps; {@link Response#flush} sends them.
 *
 * <p>The entity tag of a compressed response becomes weak, since the bytes are others (RFC 9110
 * section 8.8.3.3). {@code If-Match} never matches a weak tag: if clients update a resource by its
 * tag, exclude it by {@code Cache-Control: no-transform}.
 *
 * <p>It is its own options; each gives a changed copy:
 *
 * <pre>
 *   threshold   1kb    how long an answer must be at least
 *   filter      types  which answers are compressed
 *   level       6      from 1, the fastest, to 9, the smallest
 * </pre>
 *
 * <p>An answer that holds both a secret and something that others choose tells by its length how
 * alike they are (BREACH): leave such answers out by the filter, or change the secret with every
 * answer, as {@link Csrf#token} does.
 *
 * <pre>{@code
 * app.use(Compression.of().threshold("2kb"));
 * app.use(StaticFiles.of(Path.of("public")));
 * }</pre>
 */
@CheckReturnValue
public final class Compression implements Middleware {

  private static final long DEFAULT_THRESHOLD = 1024;
  private static final int DEFAULT_LEVEL = 6;

  private final long threshold;
  private final BiPredicate<Request, Response> filter;
  private final int level;

  private Compression(long threshold, BiPredicate<Request, Response> filter, int level) {
    this.threshold = threshold;
    this.filter = filter;
    this.level = level;
  }

  /** Compresses with default options. */
  public static Compression of() {
    return new Compression(
        DEFAULT_THRESHOLD, (req, res) -> compressible(res.get("Content-Type")), DEFAULT_LEVEL);
  }

  /**
   * Tells whether content of a type is worth compressing: text, scripts, JSON, XML and the like,
   * but neither what is compressed in itself nor what is unknown.
   *
   * @param contentType the value of the header, or null
   * @return true for compressible types
   */
  public static boolean compressible(@Nullable String contentType) {
    return CompressibleTypes.contain(contentType);
  }

  /**
   * Chooses how long an answer must be at least.
   *
   * @param bytes its length; answers in pieces are always long enough
   * @throws IllegalArgumentException if it is negative
   */
  public Compression threshold(long bytes) {
    return new Compression(ByteSize.bytes("threshold", bytes), filter, level);
  }

  /**
   * Chooses how long an answer must be at least.
   *
   * @param size a size such as {@code 2kb}, by powers of 1024
   * @throws IllegalArgumentException if it is none
   */
  public Compression threshold(String size) {
    return new Compression(ByteSize.bytes("threshold", size), filter, level);
  }

  /**
   * Chooses which answers are compressed, whatever their type.
   *
   * @param filter is asked when all headers are set; {@link #compressible} helps
   */
  public Compression filter(BiPredicate<Request, Response> filter) {
    return new Compression(threshold, filter, level);
  }

  /**
   * Chooses between speed and size.
   *
   * @param level 1 to 9
   * @throws IllegalArgumentException if it is another number
   */
  public Compression level(int level) {
    if (level < Deflater.BEST_SPEED || level > Deflater.BEST_COMPRESSION) {
      throw new IllegalArgumentException("level(" + level + "): not a number from 1 to 9");
    }
    return new Compression(threshold, filter, level);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    res.onHeaders(() -> decide(req, res));
    next.run();
  }

  private void decide(Request req, Response res) {
    boolean whole = res.bodyLength() >= 0 && res.get("Content-Length") == null;
    boolean sent = Status.hasBody(res.status()) && !req.method().equals("HEAD");
    String coding = coding(req, res, sent);
    if (coding == null) {
      if (whole && sent) {
        res.filter(new PassFilter(() -> {}));
      }
      return;
    }
    if (sent) {
      res.filter(new DeflateFilter(coding.equals("gzip"), level));
    }
    describe(res, coding);
  }

  /** Describes a compressed body, which is another one, byte by byte, than the tag was made of. */
  static void describe(Response res, String coding) {
    res.set("Content-Encoding", coding).remove("Content-Length");
    String etag = res.get("ETag");
    if (etag != null) {
      res.set("ETag", ETag.weaken(etag));
    }
  }

  /**
   * Returns the coding of the response, or of the one that a HEAD or a 304 stands for; null if it
   * is not compressed.
   */
  private @Nullable String coding(Request req, Response res, boolean sent) {
    if (!filter.test(req, res) || isFixed(res)) {
      return null;
    }
    res.vary("Accept-Encoding");
    // Ranges are counted in the bytes that are sent (RFC 9110 §14.4), and these have been counted.
    boolean part = res.get("Content-Range") != null;
    boolean plain = !part && (res.get("Content-Encoding") == null || isIdentity(res));
    boolean described = res.status() == 304 || Status.hasBody(res.status());
    if (isShort(res) || !plain || !(sent || (described && describesUnsent(req)))) {
      return null;
    }
    return AcceptEncoding.best(req.get("Accept-Encoding"));
  }

  /** Returns whether HEAD and 304 have the headers that the body would have, as RFC 9110 says. */
  private static boolean describesUnsent(Request req) {
    String rules = req.settings().get(Settings.CONDITIONAL_REQUESTS);
    return ConditionalRequests.of(rules) == ConditionalRequests.STANDARD;
  }

  private boolean isShort(Response res) {
    String length = res.get("Content-Length");
    long known = length == null ? res.bodyLength() : ContentLength.exact(length);
    boolean pieces = length == null && known < 0;
    return !pieces && known < threshold;
  }

  private static boolean isIdentity(Response res) {
    return "identity".equals(res.get("Content-Encoding"));
  }

  private static boolean isFixed(Response res) {
    return res.headers().all("Cache-Control").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("no-transform"));
  }
}
