package dev.percolate.parsers;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
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
 * Reads the bodies of some types, checks and parses them, and passes on.
 *
 * <p>A request without a body, of another type, or whose body a parser above has read, is passed on
 * as it is. Of several parsers the first whose type matches reads the body. A parser keeps nothing
 * of a request; it is its own options, and each option gives a changed copy:
 *
 * <pre>
 *   inflate   true             whether bodies in gzip, deflate and br, in what a {@link
 *                              ContentCoding} adds, and in lists of them, are inflated, or refused
 *   limit     100kb            how many bytes a body may have, inflated
 *   type      the parser's     which requests are parsed
 *   verify    none             checks the bytes
 *   keepRaw   false            whether the bytes stay on the request, too
 * </pre>
 *
 * <p>What is wrong with a body goes to {@code next.fail} as an {@link HttpError} with a type:
 *
 * <pre>
 *   415 charset.unsupported    charset
 *   415 encoding.unsupported   encoding
 *   413 entity.too.large       limit, and length and expected (by Content-Length) or received
 *   500 stream.encoding.set
 *   500 stream.not.readable
 *   400 request.aborted        received, expected, length, code
 *   400 request.size.invalid   received, expected, length
 *   400 (without a type)       the body cannot be inflated
 *   403 entity.verify.failed   body
 *   400 entity.parse.failed    body
 * </pre>
 *
 * <p>The body then stays unset, and what the client has yet to send is left to the engine.
 *
 * @param <P> the parser itself
 */
@CheckReturnValue
public abstract class BodyParser<P extends BodyParser<P>> extends Copyable<P>
    implements Middleware, StepKind {

  /**
   * Whether names of charsets and content codings must be written as body-parser wants them: forms
   * and JSON in {@code utf-8}, not {@code utf8}; {@code gzip}, not {@code x-gzip}, and no list of
   * codings. Default: false.
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
   * @param defaultType the types that it reads by default; see {@link #type(String...)}
   * @throws IllegalStateException if a content coding is on the class path without its library
   */
  protected BodyParser(String defaultType) {
    Codings.check();
    this.defaultType = defaultType;
    this.types = TypeMatcher.of(defaultType);
  }

  /**
   * Chooses whether compressed bodies are inflated; otherwise they are refused with 415.
   *
   * @param inflate false to refuse them
   */
  public P inflate(boolean inflate) {
    return with(copy -> copy.inflate = inflate);
  }

  /**
   * Limits the size of bodies.
   *
   * @param bytes how many bytes an inflated body may have
   * @throws IllegalArgumentException if it is negative
   */
  public P limit(long bytes) {
    long checked = ByteSize.bytes("limit", bytes);
    return with(copy -> copy.limit = checked);
  }

  /**
   * Limits the size of bodies.
   *
   * @param size a size such as {@code 500kb} or {@code 1.5 MB}, or a plain number of bytes, see
   *     {@link ByteSize}; null for the default
   * @throws IllegalArgumentException if it is none
   */
  public P limit(@Nullable String size) {
    return limit(size == null ? DEFAULT_LIMIT : ByteSize.bytes("limit", size));
  }

  /**
   * Chooses the types of content to parse: media types such as {@code text/*} or {@code
   * application/json}, suffixes such as {@code +json}, extensions such as {@code html}. They are
   * compared as written, without parameters.
   *
   * @param types the types, any of which may match; without any, every well-formed type does. One
   *     empty text stands for the parser's default
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
   * Chooses the requests to parse.
   *
   * @param type is asked for each request that has a body; its type may be absent or malformed
   */
  public P type(Predicate<Request> type) {
    return with(copy -> copy.typePredicate = type);
  }

  /**
   * Checks the bytes of each body before it is parsed.
   *
   * @param verifier throws to refuse a request; null for none
   */
  public P verify(@Nullable Verifier verifier) {
    return with(copy -> copy.verifier = verifier);
  }

  /**
   * Keeps the bytes of each body on the request, under {@link Request#RAW}.
   *
   * @param keepRaw true to keep them
   */
  public P keepRaw(boolean keepRaw) {
    return with(copy -> copy.keepRaw = keepRaw);
  }

  @Override
  public StepTraits traits() {
    List<Object> deed = List.of(getClass(), typePredicate == null ? types : typePredicate);
    return StepTraits.of("parser").once(deed);
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
    // A parser below must not take what this one refuses from here on.
    req.attr(Request.BODY_TAKEN, true);
    boolean plain = codings.isEmpty();
    long length = plain ? length(req) : -1;
    checkReadable(req, plain, length);
    if (unknown != null) {
      throw unknown;
    }
    Bytes bytes = new Bytes(limit, length, new MemoryShare(req::keep));
    req.read(
        new BodyReader(
            this,
            codings.decoder(bytes),
            bytes,
            length,
            next,
            body -> take(req, res, body, charset, decoder)));
  }

  /**
   * Returns how many bytes of memory a body takes when it is parsed: its text, and what that means.
   * By default that of the bytes and of the text, with as much for what it means.
   *
   * @param body the body, inflated; only to be read
   * @param exact false if a quick upper bound will do
   */
  protected long weight(ByteBuffer body, boolean exact) {
    return 8L * body.remaining();
  }

  /**
   * Returns the charset of a body's text; null if it has none. By default that of the type, else
   * {@code utf-8}.
   *
   * @param type the type of the body
   * @throws HttpError 415 if the parser does not read it
   */
  protected @Nullable String charset(MediaType type) {
    return charset(type, "utf-8");
  }

  /**
   * Parses a body and sets it by {@link Request#body(Object)}.
   *
   * @param req the request
   * @param bytes the body, inflated and verified
   * @param text the same as text; empty without a charset
   * @param charset its charset; null if it has none
   * @throws HttpError 400 {@code entity.parse.failed}, say, if the body is malformed; it and
   *     whatever else is thrown goes to the error handlers
   */
  protected abstract void parse(Request req, byte[] bytes, String text, @Nullable String charset);

  /**
   * Returns the parameter {@code charset} in lower case, or a default where it is absent or empty.
   *
   * @param type the type of a body
   * @param fallback the default
   */
  protected static String charset(MediaType type, String fallback) {
    String charset = type.parameter("charset");
    return charset == null || charset.isEmpty() ? fallback : charset.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the charset of a type, as {@link #charset(MediaType, String)} does, if it is among
   * some.
   *
   * @param type the type of a body
   * @param fallback the default
   * @param read tells whether the parser reads it
   * @throws HttpError 415 if it does not
   */
  static String charset(MediaType type, String fallback, Predicate<String> read) {
    String charset = charset(type, fallback);
    if (!read.test(charset)) {
      throw BodyErrors.charset(charset);
    }
    return charset;
  }

  /** Tells whether there is a body, or an empty one, by the headers as they are now. */
  private static boolean hasBody(Request req) {
    if (length(req) >= 0 || req.headers().get("Transfer-Encoding") != null) {
      return true;
    }
    // HTTP/2 has no header for it. In HTTP/1 a step above may have taken the headers away.
    return !req.httpVersion().startsWith("1.") && req.hasBody();
  }

  private static long length(Request req) {
    return ContentLength.parse(req.get("Content-Length"));
  }

  private Codings codings(Request req) {
    String header = req.get("Content-Encoding");
    if (!inflate && header != null && !header.isEmpty() && !header.equalsIgnoreCase("identity")) {
      throw BodyErrors.encodingOff(header.toLowerCase(Locale.ROOT));
    }
    return isExact(req) ? Codings.parseExactly(header) : Codings.parse(header);
  }

  private static boolean isExact(Request req) {
    return Boolean.TRUE.equals(req.settings().get(EXACT_NAMES));
  }

  /** Returns true if a charset is written as body-parser wants it; see {@link #EXACT_NAMES}. */
  boolean readsExactly(String charset) {
    return true;
  }

  private void checkReadable(Request req, boolean plain, long length) {
    if (length > limit) {
      throw BodyErrors.tooLarge(limit, length);
    }
    if (plain && req.encoding() != null) {
      throw new HttpError(
          500,
          "req.encoding(…) has been called by a step above: parsers read bytes",
          "stream.encoding.set",
          null);
    }
    if (!req.readable()) {
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
        throw refused(e, bytes);
      }
    }
    parse(req, bytes, decoder, charset);
  }

  /** Parses a body whose text is not needed yet. */
  void parse(
      Request req,
      byte[] bytes,
      @Nullable Function<byte[], String> decoder,
      @Nullable String charset) {
    parse(req, bytes, decoder == null ? "" : decoder.apply(bytes), charset);
  }

  /**
   * Returns what a verifier threw as an error of the request: one with a status keeps it, and all
   * else that it has but for fields that say something else about it.
   */
  private static HttpError refused(Exception thrown, byte[] bytes) {
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
