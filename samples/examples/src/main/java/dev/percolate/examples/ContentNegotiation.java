package dev.percolate.examples;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Content negotiation: one path that responds in the format that the client prefers.
 *
 * <pre>curl localhost:3000/planets -H 'Accept: text/plain'</pre>
 */
final class ContentNegotiation {

  private static final List<String> PLANETS = List.of("Mercury", "Venus", "Earth", "Mars");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    // The first format is the default.
    Map<String, Handler> formats = new LinkedHashMap<>();
    formats.put("html", (req, res) -> res.send(lines("<li>", "</li>")));
    formats.put("json", (req, res) -> res.json(PLANETS));
    formats.put("text", (req, res) -> res.send(lines("* ", "\n")));

    App app = new App();
    app.get("/planets", (req, res) -> res.format(formats));
    return app;
  }

  private static String lines(String before, String after) {
    return PLANETS.stream().map(one -> before + one + after).collect(Collectors.joining());
  }
}
