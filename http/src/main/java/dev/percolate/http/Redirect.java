package dev.percolate.http;

import java.util.List;
import java.util.Locale;

/** Writes the header {@code Location} of an answer, and the short body that goes with it. */
public final class Redirect {

  private static final List<String> SCRIPTS = List.of("javascript:", "vbscript:", "data:");

  private Redirect() {}

  /**
   * Returns the value of the header: a URL and a path from the root as they stand, what begins with
   * a dot relative to the path of the request, everything else below the mount path. Backslashes
   * and tabs are percent-encoded: browsers treat backslashes as slashes and drop tabs, so a path
   * could become the name of another host.
   *
   * @param url what the application says
   * @param path the path of the request, taken as a folder: a page that is one
   * @param mountPath where the application is mounted, without its last slash
   */
  public static String location(String url, String path, String mountPath) {
    String resolved = resolve(url, path, mountPath);
    int end = hostEnd(resolved);
    if (end < resolved.length() && resolved.charAt(end) == '\\') {
      resolved = resolved.substring(0, end) + '/' + resolved.substring(end + 1);
    }
    return Percent.encodeAlso(resolved, "\\\t");
  }

  /** Returns where the host of a URL ends; the length of the text if it names no host. */
  private static int hostEnd(String url) {
    int slashes = url.indexOf("//");
    boolean network = slashes == 0;
    boolean absolute =
        slashes > 0 && firstOf(url, 0, "/\\?#") == slashes && url.charAt(slashes - 1) == ':';
    return network || absolute ? firstOf(url, slashes + 2, "/\\?#") : url.length();
  }

  private static int firstOf(String text, int from, String characters) {
    int at = from;
    while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  private static String resolve(String url, String path, String mountPath) {
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
   * @param location the value of the header {@code Location}
   */
  public static String body(boolean html, int code, String location) {
    String text = Status.phrase(code) + ". Redirecting to ";
    return html ? page(text, location) : text + Percent.encodeUri(location);
  }

  private static String page(String text, String location) {
    String shown = Html.escape(location);
    String link = isScript(location) ? shown : "<a href=\"" + shown + "\">" + shown + "</a>";
    return "<p>" + text + link + "</p>";
  }

  /** Tells whether a click on a link would run something instead of leading somewhere. */
  private static boolean isScript(String url) {
    StringBuilder kept = new StringBuilder();
    url.replace("%09", "").chars().filter(c -> c > ' ').forEach(c -> kept.append((char) c));
    String lower = kept.toString().toLowerCase(Locale.ROOT);
    return SCRIPTS.stream().anyMatch(lower::startsWith);
  }
}
