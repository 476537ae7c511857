package dev.percolate.middleware;

import dev.percolate.core.CheckReturnValue;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Cookies;
import dev.percolate.http.Percent;
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
 * cookies without its signature, or becomes false if that is wrong. A value that begins with {@code
 * j:} becomes what the JSON behind it says, unless that is none, or is null, false, 0 or an empty
 * text.
 */
@CheckReturnValue
public final class CookieParser implements Middleware {

  private final @Nullable String secret;
  private final UnaryOperator<String> decode;

  private CookieParser(@Nullable String secret, UnaryOperator<String> decode) {
    this.secret = secret;
    this.decode = decode;
  }

  /** Reads cookies without looking at signatures. */
  public static CookieParser of() {
    return new CookieParser(null, CookieParser::percentDecoded);
  }

  /**
   * Reads cookies and checks signatures.
   *
   * @param secret the key that cookies are signed with, not empty
   * @return the middleware
   * @throws IllegalArgumentException if the secret is empty
   */
  public static CookieParser of(String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("the secret of signed cookies must not be empty");
    }
    return new CookieParser(secret, CookieParser::percentDecoded);
  }

  /**
   * Chooses how values are decoded, in place of percent escapes.
   *
   * @param decode gives what a value means; one for which it throws an {@link
   *     IllegalArgumentException} stays as it is
   * @return a changed copy
   */
  public CookieParser decode(UnaryOperator<String> decode) {
    return new CookieParser(secret, decode);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(Request.COOKIES) == null) {
      Map<String, Object> cookies =
          new LinkedHashMap<>(Cookies.parse(req.get("Cookie"), this::decoded));
      Map<String, Object> signed = new LinkedHashMap<>();
      if (secret != null) {
        req.attr(Request.SECRET, secret);
        moveSigned(cookies, signed, secret);
      }
      cookies.replaceAll((name, value) -> meaning(value));
      signed.replaceAll((name, value) -> meaning(value));
      req.attr(Request.COOKIES, cookies);
      req.attr(Request.SIGNED_COOKIES, signed);
    }
    next.run();
  }

  private String decoded(String value) {
    try {
      return decode.apply(value);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static String percentDecoded(String value) {
    String decoded = Percent.decode(value);
    return decoded == null ? value : decoded;
  }

  private static void moveSigned(
      Map<String, Object> cookies, Map<String, Object> signed, String secret) {
    for (Iterator<Map.Entry<String, Object>> i = cookies.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<String, Object> cookie = i.next();
      if (cookie.getValue() instanceof String text && text.startsWith("s:")) {
        String value = CookieSignature.unsign(text.substring(2), secret);
        signed.put(cookie.getKey(), value == null ? false : value);
        i.remove();
      }
    }
  }

  private static Object meaning(Object value) {
    if (!(value instanceof String text) || !text.startsWith("j:")) {
      return value;
    }
    try {
      Object json = JsonCodec.find().read(text.substring(2));
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
