package dev.percolate.demo;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.HttpError;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;

/**
 * Keeps other sites from sending our forms in a visitor's name.
 *
 * <p>Each visitor has a random name in a signed cookie. Forms carry a token that only we can make
 * of that name, as the local {@code token}; what comes back is compared. Below a cookie parser with
 * the same secret.
 */
final class FormToken implements Middleware {

  private static final String COOKIE = "visitor";
  private static final Key<String> TOKEN = Key.of("form token", String.class);

  private final String secret;

  FormToken(String secret) {
    this.secret = secret;
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    // A wrongly signed cookie has the value false.
    Object known = req.signedCookies().get(COOKIE);
    String token = token(known instanceof String visitor ? visitor : newVisitor(req, res));
    req.attr(TOKEN, token);
    res.locals().put("token", token);
    next.run();
  }

  /**
   * Lets a form pass that carries the token of its visitor, in the field {@code token}.
   *
   * @throws HttpError 403 otherwise
   */
  static void check(Request req, Response res, Next next) {
    Object given = req.body() instanceof Map<?, ?> form ? form.get("token") : null;
    String token = req.attr(TOKEN);
    if (!(given instanceof String text) || !MessageDigest.isEqual(bytes(text), bytes(token))) {
      throw new HttpError(403, "This form is too old, or not ours. Please load the page again.");
    }
    next.run();
  }

  private static String newVisitor(Request req, Response res) {
    String visitor = Nonce.next(16);
    CookieOptions options = CookieOptions.none().signed(true).httpOnly(true).sameSite("lax");
    res.cookie(COOKIE, visitor, options.secure(req.secure()));
    return visitor;
  }

  private String token(String visitor) {
    String signed = CookieSignature.sign("form:" + visitor, secret);
    return signed.substring(signed.lastIndexOf('.') + 1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
