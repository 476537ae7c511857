package dev.percolate.parsers;

import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.http.CheckReturnValue;

/**
 * Creates body parsers. A body parser reads the bodies of its content types and sets {@link
 * dev.percolate.core.Request#body()}.
 *
 * <pre>{@code
 * app.use(BodyParsers.json().limit("1mb"));
 * app.post("/login", BodyParsers.urlencoded(), (req, res) -> ...);
 * }</pre>
 *
 * <p>See {@link BodyParser} for the common options.
 */
@CheckReturnValue
public final class BodyParsers {

  /** The bytes of the body, if {@link BodyParser#keepRaw} is set. */
  public static final Key<byte[]> RAW = Request.RAW;

  private BodyParsers() {}

  /**
   * Creates a parser of {@code application/json}.
   *
   * @return a parser with default options
   */
  public static JsonParser json() {
    return new JsonParser();
  }

  /**
   * Creates a parser of {@code application/octet-stream}, which sets the body to its bytes.
   *
   * @return a parser with default options
   */
  public static RawParser raw() {
    return new RawParser();
  }

  /**
   * Creates a parser of {@code text/plain}.
   *
   * @return a parser with default options
   */
  public static TextParser text() {
    return new TextParser();
  }

  /**
   * Creates a parser of HTML forms, {@code application/x-www-form-urlencoded}.
   *
   * @return a parser with default options
   */
  public static UrlencodedParser urlencoded() {
    return new UrlencodedParser();
  }
}
