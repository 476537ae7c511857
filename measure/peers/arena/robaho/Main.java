import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.concurrent.Executors;

/** robaho's implementation of the JDK's HTTP server, on virtual threads. */
final class Main {

  public static void main(String[] args) throws IOException {
    System.setProperty(
        "com.sun.net.httpserver.HttpServerProvider",
        "robaho.net.httpserver.DefaultHttpServerProvider");
    HttpServer server = HttpServer.create(new InetSocketAddress(Arena.PORT), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/pipeline", exchange -> send(exchange, 200, "text/plain", Arena.OK));
    server.createContext(
        "/baseline11",
        exchange ->
            send(
                exchange,
                200,
                "text/plain",
                Arena.bytes(
                    Arena.sum(
                        query(exchange, "a"),
                        query(exchange, "b"),
                        new String(exchange.getRequestBody().readAllBytes())))));
    server.createContext(
        "/json/",
        exchange ->
            json(
                exchange,
                Arena.priced(
                    Arena.last(exchange.getRequestURI().getPath()),
                    Arena.number(query(exchange, "m"), 1))));
    server.createContext(
        "/upload",
        exchange ->
            send(exchange, 200, "text/plain", Arena.bytes(Arena.count(exchange.getRequestBody()))));
    server.createContext(
        "/async-db",
        exchange ->
            json(
                exchange,
                Table.priced(
                    Arena.number(query(exchange, "min"), 10),
                    Arena.number(query(exchange, "max"), 50),
                    Arena.limit(query(exchange, "limit"), 50))));
    server.createContext("/crud/items", sql(Main::items));
    server.start();
    Arena.ready();
  }

  /** A handler that uses the table. */
  private interface Sql {
    void handle(HttpExchange exchange) throws IOException, SQLException;
  }

  private static HttpHandler sql(Sql handler) {
    return exchange -> {
      try {
        handler.handle(exchange);
      } catch (SQLException e) {
        send(exchange, 500, "text/plain", new byte[0]);
      }
    };
  }

  private static void items(HttpExchange exchange) throws IOException, SQLException {
    boolean all = exchange.getRequestURI().getPath().equals("/crud/items");
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        if (all) {
          json(
              exchange,
              Table.page(
                  query(exchange, "category"),
                  Arena.number(query(exchange, "page"), 1),
                  Arena.limit(query(exchange, "limit"), 10)));
          return;
        }
        Table.Read read = Table.find(Arena.last(exchange.getRequestURI().getPath()));
        if (read == null) {
          send(exchange, 404, "text/plain", new byte[0]);
        } else {
          exchange.getResponseHeaders().set("X-Cache", read.cached() ? "HIT" : "MISS");
          json(exchange, read.item());
        }
      }
      case "POST" ->
          send(
              exchange,
              201,
              "application/json",
              Arena.json(
                  Table.put(
                      Arena.JSON.readValue(
                          exchange.getRequestBody().readAllBytes(), Arena.NewItem.class))));
      default -> {
        Arena.Change sent =
            Arena.JSON.readValue(exchange.getRequestBody().readAllBytes(), Arena.Change.class);
        Arena.Changed changed = Table.change(Arena.last(exchange.getRequestURI().getPath()), sent);
        send(exchange, changed == null ? 404 : 200, "application/json", Arena.json(changed));
      }
    }
  }

  private static String query(HttpExchange exchange, String name) {
    return Arena.parameter(exchange.getRequestURI().getRawQuery(), name);
  }

  private static void json(HttpExchange exchange, Object value) throws IOException {
    send(exchange, 200, "application/json", Arena.json(value));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
