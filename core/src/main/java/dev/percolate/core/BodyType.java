package dev.percolate.core;

import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import dev.percolate.http.MediaType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Reads the text of a JSON body to a Java type. */
final class BodyType {

  private BodyType() {}

  static @Nullable Object read(Request req, @Nullable String text, Type type) {
    if (text == null) {
      throw absent(req, type);
    }
    try {
      return JsonCodec.find().read(text, type);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, e.getMessage(), "entity.parse.failed", e).with("body", text);
    }
  }

  /** Says why there is no JSON: because of what the client sent, or of what the application is. */
  private static RuntimeException absent(Request req, Type type) {
    if (!req.hasBody()) {
      return new HttpError(400, "the body is missing, JSON was expected", "entity.absent", null);
    }
    String sent = req.get("Content-Type");
    String name = MediaType.parse(sent).type();
    if (name == null || !(name.equals("application/json") || name.endsWith("+json"))) {
      String what = sent == null ? "the body has no type" : "the body is " + LogText.escape(sent);
      return new HttpError(415, what + ", JSON was expected", "entity.type.unsupported", null);
    }
    return new IllegalStateException(
        "body("
            + type.getTypeName()
            + "): no JSON body was read; does a JSON parser for "
            + name
            + " stand above?");
  }
}
