package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieText;
import dev.percolate.http.Cookies;
import dev.percolate.http.Copyable;
import dev.percolate.http.Percent;
import dev.percolate.http.SignatureForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that parses the cookies of a request. It sets {@link Request#COOKIES}, and with a
 * secret also {@link Request#SIGNED_COOKIES} and {@link Request#SECRET}. If the cookies are already
 * parsed, it does nothing.
 *
 * <p>With a secret, values that begin with {@code s:} are signed cookies. They move to the signed
 * cookies without their signature; if the signature is invalid, the value is false. If several
 * cookies have the same name, the first one is used, or the first with a valid signature. The
 * setting {@code cookie signature} selects the form of signatures.
 *
 * <p>Values that {@link Response#cookie} wrote are restored: strings as strings, and other values
 * of signed cookies from their JSON, which is prefixed with {@code j:}. Clients can forge cookies
 * without a signature, so these remain strings unless {@link #json} is set.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   decode   percent-decoding        decodes values
 *   json     setting json cookies    whether JSON without a signature is parsed
 * </pre>
 */
@CheckReturnValue
public final class CookieParser extends Copyable<CookieParser>
    implements Middleware, TraitsProvider {

  /**
   * Whether JSON in cookies without a signature is parsed, unless {@link #json} is set. Default:
   * false.
   */
  public static final Key<Boolean> JSON = Key.of("json cookies", Boolean.class, false);

  private final @Nullable String secret;
  private UnaryOperator<String> decode =
      value -> Objects.requireNonNullElse(Percent.decode(value), value);
  private @Nullable Boolean json;

  private CookieParser(@Nullable String secret) {
    this.secret = secret;
  }

  /** Creates a parser that does not check signatures. */
  public static CookieParser of() {
    return new CookieParser(null);
  }

  /**
   * Creates a parser that checks signatures.
   *
   * @param secret the key that cookies are signed with, not empty
   * @return the middleware
   * @throws IllegalArgumentException if the secret is empty
   */
  public static CookieParser of(String secret) {
    return new CookieParser(Options.secret("CookieParser.of", secret));
  }

  /**
   * Sets the function that decodes values. Default: percent-decoding.
   *
   * @param decode returns the decoded value; if it throws, the value is used as is
   */
  public CookieParser decode(UnaryOperator<String> decode) {
    return with(copy -> copy.decode = decode);
  }

  /**
   * Sets whether JSON in cookies without a signature is parsed. Such JSON is prefixed with {@code
   * j:}. Values that are invalid JSON, null, false, 0 or an empty string remain strings. Clients
   * can forge these cookies, so handlers must expect values of any type.
   *
   * @param json true to parse JSON; false for strings only
   */
  public CookieParser json(boolean json) {
    return with(copy -> copy.json = json);
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("cookie-parser")
        .provides(Request.COOKIES, Request.SIGNED_COOKIES)
        .warns(secret == null ? null : Options.weakness(List.of(secret)));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(Request.COOKIES) == null) {
      Settings settings = req.settings();
      SignatureForm form = SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
      String header = req.get("Cookie");
      Map<String, Object> cookies = new LinkedHashMap<>();
      Map<String, Object> signed = new LinkedHashMap<>();
      String key = secret;
      if (key == null) {
        cookies.putAll(Cookies.parse(header, this::decoded));
      } else {
        req.attr(Request.SECRET, key);
        Cookies.parseAll(header, this::decoded)
            .forEach((name, all) -> add(name, all, cookies, signed, key, form));
      }
      boolean readsJson = json == null ? Boolean.TRUE.equals(settings.get(JSON)) : json;
      cookies.replaceAll((name, value) -> meaning(value, readsJson, settings, form));
      signed.replaceAll((name, value) -> meaning(value, true, settings, form));
      req.attr(Request.COOKIES, cookies);
      req.attr(Request.SIGNED_COOKIES, signed);
    }
    next.run();
  }

  private String decoded(String value) {
    try {
      return decode.apply(value);
    } catch (RuntimeException e) {
      return value; // clients may send invalid values
    }
  }

  /** Adds the cookies of one name: the first one, and the first with a valid signature. */
  private static void add(
      String name,
      List<String> values,
      Map<String, Object> cookies,
      Map<String, Object> signed,
      String secret,
      SignatureForm form) {
    String first = values.get(0);
    if (SignatureForm.isSigned(first)) {
      signed.put(name, false);
    } else {
      cookies.put(name, first);
    }
    for (String value : values) {
      String text = form.unsign(SignatureForm.COOKIE, name, value, secret);
      if (text != null) {
        signed.put(name, text);
        return;
      }
    }
  }

  private static Object meaning(
      Object value, boolean readsJson, Settings settings, SignatureForm form) {
    if (!(value instanceof String text)) {
      return value;
    }
    if (!readsJson || !text.startsWith("j:")) {
      return form == SignatureForm.EXPRESS ? text : CookieText.unescape(text);
    }
    try {
      Object json = settings.jsonCodec().read(text.substring(2));
      return json == null || isFalse(json) ? value : json;
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static boolean isFalse(Object json) {
    return json.equals(false)
        || json.equals("")
        || (json instanceof Number number && number.doubleValue() == 0);
  }
}
