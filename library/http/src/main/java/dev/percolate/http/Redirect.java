package dev.percolate.http;

import java.util.List;
import java.util.Locale;

/** Creates the {@code Location} header and the body of redirects. */
public final class Redirect {

  private static final List<String> SCRIPTS = List.of("javascript:", "vbscript:", "data:");

  private Redirect() {}

  /**
   * Returns the target of a redirect. Absolute URLs, and paths that begin with a slash, are
   * returned unchanged. A URL that begins with a dot is relative to the path of the request, any
   * other URL to the mount path.
   *
   * <p>Write the result with {@link HeaderEncoding#location}: browsers treat backslashes as slashes
   * and remove tabs, so a path could become the name of another host.
   *
   * @param url the URL given by the application
   * @param path the path of the request, treated as a directory
   * @param mountPath the mount path of the application, without its last slash
   */
  public static String resolve(String url, String path, String mountPath) {
    if (url.startsWith("/") || url.contains("://") || isOfApp(url)) {
      return url;
    }
    if (url.startsWith(".")) {
      int fragment = path.indexOf('#');
      return RelativeUrl.resolve(fragment < 0 ? path : path.substring(0, fragment), url);
    }
    return RelativeUrl.under(mountPath, url);
  }

  /**
   * Returns the body, which names the target and links to it in HTML.
   *
   * @param html true for HTML, false for plain text
   * @param code the status code
   * @param location the value of the {@code Location} header; in plain text it is encoded as a URI
   *     reference
   */
  public static String body(boolean html, int code, String location) {
    String text = Status.phrase(code) + ". Redirecting to ";
    return html ? page(text, location) : text + UriReference.encode(location);
  }

  /** Returns true for a URL of a native app, whose scheme has a dot (RFC 8252 section 7.1). */
  private static boolean isOfApp(String url) {
    int colon = url.indexOf(":/");
    int dot = url.indexOf('.');
    return dot >= 0 && dot < colon && Target.isScheme(url, colon);
  }

  private static String page(String text, String location) {
    String shown = Html.escape(location);
    String link = isScript(location) ? shown : "<a href=\"" + shown + "\">" + shown + "</a>";
    return "<p>" + text + link + "</p>";
  }

  /** Returns true if clicking a link would run a script. */
  private static boolean isScript(String url) {
    String visible = url.replace("%09", "").replace("%20", "").replaceAll("[\\x00- ]", "");
    String lower = visible.toLowerCase(Locale.ROOT);
    return SCRIPTS.stream().anyMatch(lower::startsWith);
  }
}
