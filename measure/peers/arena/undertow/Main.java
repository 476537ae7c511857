import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Deque;

/** Undertow. Handlers that block run on its worker threads. */
final class Main {

  private static final HttpString CACHE = new HttpString("X-Cache");

  public static void main(String[] args) {
    RoutingHandler routes =
        Handlers.routing()
            .get("/pipeline", exchange -> text(exchange, "ok"))
            .get("/baseline11", exchange -> sum(exchange, ""))
            .post(
                "/baseline11",
                exchange -> exchange.getRequestReceiver().receiveFullString(Main::sum))
            .get(
                "/json/{count}",
                exchange ->
                    json(
                        exchange,
                        Arena.priced(
                            Integer.parseInt(query(exchange, "count")),
                            Arena.number(query(exchange, "m"), 1))))
            .post(
                "/upload",
                waiting(exchange -> text(exchange, Arena.count(exchange.getInputStream()))))
            .get(
                "/async-db",
                waiting(
                    exchange ->
                        json(
                            exchange,
                            Table.priced(
                                Arena.number(query(exchange, "min"), 10),
                                Arena.number(query(exchange, "max"), 50),
                                Arena.limit(query(exchange, "limit"), 50)))))
            .get(
                "/crud/items",
                waiting(
                    exchange ->
                        json(
                            exchange,
                            Table.page(
                                query(exchange, "category"),
                                Arena.number(query(exchange, "page"), 1),
                                Arena.limit(query(exchange, "limit"), 10)))))
            .post(
                "/crud/items",
                waiting(
                    exchange ->
                        json(
                            exchange.setStatusCode(201),
                            Table.put(
                                Arena.JSON.readValue(
                                    exchange.getInputStream().readAllBytes(),
                                    Arena.NewItem.class)))))
            .get("/crud/items/{id}", waiting(Main::find))
            .put("/crud/items/{id}", waiting(Main::change));
    HttpHandler all =
        Handlers.path(routes)
            .addExactPath(
                "/ws",
                Handlers.websocket(
                    (exchange, channel) -> {
                      channel.getReceiveSetter().set(new Echo());
                      channel.resumeReceives();
                    }));
    if (Files.isDirectory(Arena.FILES)) {
      all =
          ((io.undertow.server.handlers.PathHandler) all)
              .addPrefixPath("/static", new ResourceHandler(new PathResourceManager(Arena.FILES)));
    }
    Undertow.builder().addHttpListener(Arena.PORT, "0.0.0.0").setHandler(all).build().start();
    Arena.ready();
  }

  private static HttpHandler waiting(HttpHandler handler) {
    return new BlockingHandler(handler);
  }

  private static void find(HttpServerExchange exchange) throws Exception {
    Table.Read read = Table.find(Integer.parseInt(query(exchange, "id")));
    if (read == null) {
      exchange.setStatusCode(404).endExchange();
    } else {
      exchange.getResponseHeaders().put(CACHE, read.cached() ? "HIT" : "MISS");
      json(exchange, read.item());
    }
  }

  private static void change(HttpServerExchange exchange) throws Exception {
    Arena.Change sent =
        Arena.JSON.readValue(exchange.getInputStream().readAllBytes(), Arena.Change.class);
    Arena.Changed changed = Table.change(Integer.parseInt(query(exchange, "id")), sent);
    if (changed == null) {
      exchange.setStatusCode(404).endExchange();
    } else {
      json(exchange, changed);
    }
  }

  private static void sum(HttpServerExchange exchange, String body) {
    text(exchange, Arena.sum(query(exchange, "a"), query(exchange, "b"), body));
  }

  private static String query(HttpServerExchange exchange, String name) {
    Deque<String> values = exchange.getQueryParameters().get(name);
    return values == null ? null : values.peekFirst();
  }

  private static void text(HttpServerExchange exchange, String text) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
    exchange.getResponseSender().send(text);
  }

  private static void json(HttpServerExchange exchange, Object value) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
    exchange.getResponseSender().send(ByteBuffer.wrap(Arena.json(value)));
  }

  /** Returns each message. */
  private static final class Echo extends AbstractReceiveListener {

    @Override
    protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
      WebSockets.sendText(message.getData(), channel, null);
    }

    @Override
    protected void onFullBinaryMessage(WebSocketChannel channel, BufferedBinaryMessage message) {
      WebSockets.sendBinary(message.getData().getResource(), channel, null);
    }
  }
}
