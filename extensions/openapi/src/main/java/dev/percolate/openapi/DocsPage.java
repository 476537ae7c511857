package dev.percolate.openapi;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Properties;
import java.util.Set;

/**
 * A page that shows a document with the Swagger UI files on the class path.
 *
 * @param path the path of the page
 * @param folder the class path folder of the Swagger UI files
 */
record DocsPage(String path, String folder) {

  /** Allows only files of the same server, and the inline images in its styles. */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final Set<String> FILES =
      Set.of("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png");

  private static final String SCRIPT =
      """
      'use strict';
      const page = document.getElementById('docs');
      SwaggerUIBundle({
        url: page.dataset.document,
        dom_id: '#docs',
        deepLinking: true,
        validatorUrl: null,
      });
      """;

  /** Hides a column that is always empty and makes the page wider than a phone. */
  private static final String STYLE = ".response-col_links { display: none }\n";

  static DocsPage at(String path) {
    return new DocsPage(checked("docs", path), folder(path));
  }

  /** Returns a path without its trailing slash. */
  static String checked(String option, String path) {
    if (!path.startsWith("/") || path.length() < 2) {
      throw new IllegalArgumentException(
          option + "(\"" + path + "\"): path must be \"/\" followed by a name");
    }
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  void handle(String document, String title, Request req, Response res, Next next) {
    String asked = req.path();
    if (!asked.startsWith(path)) {
      next.run();
      return;
    }
    String rest = asked.substring(path.length());
    if (rest.isEmpty() || rest.equals("/")) {
      res.set("Content-Security-Policy", POLICY);
      res.set("X-Content-Type-Options", "nosniff");
      res.type("html").send(page(req, document, title));
    } else if (rest.equals("/start.js")) {
      res.type("js").send(SCRIPT);
    } else if (rest.equals("/page.css")) {
      res.type("css").send(STYLE);
    } else if (rest.startsWith("/") && FILES.contains(rest.substring(1))) {
      res.sendFile(
          rest.substring(1),
          FileOptions.none().classPath(folder, DocsPage.class.getClassLoader()).maxAge("1h"),
          next);
    } else {
      next.run();
    }
  }

  /**
   * Returns the page. It refers to its files with absolute paths, so that it works with and without
   * a trailing slash.
   */
  private String page(Request req, String document, String title) {
    String own = req.originalPath();
    String mount = own.substring(0, own.length() - req.path().length());
    String base = Html.escape(mount + path);
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <link rel="icon" href="%s/favicon-32x32.png">
        <link rel="stylesheet" href="%s/swagger-ui.css">
        <link rel="stylesheet" href="%s/page.css">
        </head>
        <body>
        <main id="docs" data-document="%s"></main>
        <script src="%s/swagger-ui-bundle.js"></script>
        <script src="%s/start.js"></script>
        </body>
        </html>
        """
        .formatted(Html.escape(title), base, base, base, Html.escape(mount + document), base, base);
  }

  private static String folder(String path) {
    URL found =
        DocsPage.class
            .getClassLoader()
            .getResource("META-INF/maven/org.webjars/swagger-ui/pom.properties");
    if (found == null) {
      throw new IllegalStateException(
          "docs(\""
              + path
              + "\"): Swagger UI is not on the class path; add org.webjars:swagger-ui");
    }
    Properties properties = new Properties();
    try (InputStream in = found.openStream()) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "META-INF/resources/webjars/swagger-ui/" + properties.getProperty("version");
  }
}
