package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.middleware.Topic;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.time.Instant;

/**
 * Server-sent events: all open pages get each message, and pages that reconnect get missed ones.
 *
 * <pre>
 * curl -N localhost:3000/news &amp;
 * curl localhost:3000/news -H 'Content-Type: text/plain' -d 'The tea is ready.'
 * </pre>
 */
final class News {

  private static final String PAGE =
      """
      <!doctype html>
      <title>News</title>
      <form><input autofocus> <button>Send</button></form><ul></ul>
      <script>
        new EventSource('/news?lastEventId=0').onmessage = ({data}) => {
          const list = document.querySelector('ul');
          list.appendChild(document.createElement('li')).innerText = JSON.parse(data).text;
        };
        document.querySelector('form').onsubmit = event => {
          event.preventDefault();
          fetch('/news', {method: 'POST', body: event.target[0].value});
          event.target.reset();
        };
      </script>
      """;

  private record Item(String text, Instant at) {}

  private final Topic<Item> topic = Topic.of(Item.class).history(100);

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    News news = new News();
    App app = new App();
    app.get("/", (req, res) -> res.send(PAGE));
    app.get("/news", news.topic.events());
    app.post("/news", BodyParsers.text().limit("4kb").type("*/*"), news::add);
    return app;
  }

  private void add(Request req, Response res) throws IOException {
    topic.publish(new Item(String.valueOf(req.body()), Instant.now()));
    res.sendStatus(201);
  }
}
