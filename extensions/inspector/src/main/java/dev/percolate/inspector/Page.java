package dev.percolate.inspector;

import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.http.Accept;
import dev.percolate.http.Hash;
import dev.percolate.http.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTML page for developers. Its content security policy allows only its own style and script.
 */
final class Page {

  private static final Key<Object> TITLE = Key.of("title", Object.class, "Percolate");
  private static final List<String> TYPES = List.of("application/json", "text/plain");
  private static final String STYLE = file("page.css");
  private static final String SCRIPT = file("page.js");
  private static final String POLICY =
      "default-src 'none'; style-src '"
          + hash(STYLE)
          + "'; script-src '"
          + hash(SCRIPT)
          + "'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  private final StringBuilder out = new StringBuilder(8192);

  /** Begins a page with the title of the application, the status and a heading. */
  Page(Request req, int status, String about) {
    String title = String.valueOf(req.settings().get(TITLE));
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text(status + " " + about + " · " + title);
    out.append("</title>\n<style>").append(STYLE).append("</style>\n</head>\n<body>\n");
    out.append("<header><p>");
    text(title);
    out.append("</p><h1><span>").append(status).append("</span> ");
    text(about);
    out.append("</h1></header>\n<main>\n");
  }

  /** Returns HTML or JSON, as the client accepts; null if it names neither, or prefers text. */
  static RequestTrace.@Nullable Page accepted(
      Request req, Supplier<String> html, Supplier<String> json) {
    String accept = orEmpty(req.get("Accept")).toLowerCase(Locale.ROOT);
    if (accept.contains("text/html")) {
      return new RequestTrace.Page("text/html; charset=utf-8", html.get());
    }
    return accept.contains("json") && "application/json".equals(Accept.best(accept, TYPES))
        ? new RequestTrace.Page("application/json; charset=utf-8", json.get())
        : null;
  }

  /** Adds text, escaped for HTML. */
  Page text(String text) {
    out.append(Html.escape(text));
    return this;
  }

  /** Adds HTML without escaping it. */
  Page html(String html) {
    out.append(html);
    return this;
  }

  Page section(String title) {
    return html("<section>\n<h2>").text(title).html("</h2>\n");
  }

  Page end() {
    return html("</section>\n");
  }

  /** Adds text with a copy button. */
  Page copied(String title, String text) {
    return html("<section>\n<h2>")
        .text(title)
        .html("</h2>\n<button type=\"button\" data-copy>Copy</button>\n<pre tabindex=\"0\">")
        .text(text)
        .html("</pre>\n</section>\n");
  }

  /** Adds the request line, and the headers with secrets masked. */
  Page request(Request req) {
    RequestText sent = RequestText.of(req);
    section("Request").html("<pre tabindex=\"0\">");
    text(sent.method() + " " + sent.target() + " HTTP/" + req.httpVersion()).html("\n");
    sent.headers().forEach(line -> text(line).html("\n"));
    return html("</pre>\n").end();
  }

  /** Adds the middleware and handlers that ran. */
  Page steps(List<Map<String, Object>> steps) {
    section("Steps that ran");
    html("<ol class=\"steps\">\n");
    for (Map<String, Object> step : steps) {
      int depth = Math.min(9, (Integer) step.getOrDefault("depth", 0));
      html("<li class=\"d" + depth + "\"><b>")
          .text(String.valueOf(step.get("step")))
          .html("</b> <code>")
          .text(step.get("layer") + ", " + step.get("origin"))
          .html("</code>");
      Object threw = step.getOrDefault("threw", step.get("passesError"));
      if (threw != null) {
        html(" <em>")
            .text((step.containsKey("threw") ? "threw " : "passed on ") + threw)
            .html("</em>");
      }
      html("</li>\n");
    }
    return html("</ol>\n").end();
  }

  /** Ends the page, and sets the header with its content security policy. */
  String ended(Response res) {
    res.set("Content-Security-Policy", POLICY).set("Cache-Control", "no-store");
    html("</main>\n<script>").html(SCRIPT).html("</script>\n</body>\n</html>\n");
    return out.toString();
  }

  /** Reads a resource file of the pages. */
  static String file(String name) {
    try (InputStream file = Page.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    byte[] bytes = Hash.of("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns the text, or an empty string for null. */
  static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
