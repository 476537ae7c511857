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
import dev.percolate.http.Copyable;
import dev.percolate.http.Status;
import dev.percolate.middleware.compression.CompressibleTypes;
import dev.percolate.middleware.compression.DeflateFilter;
import dev.percolate.middleware.compression.PassFilter;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that compresses responses with gzip or deflate, while they are written.
 *
 * <p>A response is compressed if its type is {@link #compressible}, and its length is unknown or at
 * least the threshold. It must not have a content coding or {@code Cache-Control: no-transform}.
 * All responses that could be compressed have {@code Vary: Accept-Encoding}. Responses to HEAD and
 * 304 responses have the headers of the compressed response. Data is buffered for better
 * compression; {@link Response#flush} sends it.
 *
 * <p>Responses of servlets are not compressed, see {@link Response#filterable}.
 *
 * <p>The entity tag of a compressed response becomes weak, since its bytes differ (RFC 9110 section
 * 8.8.3.3). {@code If-Match} never matches a weak tag. If clients use the tag for updates, exclude
 * the resource with {@code Cache-Control: no-transform}.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   threshold   1kb     the minimum size of a response
 *   filter      types   the responses to compress
 *   level       6       1 (fastest) to 9 (smallest)
 * </pre>
 *
 * <p>If a response contains both a secret and data that an attacker can choose, its compressed size
 * can reveal the secret (the BREACH attack). Exclude such responses with the filter, or change the
 * secret in each response, as {@link Csrf#token} does.
 *
 * <pre>{@code
 * app.use(Compression.of().threshold("2kb"));
 * app.use(StaticFiles.of(Path.of("public")));
 * }</pre>
 */
@CheckReturnValue
public final class Compression extends Copyable<Compression> implements Middleware {

  private long threshold = 1024;
  private BiPredicate<Request, Response> filter =
      (req, res) -> compressible(res.get("Content-Type"));
  private int level = 6;

  private Compression() {}

  /** Creates the middleware with default options. */
  public static Compression of() {
    return new Compression();
  }

  /**
   * Returns true if content of a type is worth compressing: text, scripts, JSON, XML and similar
   * types. Returns false for unknown types and for types that are already compressed.
   *
   * @param contentType the value of {@code Content-Type}, or null
   * @return true for compressible types
   */
  public static boolean compressible(@Nullable String contentType) {
    return CompressibleTypes.contain(contentType);
  }

  /**
   * Sets the minimum size of a response. Responses of unknown length are always compressed.
   * Default: 1 KiB.
   *
   * @param bytes the size in bytes
   * @throws IllegalArgumentException if it is negative
   */
  public Compression threshold(long bytes) {
    return with(copy -> copy.threshold = ByteSize.bytes("threshold", bytes));
  }

  /**
   * Sets the minimum size of a response. Responses of unknown length are always compressed.
   * Default: 1 KiB.
   *
   * @param size a size such as {@code 2kb}, where 1 kb is 1024 bytes
   * @throws IllegalArgumentException if the size is invalid
   */
  public Compression threshold(String size) {
    return with(copy -> copy.threshold = ByteSize.bytes("threshold", size));
  }

  /**
   * Sets which responses are compressed. Default: those with a {@link #compressible} type.
   *
   * @param filter returns true for responses to compress; it is called when all headers are set
   */
  public Compression filter(BiPredicate<Request, Response> filter) {
    return with(copy -> copy.filter = filter);
  }

  /**
   * Sets the compression level. Default: 6.
   *
   * @param level 1 (fastest) to 9 (smallest)
   * @throws IllegalArgumentException if it is out of range
   */
  public Compression level(int level) {
    if (level < Deflater.BEST_SPEED || level > Deflater.BEST_COMPRESSION) {
      throw new IllegalArgumentException("level must be 1 to 9, was " + level);
    }
    return with(copy -> copy.level = level);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    res.onHeaders(() -> decide(req, res));
    next.run();
  }

  private void decide(Request req, Response res) {
    if (!res.filterable()) {
      return;
    }
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
    DeflateFilter.describe(res, coding, isStandard(req));
  }

  /**
   * Returns the content coding of the response; null if it is not compressed. For HEAD and 304 this
   * is the coding that a response with a body would have.
   */
  private @Nullable String coding(Request req, Response res, boolean sent) {
    if (!filter.test(req, res) || isFixed(res)) {
      return null;
    }
    res.vary("Accept-Encoding");
    // The byte range refers to the encoded bytes (RFC 9110 §14.4), and is already computed.
    boolean part = res.get("Content-Range") != null;
    String coded = res.get("Content-Encoding");
    boolean plain = !part && (coded == null || coded.equals("identity"));
    boolean described = res.status() == 304 || Status.hasBody(res.status());
    if (isShort(res) || !plain || !(sent || (described && isStandard(req)))) {
      return null;
    }
    return AcceptEncoding.best(req.get("Accept-Encoding"));
  }

  /**
   * Returns true if headers follow RFC 9110, not Express: HEAD and 304 have those that the body
   * would have.
   */
  private static boolean isStandard(Request req) {
    String rules = req.settings().get(Settings.CONDITIONAL_REQUESTS);
    return ConditionalRequests.of(rules) == ConditionalRequests.STANDARD;
  }

  private boolean isShort(Response res) {
    String length = res.get("Content-Length");
    long known = length == null ? res.bodyLength() : ContentLength.exact(length);
    boolean pieces = length == null && known < 0;
    return !pieces && known < threshold;
  }

  private static boolean isFixed(Response res) {
    return res.headers().all("Cache-Control").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("no-transform"));
  }
}
