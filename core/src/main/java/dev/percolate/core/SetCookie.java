package dev.percolate.core;

import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Cookies;
import org.jspecify.annotations.Nullable;

/** Makes the value of the header Set-Cookie. */
final class SetCookie {

  private SetCookie() {}

  static String of(Request req, String name, @Nullable Object value, CookieOptions options) {
    String text = text(value);
    if (options.signed()) {
      text = "s:" + CookieSignature.sign(text, secret(req));
    }
    return Cookies.serialise(name, text, options, System.currentTimeMillis());
  }

  private static String text(@Nullable Object value) {
    if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
      return PlainText.of(value);
    }
    return "j:" + JsonCodec.find().write(value, JsonCodec.Style.COMPACT);
  }

  private static String secret(Request req) {
    String secret = req.attrOrNull(Request.SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new IllegalStateException(
          "connect.cookieParser(\"secret\") required for signed cookies");
    }
    return secret;
  }
}
