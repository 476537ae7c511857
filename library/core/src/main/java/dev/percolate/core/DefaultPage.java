package dev.percolate.core;

import dev.percolate.http.Accept;
import dev.percolate.http.Html;
import dev.percolate.http.HttpError;
import dev.percolate.http.Negotiation;
import dev.percolate.http.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The default page of an error or a 404. Browsers get a document. Clients that accept anything,
 * such as curl, get plain text. Others, including those without a header {@code Accept}, get an
 * HTML fragment, as from the original libraries.
 */
final class DefaultPage {

  private static final List<String> TYPES = List.of("text/plain", "text/html");
  private static final String CLASS = HttpError.class.getName() + ": ";
  private static final String DOCUMENT =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%1$s</title>
      <style>
      :root { color-scheme: light dark }
      body { max-width: 60rem; margin: 10vh auto; padding: 0 1rem }
      body { font: 16px/1.5 system-ui, sans-serif }
      h1 { font-size: 1.6rem }
      pre { white-space: pre-wrap; overflow-wrap: anywhere }
      </style>
      </head>
      <body>
      <main>
      <h1>%1$s</h1>
      %2$s</main>
      </body>
      </html>
      """;

  private DefaultPage() {}

  /** Returns the type that a client prefers; null for the fragment. */
  static @Nullable String type(@Nullable String accept, Negotiation rules) {
    return accept == null || rules != Negotiation.STANDARD ? null : Accept.best(accept, TYPES);
  }

  /**
   * Creates a page.
   *
   * @param type its type; null for the fragment
   * @param text the text below the heading, not escaped
   */
  static RequestTrace.Page of(@Nullable String type, int status, String text) {
    if (type == null) {
      String fragment = Html.escape(text).replace("\n", "<br>").replace("  ", " &nbsp;");
      return new RequestTrace.Page("text/html; charset=utf-8", fragment + "\n");
    }
    String plain = text.startsWith(CLASS) ? text.substring(CLASS.length()) : text;
    String page = type.equals("text/html") ? document(status, plain) : plain + "\n";
    return new RequestTrace.Page(type + "; charset=utf-8", page);
  }

  private static String document(int status, String text) {
    String heading = status + (Status.isKnown(status) ? " " + Status.phrase(status) : "");
    String details = heading.endsWith(text) ? "" : "<pre>" + Html.escape(text) + "</pre>\n";
    return DOCUMENT.formatted(Html.escape(heading), details);
  }
}
