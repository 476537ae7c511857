package dev.percolate.parsers;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.ByteSize;
import dev.percolate.http.Charsets;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import dev.percolate.http.TypeMatcher;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and parses the bodies of requests with certain content types.
 *
 * <p>Requests are passed on unchanged if they have no body, another type, or a body that an earlier
 * parser has read. If several parsers match, the first one reads the body. Parsers keep no state of
 * requests. Each option returns a changed copy:
 *
 * <pre>
 *   inflate   true             whether to decompress bodies in gzip, deflate, br and each {@link
 *                              ContentCoding}; otherwise they get a 415
 *   limit     100kb            the maximum size of a decompressed body
 *   type      the parser's     the content types to parse
 *   verify    none             checks the bytes before parsing
 *   keepRaw   false            whether to keep the bytes on the request
 * </pre>
 *
 * <p>Errors go to {@code next.fail} as an {@link HttpError} with a type:
 *
 * <pre>
 *   415 charset.unsupported    charset
 *   415 encoding.unsupported   encoding
 *   413 entity.too.large       limit, and length and expected (by Content-Length) or received
 *   500 stream.encoding.set
 *   500 stream.not.readable
 *   400 request.aborted        received, expected, length, code
 *   400 request.size.invalid   received, expected, length
 *   400 (without a type)       the body cannot be decompressed
 *   403 entity.verify.failed   body
 *   400 entity.parse.failed    body
 * </pre>
 *
 * <p>After an error {@code req.body()} stays unset, and the engine handles the rest of the body.
 *
 * @param <P> the type of the parser
 */
@CheckReturnValue
public abstract class BodyParser<P extends BodyParser<P>> extends Copyable<P>
    implements Middleware, TraitsProvider {

  /**
   * Whether to accept only the names that body-parser accepts: for forms and JSON {@code utf-8},
   * not {@code utf8}; {@code gzip}, not {@code x-gzip}; no lists of codings. Default: false.
   */
  public static final Key<Boolean> EXACT_NAMES = Key.of("exact body names", Boolean.class, false);

  private static final long DEFAULT_LIMIT = 100 << 10;

  private final String defaultType;

  // Not private: a type variable does not reach private fields of its bound.
  boolean inflate = true;
  long limit = DEFAULT_LIMIT;
  TypeMatcher types;
  @Nullable Predicate<Request> typePredicate;
  @Nullable Verifier verifier;
  boolean keepRaw;

  /**
   * Creates a parser with the default options.
   *
   * @param defaultType the content types to parse by default; see {@link #type(String...)}
   * @throws IllegalStateException if the library of a content coding is missing
   */
  protected BodyParser(String defaultType) {
    Codings.check();
    this.defaultType = defaultType;
    this.types = TypeMatcher.of(defaultType);
  }

  /**
   * Sets whether compressed bodies are decompressed. Otherwise they get a 415. Default: true.
   *
   * @param inflate false to reject compressed bodies
   */
  public P inflate(boolean inflate) {
    return with(copy -> copy.inflate = inflate);
  }

  /**
   * Sets the maximum size of a decompressed body. Default: 100 KiB.
   *
   * @param bytes the limit in bytes
   * @throws IllegalArgumentException if the limit is negative
   */
  public P limit(long bytes) {
    long checked = ByteSize.bytes("limit", bytes);
    return with(copy -> copy.limit = checked);
  }

  /**
   * Sets the maximum size of a decompressed body. Default: 100 KiB.
   *
   * @param size a size such as {@code 500kb} or {@code 1.5 MB}, or a number of bytes, see {@link
   *     ByteSize}; null for the default
   * @throws IllegalArgumentException if the size is invalid
   */
  public P limit(@Nullable String size) {
    return limit(size == null ? DEFAULT_LIMIT : ByteSize.bytes("limit", size));
  }

  /**
   * Sets the content types to parse: media types such as {@code text/*} or {@code
   * application/json}, suffixes such as {@code +json}, extensions such as {@code html}. Parameters
   * are ignored.
   *
   * @param types the types, of which one must match. Without arguments, all well-formed types
   *     match. A single empty string restores the default
   */
  public P type(String... types) {
    List<String> list = List.of(types);
    TypeMatcher matcher = TypeMatcher.of(list.equals(List.of("")) ? List.of(defaultType) : list);
    return with(
        copy -> {
          copy.types = matcher;
          copy.typePredicate = null;
        });
  }

  /**
   * Sets a predicate for the requests to parse.
   *
   * @param type called for each request that has a body; the request's type may be absent or
   *     malformed
   */
  public P type(Predicate<Request> type) {
    return with(copy -> copy.typePredicate = type);
  }

  /**
   * Checks the bytes of each body before parsing. Requests that are passed on are not checked:
   * those without a body, of another type, or with a body that an earlier parser has read.
   *
   * @param verifier throws to reject a request; null for none
   */
  public P verify(@Nullable Verifier verifier) {
    return with(copy -> copy.verifier = verifier);
  }

  /**
   * Sets whether to keep the bytes of each body on the request, under {@link Request#RAW}. Default:
   * false.
   *
   * @param keepRaw true to keep them
   */
  public P keepRaw(boolean keepRaw) {
    return with(copy -> copy.keepRaw = keepRaw);
  }

  @Override
  public MiddlewareTraits traits() {
    List<Object> deed = List.of(getClass(), typePredicate == null ? types : typePredicate);
    return MiddlewareTraits.of("parser").once(deed);
  }

  @Override
  public final void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(Request.BODY_TAKEN) != null || !hasBody(req)) {
      next.run();
      return;
    }
    MediaType type = MediaType.parse(req.get("Content-Type"));
    if (typePredicate == null ? !types.matches(type) : !typePredicate.test(req)) {
      req.attr(Request.BODY_PASSED_ON, true);
      next.run();
      return;
    }
    String charset = charset(type);
    if (charset != null && !readsExactly(charset) && isExact(req)) {
      throw BodyErrors.charset(charset);
    }
    Function<byte[], String> decoder = charset == null ? null : Charsets.find(charset);
    HttpError unknown = charset == null || decoder != null ? null : BodyErrors.charset(charset);
    if (verifier != null && unknown != null) {
      throw unknown;
    }
    Codings codings = codings(req);
    // Later parsers must not read a body that this parser rejects from here on.
    req.attr(Request.BODY_TAKEN, true);
    boolean plain = codings == null;
    long length = plain ? length(req) : -1;
    checkReadable(req, plain, length);
    if (unknown != null) {
      throw unknown;
    }
    Bytes bytes =
        new Bytes(limit, length, new Bytes.MemoryShare(kept -> RequestControl.reserve(req, kept)));
    req.read(
        new BodyReader(
            this,
            codings == null ? bytes : codings.decoder(bytes),
            bytes,
            length,
            next,
            body -> take(req, res, body, charset, decoder)));
  }

  /**
   * Returns the memory that a body needs for its text and parsed value, in bytes. Default: 8 times
   * its size.
   *
   * @param body the decompressed body, which must not be changed
   * @param exact false if a quick upper bound is sufficient
   */
  protected long weight(ByteBuffer body, boolean exact) {
    return 8L * body.remaining();
  }

  /**
   * Returns the charset of a body; null if the body is not text. By default that of the content
   * type, or {@code utf-8}.
   *
   * @param type the content type of the body
   * @throws HttpError 415 if the parser does not support the charset
   */
  protected @Nullable String charset(MediaType type) {
    return charset(type, "utf-8");
  }

  /**
   * Parses a body and sets it with {@link RequestControl#body}. All exceptions go to the error
   * handlers.
   *
   * @param req the request
   * @param bytes the body, decompressed and verified
   * @param text the body as text; empty without a charset
   * @param charset the charset; null if the body is not text
   * @throws HttpError for a malformed body, such as 400 {@code entity.parse.failed}
   */
  protected abstract void parse(Request req, byte[] bytes, String text, @Nullable String charset);

  /**
   * Returns the {@code charset} parameter in lowercase, or a default if it is absent or empty.
   *
   * @param type the content type of a body
   * @param fallback the default
   */
  protected static String charset(MediaType type, String fallback) {
    String charset = type.parameter("charset");
    return charset == null || charset.isEmpty() ? fallback : charset.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the charset of a type, as {@link #charset(MediaType, String)} does, if the parser
   * supports it.
   *
   * @param type the content type of a body
   * @param fallback the default
   * @param read returns whether the parser supports a charset
   * @throws HttpError 415 if it does not
   */
  static String charset(MediaType type, String fallback, Predicate<String> read) {
    String charset = charset(type, fallback);
    if (!read.test(charset)) {
      throw BodyErrors.charset(charset);
    }
    return charset;
  }

  /** Returns true if the current headers announce a body, which may be empty. */
  private static boolean hasBody(Request req) {
    if (length(req) >= 0 || req.headers().get("Transfer-Encoding") != null) {
      return true;
    }
    // In HTTP/2 no header announces a body. In HTTP/1 middleware may have removed the headers.
    return !req.httpVersion().startsWith("1.") && req.hasBody();
  }

  private static long length(Request req) {
    return ContentLength.parse(req.get("Content-Length"));
  }

  private @Nullable Codings codings(Request req) {
    String header = req.get("Content-Encoding");
    if (header == null) {
      return null;
    }
    if (!inflate && !header.isEmpty() && !header.equalsIgnoreCase("identity")) {
      throw BodyErrors.encodingOff(header.toLowerCase(Locale.ROOT));
    }
    return isExact(req) ? Codings.parseExactly(header) : Codings.parse(header);
  }

  private static boolean isExact(Request req) {
    return Boolean.TRUE.equals(req.settings().get(EXACT_NAMES));
  }

  /** Returns whether body-parser accepts this name of a charset. See {@link #EXACT_NAMES}. */
  boolean readsExactly(String charset) {
    return true;
  }

  private void checkReadable(Request req, boolean plain, long length) {
    if (length > limit) {
      throw BodyErrors.tooLarge(limit, length);
    }
    if (plain && RequestControl.encoding(req) != null) {
      throw new HttpError(
          500,
          "RequestControl.encoding(…) was called before the body parser, which needs bytes",
          "stream.encoding.set",
          null);
    }
    if (!RequestControl.readable(req)) {
      throw new HttpError(500, "the body has been read already", "stream.not.readable", null);
    }
  }

  private void take(
      Request req,
      Response res,
      byte[] bytes,
      @Nullable String charset,
      @Nullable Function<byte[], String> decoder) {
    if (keepRaw) {
      req.attr(Request.RAW, bytes);
    }
    if (verifier != null) {
      try {
        verifier.verify(req, res, bytes, charset);
      } catch (Exception e) {
        throw rejected(e, bytes);
      }
    }
    parse(req, bytes, decoder, charset);
  }

  /** Parses a body that need not be decoded to text first. */
  void parse(
      Request req,
      byte[] bytes,
      @Nullable Function<byte[], String> decoder,
      @Nullable String charset) {
    parse(req, bytes, decoder == null ? "" : decoder.apply(bytes), charset);
  }

  /**
   * Returns the exception of a verifier as an error of the request. An {@link HttpError} keeps its
   * status and fields; fields that contradict the status are corrected.
   */
  private static HttpError rejected(Exception thrown, byte[] bytes) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    HttpError error = thrown instanceof HttpError known ? known : null;
    if (error == null || error.type() == null) {
      int status = error == null ? 403 : error.status();
      HttpError typed = new HttpError(status, thrown.getMessage(), "entity.verify.failed", thrown);
      if (error != null) {
        error.fields().forEach(typed::with);
      }
      error = typed;
    }
    return error
        .with("status", error.field("status") == null ? null : error.status())
        .with("statusCode", error.field("statusCode") == null ? null : error.status())
        .with("expose", error.field("expose") == null ? null : error.expose())
        .with("body", bytes);
  }
}
