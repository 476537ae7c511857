package dev.percolate.core;

import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieText;
import dev.percolate.http.Cookies;
import dev.percolate.http.SignatureForm;
import org.jspecify.annotations.Nullable;

/** Makes the value of the header Set-Cookie. */
final class SetCookie {

  private SetCookie() {}

  static String of(Request req, String name, @Nullable Object value, CookieOptions options) {
    SignatureForm form = SignatureForm.of(req.settings().get(Settings.COOKIE_SIGNATURE));
    String text = text(value, form);
    if (options.signed()) {
      text = form.sign(SignatureForm.COOKIE, name, text, secret(req, name));
    }
    return Cookies.serialise(name, text, options, System.currentTimeMillis());
  }

  private static String text(@Nullable Object value, SignatureForm form) {
    if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
      String text = PlainText.of(value);
      return form == SignatureForm.EXPRESS ? text : CookieText.escape(text);
    }
    return "j:" + JsonCodec.find().write(value, JsonCodec.Style.COMPACT);
  }

  private static String secret(Request req, String name) {
    String secret = req.attrOrNull(Request.SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new IllegalStateException(
          "cookie(\""
              + name
              + "\", …): no secret to sign it; does a CookieParser with one stand above?");
    }
    return secret;
  }
}
