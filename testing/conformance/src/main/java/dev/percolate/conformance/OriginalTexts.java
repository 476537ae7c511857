package dev.percolate.conformance;

import dev.percolate.http.Html;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces our messages to programmers with those of the originals. Clients see such messages only
 * in development, so Percolate has its own.
 */
final class OriginalTexts {

  private static final Pattern PAGE =
      Pattern.compile("(\\w*Error: )(.*?)(\\$STACK|\n?)", Pattern.DOTALL);
  private static final String LOOKUP = "Failed to lookup view ";

  private static final List<Text> TEXTS =
      List.of(
          text("(\\w+)\\(\"\", …\\): path must not be empty", "Router#$1() requires a path"),
          text("param\\(\"(\\w+)\", (.*)\\): value must .*", "invalid param() call for $1, got $2"),
          text("engine\\(\".*\", null\\): engine must not be null", "callback function required"),
          text(
              "render\\(\".*\"\\): the name has no extension.*",
              "No default engine was specified and no extension was provided."),
          text("root\\(\"\"\\): the path is empty", "root path required"),
          text(
              "dotfiles must be allow, deny or ignore, was \".*\"",
              "dotfiles option must be \"allow\", \"deny\", or \"ignore\""),
          text(
              "cookie\\(\".*\", …\\): no secret to sign it.*",
              "connect.cookieParser(\"secret\") required for signed cookies"),
          text("set\\(\"etag\", (.*)\\): must be .*", "unknown value for etag function: $1"),
          text(
              "set\\(\"trust proxy\", .*\\): \"(.*)\" is not an IP address",
              "invalid IP address: $1"),
          text(
              "set\\(\"trust proxy\", .*\\): \"(.*)\" is not a subnet",
              "invalid range on address: $1"),
          text("content type \".*\" must begin with type/subtype", "invalid media type"),
          text("vary\\(\".*\"\\): must .*", "field argument contains an invalid header"),
          text(
              "parameterLimit must be at least 1, was .*",
              "option parameterLimit must be a positive number"),
          text(
              "depth must be at least 0, was .*",
              "option depth must be a zero or a positive number"),
          text(
              "limit must be a size such as \"100kb\", was \"(.*)\"",
              "option limit \"$1\" is invalid"),
          text(
              "defaultCharset must be utf-8 or iso-8859-1, was \".*\"",
              "option defaultCharset must be either utf-8 or iso-8859-1"),
          text(
              "Sessions\\.of\\(\\) found no secret on this request\\. .*",
              "secret option required for sessions"),
          text(
              "CookieSession\\.of\\(\\) found no secret on this request\\. .*",
              "`secret` option required for cookie sessions"),
          text(
              "unset must be keep or destroy, was \".*\"",
              "unset option must be \"destroy\" or \"keep\""),
          text("Csrf\\.of\\(\\).* found no .* on this request\\. .*", "misconfigured csrf"),
          text("next\\.route\\(\\) was called outside of a route", "route"),
          text(
              "RequestControl\\.encoding\\(…\\) was called before the body parser.*",
              "stream encoding should not be set"),
          text("the body has been read already", "stream is not readable"));

  private OriginalTexts() {}

  /** A pattern of our message, and the original message. */
  private record Text(Pattern ours, String theirs) {}

  /** Returns the message of an error in the originals' words; empty if it has none. */
  static String of(Throwable error) {
    return of(error.getMessage());
  }

  static String of(@Nullable String message) {
    if (message == null) {
      return "";
    }
    if (message.startsWith(LOOKUP)) { // the originals show a relative directory as it was set
      return message.replace(Path.of("").toAbsolutePath() + "/", "");
    }
    for (Text text : TEXTS) {
      Matcher found = text.ours.matcher(message);
      if (found.matches()) {
        return found.replaceFirst(text.theirs);
      }
    }
    return message;
  }

  /** Returns a default error page in the originals' words. It begins with the message. */
  static String ofPage(String page) {
    Matcher found = PAGE.matcher(page);
    return found.matches()
        ? found.group(1) + Html.escape(of(plain(found.group(2)))) + found.group(3)
        : page;
  }

  private static String plain(String html) {
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  private static Text text(String ours, String theirs) {
    return new Text(Pattern.compile(ours, Pattern.DOTALL), theirs);
  }
}
