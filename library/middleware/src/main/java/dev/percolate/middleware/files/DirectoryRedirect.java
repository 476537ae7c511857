package dev.percolate.middleware.files;

import dev.percolate.core.Response;
import dev.percolate.http.Html;
import dev.percolate.http.Target;
import dev.percolate.http.UriReference;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Redirects a directory's path to the same path with a slash at the end. */
public final class DirectoryRedirect {

  private DirectoryRedirect() {}

  public static void send(Response res) {
    String location = location(res.req().originalPath(), Target.query(res.req().originalUrl()));
    String link = Html.escape(location);
    String page = "Redirecting to <a href=\"" + link + "\">" + link + "</a>\n";
    byte[] body = page.getBytes(StandardCharsets.UTF_8);
    res.status(303)
        .set("Content-Type", res.req().settings().mimeTypes().withCharset("text/html"))
        .set("Content-Length", Integer.toString(body.length))
        .set("X-Content-Type-Options", "nosniff")
        .set("Location", location)
        .end(body);
  }

  /** Returns the path with exactly one leading slash, since browsers read two as another host. */
  public static String location(String path, @Nullable String query) {
    String rest = path.replaceFirst("^/+", "");
    String location = "/" + rest + (rest.isEmpty() ? "" : "/");
    return UriReference.encode(query == null ? location : location + "?" + query);
  }
}
