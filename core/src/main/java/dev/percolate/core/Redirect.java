package dev.percolate.core;

import dev.percolate.http.Html;
import dev.percolate.http.Percent;
import dev.percolate.http.Status;
import java.util.List;
import java.util.Locale;

/** Answers by a redirect, with a short body for people. */
final class Redirect {

  private static final List<String> SCRIPTS = List.of("javascript:", "vbscript:", "data:");

  private Redirect() {}

  static void send(Response res, int code, String url) {
    res.status(code).location(url);
    String location = res.headers().get("Location");
    byte[] body = Utf8.bytes(body(res, code, location == null ? "" : location));
    res.set("Content-Length", Integer.toString(body.length)).end(body);
  }

  private static String body(Response res, int code, String location) {
    String offer = Formats.choose(res, List.of("text", "html"));
    if (offer == null) {
      return "";
    }
    String text = Status.phrase(code) + ". Redirecting to ";
    return offer.equals("text") ? text + Percent.encodeUri(location) : page(text, location);
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
