package dev.percolate.openapi;

import dev.percolate.core.Middleware;
import dev.percolate.http.MediaType;
import dev.percolate.parsers.BodyParsers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request or response body.
 *
 * @param media the media type
 * @param type the Java type; null if unknown
 */
record Content(String media, @Nullable BodyType type) {

  static final String JSON = "application/json";
  static final String FORM = "application/x-www-form-urlencoded";
  static final String FILES = "multipart/form-data";

  static Content of(String media, @Nullable BodyType type) {
    String name = MediaType.parse(media.replace("*", "x")).type();
    if (name == null) {
      throw new IllegalArgumentException("invalid media type \"" + media + "\"");
    }
    return new Content(media.toLowerCase(Locale.ROOT), type);
  }

  boolean isJson() {
    return isJson(media);
  }

  /** Returns the type of a JSON body; null if it is unknown, or the body is not JSON. */
  @Nullable BodyType jsonType() {
    return isJson() ? type : null;
  }

  static boolean isJson(String media) {
    return media.equals(JSON) || media.endsWith("+json");
  }

  boolean isText() {
    return media.startsWith("text/");
  }

  /** Returns the name of the content in messages. */
  String words() {
    return switch (media) {
      case JSON -> "JSON";
      case FORM, FILES -> "a form";
      default -> media;
    };
  }

  /** Returns true if a body with a media type matches this content. */
  boolean takes(@Nullable String sent) {
    if (sent == null) {
      return false;
    }
    if (media.endsWith("/*")) {
      return media.equals("*/*") || sent.startsWith(media.substring(0, media.length() - 1));
    }
    return media.equals(sent) || (media.equals(JSON) && isJson(sent));
  }

  /** Returns a parser for a body that has not been parsed. */
  Middleware parser(String limit) {
    if (isJson()) {
      return BodyParsers.json().strict(false).type(JSON, "+json").limit(limit);
    }
    return switch (media) {
      case FORM -> BodyParsers.urlencoded().limit(limit);
      case FILES -> FileForms.parser(limit);
      default ->
          isText()
              ? BodyParsers.text().type(media).limit(limit)
              : BodyParsers.raw().type(media).limit(limit);
    };
  }
}
