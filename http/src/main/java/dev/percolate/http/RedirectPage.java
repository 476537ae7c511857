package dev.percolate.http;

import java.util.List;
import java.util.Locale;

/** The short body of a redirect, for people. */
public final class RedirectPage {

  private static final List<String> SCRIPTS = List.of("javascript:", "vbscript:", "data:");

  private RedirectPage() {}

  /**
   * Returns the body.
   *
   * @param html whether it is a page, else plain text
   * @param code the status
   * @param location the value of the header {@code Location}
   */
  public static String of(boolean html, int code, String location) {
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
    url.chars().filter(c -> c > ' ').forEach(c -> kept.append((char) c));
    String lower = kept.toString().toLowerCase(Locale.ROOT);
    return SCRIPTS.stream().anyMatch(lower::startsWith);
  }
}
