import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.StaticHandler;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

final class Main extends VerticleBase {

  private record Entry(Arena.Item item, long until) {}

  private static final String SELECT =
      "SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count FROM"
          + " items ";
  private static final ConcurrentHashMap<Integer, Entry> CACHE = new ConcurrentHashMap<>();

  private Pool pool;

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    var loops = new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
    vertx
        .deployVerticle(Main::new, loops)
        .toCompletionStage()
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES);
    Arena.ready();
  }

  @Override
  public Future<?> start() {
    if (Arena.DATABASE != null) {
      PoolOptions size =
          new PoolOptions()
              .setMaxSize(
                  Math.max(1, Arena.CONNECTIONS / Runtime.getRuntime().availableProcessors()));
      PgConnectOptions options =
          PgConnectOptions.fromUri(Arena.DATABASE).setCachePreparedStatements(true);
      pool = PgBuilder.pool().with(size).connectingTo(options).using(vertx).build();
    }
    Router router = Router.router(vertx);
    router.get("/pipeline").handler(ctx -> text(ctx, "ok"));
    router.get("/baseline11").handler(ctx -> sum(ctx, ""));
    router.get("/baseline2").handler(ctx -> sum(ctx, ""));
    router
        .post("/baseline11")
        .handler(BodyHandler.create(false))
        .handler(ctx -> sum(ctx, ctx.body().asString()));
    router
        .get("/json/:count")
        .handler(
            ctx ->
                json(
                    ctx,
                    Arena.priced(
                        Integer.parseInt(ctx.pathParam("count")),
                        Arena.number(query(ctx, "m"), 1))));
    router.post("/upload").handler(Main::upload);
    router
        .get("/static/*")
        .handler(
            StaticHandler.create(
                    io.vertx.ext.web.handler.FileSystemAccess.ROOT, Arena.FILES.toString())
                .setCachingEnabled(true));
    router.get("/async-db").handler(this::priced);
    router.get("/crud/items").handler(this::page);
    router.post("/crud/items").handler(BodyHandler.create(false)).handler(this::put);
    router.get("/crud/items/:id").handler(this::find);
    router.put("/crud/items/:id").handler(BodyHandler.create(false)).handler(this::change);
    router
        .get("/ws")
        .handler(
            ctx ->
                ctx.request()
                    .toWebSocket()
                    .onSuccess(
                        socket -> {
                          socket.textMessageHandler(socket::writeTextMessage);
                          socket.binaryMessageHandler(socket::writeBinaryMessage);
                        })
                    .onFailure(e -> ctx.response().setStatusCode(426).end()));
    HttpServerOptions options = new HttpServerOptions().setCompressionSupported(true);
    if (Arena.SECURE) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(Arena.CERTIFICATE.toString())
                  .setKeyPath(Arena.KEY.toString()));
    }
    return vertx.createHttpServer(options).requestHandler(router).listen(Arena.PORT);
  }

  private static void text(RoutingContext ctx, String text) {
    ctx.response().putHeader("content-type", "text/plain").end(text);
  }

  private static void json(RoutingContext ctx, Object value) {
    ctx.response()
        .putHeader("content-type", "application/json")
        .end(Buffer.buffer(Arena.json(value)));
  }

  private static String query(RoutingContext ctx, String name) {
    return ctx.request().getParam(name);
  }

  private static void sum(RoutingContext ctx, String body) {
    text(ctx, Arena.sum(query(ctx, "a"), query(ctx, "b"), body));
  }

  private static void upload(RoutingContext ctx) {
    long[] count = {0};
    ctx.request()
        .handler(piece -> count[0] += piece.length())
        .endHandler(end -> text(ctx, Long.toString(count[0])));
  }

  private void priced(RoutingContext ctx) {
    if (pool == null) {
      json(ctx, new Arena.Items<>(List.of(), 0));
      return;
    }
    Tuple values =
        Tuple.of(
            Arena.number(query(ctx, "min"), 10),
            Arena.number(query(ctx, "max"), 50),
            Arena.limit(query(ctx, "limit"), 50));
    pool.preparedQuery(SELECT + "WHERE price BETWEEN $1 AND $2 LIMIT $3")
        .execute(values)
        .onSuccess(rows -> json(ctx, new Arena.Items<>(items(rows), rows.size())))
        .onFailure(e -> json(ctx, new Arena.Items<>(List.of(), 0)));
  }

  private void page(RoutingContext ctx) {
    int page = Arena.number(query(ctx, "page"), 1);
    int limit = Arena.limit(query(ctx, "limit"), 10);
    String category = query(ctx, "category") == null ? "electronics" : query(ctx, "category");
    pool.preparedQuery(SELECT + "WHERE category = $1 ORDER BY id LIMIT $2 OFFSET $3")
        .execute(Tuple.of(category, limit, (page - 1) * limit))
        .onSuccess(rows -> json(ctx, new Arena.Page(items(rows), rows.size(), page, limit)))
        .onFailure(ctx::fail);
  }

  private void put(RoutingContext ctx) {
    Arena.NewItem sent = Arena.JSON.readValue(ctx.body().buffer().getBytes(), Arena.NewItem.class);
    pool.preparedQuery(
            "INSERT INTO items VALUES ($1, $2, $3, $4, $5, true, '[]', 0, 0) ON CONFLICT (id) DO"
                + " UPDATE SET name = EXCLUDED.name, category = EXCLUDED.category, price ="
                + " EXCLUDED.price, quantity = EXCLUDED.quantity")
        .execute(Tuple.of(sent.id(), sent.name(), sent.category(), sent.price(), sent.quantity()))
        .onSuccess(
            rows -> {
              CACHE.remove(sent.id());
              ctx.response().setStatusCode(201);
              json(
                  ctx,
                  new Arena.Item(
                      sent.id(),
                      sent.name(),
                      sent.category(),
                      sent.price(),
                      sent.quantity(),
                      true,
                      List.of(),
                      new Arena.Rating(0, 0)));
            })
        .onFailure(ctx::fail);
  }

  private void find(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    Entry entry = CACHE.get(id);
    if (entry != null && entry.until() - System.nanoTime() > 0) {
      ctx.response().putHeader("X-Cache", "HIT");
      json(ctx, entry.item());
      return;
    }
    pool.preparedQuery(SELECT + "WHERE id = $1")
        .execute(Tuple.of(id))
        .onSuccess(
            rows -> {
              if (rows.size() == 0) {
                ctx.response().setStatusCode(404).end();
                return;
              }
              Arena.Item item = items(rows).get(0);
              CACHE.put(
                  id, new Entry(item, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200)));
              ctx.response().putHeader("X-Cache", "MISS");
              json(ctx, item);
            })
        .onFailure(ctx::fail);
  }

  private void change(RoutingContext ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    Arena.Change sent = Arena.JSON.readValue(ctx.body().buffer().getBytes(), Arena.Change.class);
    pool.preparedQuery("UPDATE items SET name = $1, price = $2, quantity = $3 WHERE id = $4")
        .execute(Tuple.of(sent.name(), sent.price(), sent.quantity(), id))
        .onSuccess(
            rows -> {
              CACHE.remove(id);
              if (rows.rowCount() == 0) {
                ctx.response().setStatusCode(404).end();
              } else {
                json(ctx, new Arena.Changed(id, sent.name(), sent.price(), sent.quantity()));
              }
            })
        .onFailure(ctx::fail);
  }

  private static List<Arena.Item> items(RowSet<Row> rows) {
    List<Arena.Item> items = new ArrayList<>(rows.size());
    for (Row row : rows) {
      JsonArray tags = (JsonArray) row.getValue(6);
      items.add(
          new Arena.Item(
              row.getInteger(0),
              row.getString(1),
              row.getString(2),
              row.getInteger(3),
              row.getInteger(4),
              row.getBoolean(5),
              tags.stream().map(String::valueOf).toList(),
              new Arena.Rating(row.getInteger(7), row.getInteger(8))));
    }
    return items;
  }
}
