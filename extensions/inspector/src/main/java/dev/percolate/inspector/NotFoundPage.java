package dev.percolate.inspector;

import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.framework.App;
import dev.percolate.framework.Explanation;
import dev.percolate.http.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The 404 page: which layers matched the request, and why the others did not. */
final class NotFoundPage {

  private NotFoundPage() {}

  /** Returns HTML or JSON, as the client accepts; null if it accepts neither. */
  static RequestTrace.@Nullable Page of(
      @Nullable App app, Request req, List<Map<String, Object>> steps) {
    return app == null ? null : Page.accepted(req, () -> html(app, req, steps), () -> json(req));
  }

  private static String html(App app, Request req, List<Map<String, Object>> steps) {
    Explanation found = app.explain(req.method(), req.originalUrl());
    Page page = new Page(req, 404, "No handler responded to " + req.method() + " " + found.path());
    if (!found.nearest().isEmpty()) {
      page.section("Similar routes").html("<ul>\n");
      found.nearest().forEach(one -> page.html("<li><code>").text(one).html("</code></li>\n"));
      page.html("</ul>\n").end();
    }
    page.section("Layers in order").html("<div class=\"wide\" tabindex=\"0\"><table>\n");
    page.html("<thead><tr><th scope=\"col\">Layer</th><th scope=\"col\">Defined at</th>");
    page.html("<th scope=\"col\">Matched</th></tr></thead>\n<tbody>\n");
    for (Explanation.Line layer : found.layers()) {
      page.html("<tr class=\"" + (layer.matches() ? "yes" : "no") + "\"><td class=\"d")
          .html(Integer.toString(Math.min(9, layer.depth())))
          .html("\"><code>")
          .text(layer.layer())
          .html("</code></td><td><code>")
          .text(layer.origin())
          .html("</code></td><td>")
          .text(layer.matches() ? "yes" : layer.why() + ": " + layer.reason())
          .html("</td></tr>\n");
    }
    page.html("</tbody></table></div>\n").end();
    page.steps(steps).request(req);
    page.copied("As a test", RequestText.of(req).java(200));
    return page.ended(req.response());
  }

  private static String json(Request req) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("message", "Cannot " + req.method() + " " + Secrets.target(req.originalUrl()));
    value.put("status", 404);
    return JsonText.of(Map.of("error", value)) + "\n";
  }
}
