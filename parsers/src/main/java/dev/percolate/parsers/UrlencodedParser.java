package dev.percolate.parsers;

import dev.percolate.core.Request;
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
 * Parses forms: {@code req.body()} is a {@link Map} of texts and of lists of texts, in {@link
 * #extended} forms of maps, too. See {@link Form} for the grammar.
 *
 * <p>Besides the options of {@link BodyParser} it has:
 *
 * <pre>
 *   extended                  false    whether brackets in names nest: user[name]=x
 *   parameterLimit            1000     how many parameters there may be
 *   depth                     32       how many brackets nest; what lies deeper is one name,
 *                                      or an error if the option is given
 *   defaultCharset            utf-8    or iso-8859-1: of bodies that name none
 *   charsetSentinel           false    whether a parameter utf8=... tells the charset
 *   interpretNumericEntities  false    whether &amp;#9786; is a character in iso-8859-1
 * </pre>
 *
 * <p>Its type is {@code application/x-www-form-urlencoded}. Its own errors are 413 {@code
 * parameters.too.many} and 400 {@code querystring.parse.rangeError}, both with {@code body}.
 */
@CheckReturnValue
public final class UrlencodedParser extends BodyParser<UrlencodedParser> {

  /** What an entry of a map takes, with a list or a map as its value. */
  private static final long PARAMETER = 320;

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
   * Chooses whether brackets in names nest.
   *
   * @param extended true to nest
   * @throws IllegalArgumentException if a negative depth was given
   */
  public UrlencodedParser extended(boolean extended) {
    return changed(copy -> copy.extended = extended);
  }

  /**
   * Limits the number of parameters, empty ones included.
   *
   * @param limit at least 1
   * @throws IllegalArgumentException if it is less
   */
  public UrlencodedParser parameterLimit(int limit) {
    return changed(copy -> copy.parameterLimit = limit);
  }

  /**
   * Limits how many brackets of extended forms nest; more are an error from now on.
   *
   * @param levels at least 0
   * @throws IllegalArgumentException if it is negative; looked at in extended forms only
   */
  public UrlencodedParser depth(int levels) {
    return changed(copy -> copy.depth = levels);
  }

  /**
   * Chooses the charset of forms that name none.
   *
   * @param charset {@code utf-8} or {@code iso-8859-1}
   * @throws IllegalArgumentException if it is another
   */
  public UrlencodedParser defaultCharset(String charset) {
    if (!readsExactly(charset)) {
      throw new IllegalArgumentException(
          "defaultCharset(\"" + charset + "\"): neither utf-8 nor iso-8859-1");
    }
    return changed(copy -> copy.defaultCharset = charset);
  }

  /**
   * Chooses whether the first parameter {@code utf8} tells the charset of escapes and is left out.
   *
   * @param charsetSentinel true to look for it
   */
  public UrlencodedParser charsetSentinel(boolean charsetSentinel) {
    return changed(copy -> copy.charsetSentinel = charsetSentinel);
  }

  /**
   * Chooses whether decimal character references in values of iso-8859-1 forms are characters.
   *
   * @param interpret true to replace them
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
    return charset(type, defaultCharset, UrlencodedParser::isKnown);
  }

  @Override
  protected long weight(ByteBuffer body, boolean exact) {
    long parameters = 1;
    for (int i = body.position(); i < body.limit(); i++) {
      parameters += body.get(i) == '&' ? 1 : 0;
    }
    return 4L * body.remaining() + PARAMETER * parameters;
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    Charset escapes =
        charset != null && Charsets.same(LATIN_1, charset)
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    try {
      req.body(form.parse(text, escapes));
    } catch (FormException e) {
      HttpError error =
          e.reason() == FormException.Reason.TOO_MANY_PARAMETERS
              ? new HttpError(413, e.getMessage(), "parameters.too.many", e)
              : new HttpError(400, e.getMessage(), "querystring.parse.rangeError", e);
      throw error.with("body", text);
    }
  }

  private static boolean isKnown(String charset) {
    return Charsets.same(UTF_8, charset) || Charsets.same(LATIN_1, charset);
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
