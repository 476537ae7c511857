package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CookieText;
import dev.percolate.http.Cookies;
import dev.percolate.http.Percent;
import dev.percolate.http.SignatureForm;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cookies of a request, and passes on: {@link Request#COOKIES} by name and, where there
 * is a secret, {@link Request#SIGNED_COOKIES} and {@link Request#SECRET}. Where they are read
 * already, it only passes on.
 *
 * <p>With a secret, a value that begins with {@code s:} is a signed one: it moves to the signed
 * cookies without its signature, or becomes false if that is wrong. Of several cookies of a name
 * the first counts; of signed ones the first whose signature is right. What {@link Response#cookie}
 * was given comes back: a text as this text, whatever it looks like; of signed cookies everything
 * else as what its JSON behind {@code j:} means, unless that is null. Cookies without a signature
 * may be anybody's: they stay text unless {@link #json} says otherwise. The setting {@code cookie
 * signature} tells which signatures are right.
 *
 * <p>It is its own options; each gives a changed copy:
 *
 * <pre>
 *   decode   percent escapes         how values are decoded
 *   json     setting json cookies    whether JSON without a signature is read
 * </pre>
 */
@CheckReturnValue
public final class CookieParser implements Middleware, StepKind {

  /** Whether JSON in cookies without a signature is read, where {@link #json} is not set; false. */
  public static final Key<Boolean> JSON = Key.of("json cookies", Boolean.class, false);

  private final @Nullable String secret;
  private final UnaryOperator<String> decode;
  private final @Nullable Boolean json;

  private CookieParser(
      @Nullable String secret, UnaryOperator<String> decode, @Nullable Boolean json) {
    this.secret = secret;
    this.decode = decode;
    this.json = json;
  }

  /** Reads cookies without looking at signatures. */
  public static CookieParser of() {
    return new CookieParser(null, CookieParser::percentDecoded, null);
  }

  /**
   * Reads cookies and checks signatures.
   *
   * @param secret the key that cookies are signed with, not empty
   * @return the middleware
   * @throws IllegalArgumentException if the secret is empty
   */
  public static CookieParser of(String secret) {
    return new CookieParser(
        Options.secret("CookieParser.of", secret), CookieParser::percentDecoded, null);
  }

  /**
   * Chooses how values are decoded, in place of percent escapes.
   *
   * @param decode gives what a value means; one for which it throws stays as it is
   */
  public CookieParser decode(UnaryOperator<String> decode) {
    return new CookieParser(secret, decode, json);
  }

  /**
   * Chooses whether a cookie without a signature, which clients can make up, becomes what the JSON
   * behind its {@code j:} means, unless that is none, or is null, false, 0 or an empty text. Steps
   * that read such a cookie have to expect values of any type.
   *
   * @param json true to read JSON, false for text only
   */
  public CookieParser json(boolean json) {
    return new CookieParser(secret, decode, json);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("cookie-parser").gives(Request.COOKIES, Request.SIGNED_COOKIES);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(Request.COOKIES) == null) {
      Settings settings = req.settings();
      SignatureForm form = SignatureForm.of(settings.get(Settings.COOKIE_SIGNATURE));
      String header = req.get("Cookie");
      Map<String, Object> cookies = new LinkedHashMap<>(Cookies.parse(header, this::decoded));
      Map<String, Object> signed = new LinkedHashMap<>();
      if (secret != null) {
        req.attr(Request.SECRET, secret);
        moveSigned(cookies, signed, secret, form);
        if (header != null && cookies.size() + signed.size() < pieces(header)) {
          addRepeated(header, signed, secret, form);
        }
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
      return value; // the client's fault: it may send whatever it likes
    }
  }

  private static String percentDecoded(String value) {
    String decoded = Percent.decode(value);
    return decoded == null ? value : decoded;
  }

  private static void moveSigned(
      Map<String, Object> cookies, Map<String, Object> signed, String secret, SignatureForm form) {
    for (Iterator<Map.Entry<String, Object>> i = cookies.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<String, Object> cookie = i.next();
      if (cookie.getValue() instanceof String text && SignatureForm.isSigned(text)) {
        String value = form.unsign(SignatureForm.COOKIE, cookie.getKey(), text, secret);
        signed.put(cookie.getKey(), value == null ? false : value);
        i.remove();
      }
    }
  }

  private static long pieces(String header) {
    return header.chars().filter(c -> c == ';').count() + 1;
  }

  /** Adds right signatures of cookies that come after another one of the same name. */
  private void addRepeated(
      String header, Map<String, Object> signed, String secret, SignatureForm form) {
    Cookies.parseAll(header, this::decoded)
        .forEach(
            (name, texts) -> {
              boolean wanted = texts.size() > 1 && !(signed.get(name) instanceof String);
              for (int i = 0; wanted && i < texts.size(); i++) {
                String value = form.unsign(SignatureForm.COOKIE, name, texts.get(i), secret);
                if (value != null) {
                  signed.put(name, value);
                  wanted = false;
                }
              }
            });
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
