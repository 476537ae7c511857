package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.http.Charsets;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Form;
import dev.percolate.http.FormException;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses HTML forms. {@code req.body()} is a {@link Map} of strings and lists of strings. With
 * {@link #extended}, maps can be nested. See {@link Form} for the grammar.
 *
 * <p>Options besides those of {@link BodyParser}:
 *
 * <pre>
 *   extended                  false    whether brackets in names nest: user[name]=x
 *   parameterLimit            1000     the maximum number of parameters
 *   depth                     32       the maximum nesting of brackets; deeper brackets become part
 *                                      of a name, or an error if this option is set
 *   defaultCharset            utf-8    the charset of forms that name none: utf-8 or iso-8859-1
 *   charsetSentinel           false    whether a parameter utf8=... sets the charset
 *   interpretNumericEntities  false    whether to decode &amp;#9786; in iso-8859-1 forms
 * </pre>
 *
 * <p>It parses {@code application/x-www-form-urlencoded}. Its own errors are 413 {@code
 * parameters.too.many} and 400 {@code querystring.parse.rangeError}, both with {@code body}.
 */
@CheckReturnValue
public final class UrlencodedParser extends BodyParser<UrlencodedParser> {

  /** The memory of a map entry whose value is a list or a map, in bytes. */
  private static final long ENTRY = 320;

  private static final int DEFAULT_DEPTH = 32;

  private static final String UTF_8 = "utf-8";
  private static final String LATIN_1 = "iso-8859-1";

  private boolean extended;
  private int parameterLimit = 1000;
  private @Nullable Integer depth;
  private String defaultCharset = UTF_8;
  private boolean charsetSentinel;
  private boolean numericEntities;
  private Form form = Form.simple();

  UrlencodedParser() {
    super("application/x-www-form-urlencoded");
  }

  /**
   * Sets whether brackets in names nest. Default: false.
   *
   * @param extended true to nest
   * @throws IllegalArgumentException if a negative depth was set
   */
  public UrlencodedParser extended(boolean extended) {
    return changed(copy -> copy.extended = extended);
  }

  /**
   * Sets the maximum number of parameters, including empty ones. Default: 1000.
   *
   * @param limit at least 1
   * @throws IllegalArgumentException if {@code limit} is less than 1
   */
  public UrlencodedParser parameterLimit(int limit) {
    return changed(copy -> copy.parameterLimit = limit);
  }

  /**
   * Sets the maximum nesting of brackets in extended forms. Deeper nesting then becomes an error.
   *
   * @param levels at least 0
   * @throws IllegalArgumentException if {@code levels} is negative and the form is extended
   */
  public UrlencodedParser depth(int levels) {
    return changed(copy -> copy.depth = levels);
  }

  /**
   * Sets the charset of forms that name none. Default: {@code utf-8}.
   *
   * @param charset {@code utf-8} or {@code iso-8859-1}
   * @throws IllegalArgumentException for any other charset
   */
  public UrlencodedParser defaultCharset(String charset) {
    if (!readsExactly(charset)) {
      throw new IllegalArgumentException(
          "defaultCharset must be utf-8 or iso-8859-1, was \"" + charset + "\"");
    }
    return changed(copy -> copy.defaultCharset = charset);
  }

  /**
   * Sets whether a parameter {@code utf8} selects the charset of the form. The first one counts,
   * and is removed. Default: false.
   *
   * @param charsetSentinel true to use it
   */
  public UrlencodedParser charsetSentinel(boolean charsetSentinel) {
    return changed(copy -> copy.charsetSentinel = charsetSentinel);
  }

  /**
   * Sets whether to decode decimal character references in values of iso-8859-1 forms. Default:
   * false.
   *
   * @param interpret true to decode them
   */
  public UrlencodedParser interpretNumericEntities(boolean interpret) {
    return changed(copy -> copy.numericEntities = interpret);
  }

  @Override
  boolean readsExactly(String charset) {
    return charset.equals(UTF_8) || charset.equals(LATIN_1);
  }

  @Override
  protected String charset(MediaType type) {
    return charset(type, defaultCharset, this::isKnown);
  }

  @Override
  protected long weight(ByteBuffer body, boolean exact) {
    long parameters = 1;
    long brackets = 0;
    for (int i = body.position(); i < body.limit(); i++) {
      parameters += body.get(i) == '&' ? 1 : 0;
      brackets += extended && isBracket(body, i) ? 1 : 0;
    }
    // A form with more parameters is rejected before it is parsed.
    long parsed = Math.min(parameters, parameterLimit);
    int levels = depth == null ? DEFAULT_DEPTH : Math.max(0, depth);
    return 4L * body.remaining() + ENTRY * (parsed + Math.min(brackets, parsed * levels));
  }

  /** Returns true at an opening bracket, encoded or not. */
  private static boolean isBracket(ByteBuffer body, int at) {
    byte b = body.get(at);
    return b == '['
        || (b == '%'
            && at + 2 < body.limit()
            && body.get(at + 1) == '5'
            && (body.get(at + 2) | 0x20) == 'b');
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    Charset escapes =
        charset != null && !charset.equals(UTF_8) && Charsets.same(LATIN_1, charset)
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    try {
      RequestControl.body(req, form.parse(text, escapes));
    } catch (FormException e) {
      HttpError error =
          e.reason() == FormException.Reason.TOO_MANY_PARAMETERS
              ? new HttpError(413, e.getMessage(), "parameters.too.many", e)
              : new HttpError(400, e.getMessage(), "querystring.parse.rangeError", e);
      throw error.with("body", text);
    }
  }

  private boolean isKnown(String charset) {
    return readsExactly(charset)
        || Charsets.same(UTF_8, charset)
        || Charsets.same(LATIN_1, charset);
  }

  private UrlencodedParser changed(Consumer<UrlencodedParser> change) {
    return with(
        copy -> {
          change.accept(copy);
          copy.form = copy.compile();
        });
  }

  private Form compile() {
    Form grammar = Form.simple();
    if (extended) {
      grammar = depth == null ? Form.extended() : Form.extended().depth(depth);
    }
    return grammar
        .parameterLimit(parameterLimit)
        .charsetSentinel(charsetSentinel)
        .interpretNumericEntities(numericEntities);
  }
}
