import io.helidon.common.buffers.BufferData;
import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.staticcontent.StaticContentService;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.nio.file.Files;
import java.sql.SQLException;

final class Main {

  private static final Header TEXT =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
  private static final Header JSON =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json");

  public static void main(String[] args) {
    WebServerConfig.Builder server =
        WebServer.builder()
            .port(Arena.PORT)
            .maxPayloadSize(Arena.LIMIT)
            .routing(Main::routes)
            .addRouting(WsRouting.builder().endpoint("/ws", new Echo()));
    if (Arena.SECURE) {
      Keys keys =
          Keys.builder()
              .pem(
                  pem ->
                      pem.key(Resource.create(Arena.KEY))
                          .certificates(Resource.create(Arena.CERTIFICATE)))
              .build();
      server.tls(tls -> tls.privateKey(keys).privateKeyCertChain(keys));
    }
    server.build().start();
    Arena.ready();
  }

  private static void routes(HttpRouting.Builder routing) {
    routing.get("/pipeline", (req, res) -> res.header(TEXT).send(Arena.OK));
    routing.get("/baseline11", (req, res) -> sum(req, res, ""));
    routing.get("/baseline2", (req, res) -> sum(req, res, ""));
    routing.post("/baseline11", (req, res) -> sum(req, res, req.content().as(String.class)));
    routing.get(
        "/json/{count}",
        (req, res) ->
            res.header(JSON)
                .send(
                    Arena.json(
                        Arena.priced(
                            Integer.parseInt(req.path().pathParameters().get("count")),
                            Arena.number(query(req, "m"), 1)))));
    routing.post(
        "/upload", (req, res) -> res.header(TEXT).send(Arena.count(req.content().inputStream())));
    if (Files.isDirectory(Arena.FILES)) {
      routing.register("/static", StaticContentService.create(Arena.FILES));
    }
    routing.get(
        "/async-db",
        (req, res) ->
            res.header(JSON)
                .send(
                    Arena.json(
                        Table.priced(
                            Arena.number(query(req, "min"), 10),
                            Arena.number(query(req, "max"), 50),
                            Arena.limit(query(req, "limit"), 50)))));
    routing.get(
        "/crud/items",
        (req, res) ->
            res.header(JSON)
                .send(
                    Arena.json(
                        Table.page(
                            query(req, "category"),
                            Arena.number(query(req, "page"), 1),
                            Arena.limit(query(req, "limit"), 10)))));
    routing.post(
        "/crud/items",
        (req, res) ->
            res.status(Status.CREATED_201)
                .header(JSON)
                .send(
                    Arena.json(
                        Table.put(
                            Arena.JSON.readValue(
                                req.content().as(byte[].class), Arena.NewItem.class)))));
    routing.get("/crud/items/{id}", Main::find);
    routing.put("/crud/items/{id}", Main::change);
  }

  private static void sum(ServerRequest req, ServerResponse res, String body) {
    res.header(TEXT).send(Arena.sum(query(req, "a"), query(req, "b"), body));
  }

  private static String query(ServerRequest req, String name) {
    return req.query().first(name).orElse(null);
  }

  private static void find(ServerRequest req, ServerResponse res) throws SQLException {
    Table.Read read = Table.find(id(req));
    if (read == null) {
      res.status(Status.NOT_FOUND_404).send();
    } else {
      res.header("X-Cache", read.cached() ? "HIT" : "MISS")
          .header(JSON)
          .send(Arena.json(read.item()));
    }
  }

  private static void change(ServerRequest req, ServerResponse res) throws SQLException {
    Arena.Changed changed =
        Table.change(
            id(req), Arena.JSON.readValue(req.content().as(byte[].class), Arena.Change.class));
    if (changed == null) {
      res.status(Status.NOT_FOUND_404).send();
    } else {
      res.header(JSON).send(Arena.json(changed));
    }
  }

  private static int id(ServerRequest req) {
    return Integer.parseInt(req.path().pathParameters().get("id"));
  }

  /** Returns each message. */
  private static final class Echo implements WsListener {

    @Override
    public void onMessage(WsSession session, String text, boolean last) {
      session.send(text, last);
    }

    @Override
    public void onMessage(WsSession session, BufferData buffer, boolean last) {
      session.send(buffer, last);
    }
  }
}
