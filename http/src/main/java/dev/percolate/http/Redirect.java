package dev.percolate.http;

import java.util.List;
import java.util.Locale;

/** Writes the header {@code Location} of an answer, and the short body that goes with it. */
public final class Redirect {

  private static final List<String> SCRIPTS = List.of("javascript:", "vbscript:", "data:");

  private Redirect() {}

  /**
   * Returns where a redirect leads: a URL and a path from the root as they are, a URL that begins
   * with a dot relative to the path of the request, everything else below the mount path. {@link
   * HeaderEncoding#location} writes it to the header: browsers treat backslashes as slashes and
   * drop tabs, so a path could become the name of another host.
   *
   * @param url what the application says
   * @param path the path of the request, taken as a folder: a page that is one
   * @param mountPath where the application is mounted, without its last slash
   */
  public static String resolve(String url, String path, String mountPath) {
    if (url.startsWith("/") || url.contains("://")) {
      return url;
    }
    if (url.startsWith(".")) {
      int fragment = path.indexOf('#');
      return RelativeUrl.resolve(fragment < 0 ? path : path.substring(0, fragment), url);
    }
    return RelativeUrl.under(mountPath, url);
  }

  /**
   * Returns the body, for people.
   *
   * @param html whether it is a page, else plain text
   * @param code the status
   * @param location the value of the header {@code Location}; plain text shows it as a URI
   *     reference
   */
  public static String body(boolean html, int code, String location) {
    String text = Status.phrase(code) + ". Redirecting to ";
    return html ? page(text, location) : text + UriReference.encode(location);
  }

  private static String page(String text, String location) {
    String shown = Html.escape(location);
    String link = isScript(location) ? shown : "<a href=\"" + shown + "\">" + shown + "</a>";
    return "<p>" + text + link + "</p>";
  }

  /** Tells whether a click on a link would run something instead of leading somewhere. */
  private static boolean isScript(String url) {
    StringBuilder kept = new StringBuilder();
    url.replace("%09", "")
        .replace("%20", "")
        .chars()
        .filter(c -> c > ' ')
        .forEach(c -> kept.append((char) c));
    String lower = kept.toString().toLowerCase(Locale.ROOT);
    return SCRIPTS.stream().anyMatch(lower::startsWith);
  }
}
