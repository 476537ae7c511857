import io.jooby.Context;
import io.jooby.ExecutionMode;
import io.jooby.Jooby;
import io.jooby.MediaType;
import io.jooby.ServerOptions;
import io.jooby.StatusCode;
import io.jooby.netty.NettyServer;
import java.nio.file.Files;
import java.util.concurrent.Executors;

/** Jooby on Netty. Handlers run on virtual threads. */
final class Main {

  public static void main(String[] args) {
    NettyServer server = new NettyServer(Executors.newVirtualThreadPerTaskExecutor());
    server.setOptions(new ServerOptions().setPort(Arena.PORT).setMaxRequestSize(Arena.LIMIT));
    Jooby.runApp(new String[0], server, ExecutionMode.WORKER, Main::routes);
    Arena.ready();
  }

  private static void routes(Jooby app) {
    app.get("/pipeline", ctx -> text(ctx, "ok"));
    app.get("/baseline11", ctx -> sum(ctx, ""));
    app.post("/baseline11", ctx -> sum(ctx, ctx.body().value("")));
    app.get(
        "/json/{count}",
        ctx ->
            json(
                ctx, Arena.priced(ctx.path("count").intValue(), Arena.number(query(ctx, "m"), 1))));
    app.post("/upload", ctx -> text(ctx, Arena.count(ctx.body().stream())));
    if (Files.isDirectory(Arena.FILES)) {
      app.assets("/static/*", Arena.FILES);
    }
    app.get(
        "/async-db",
        ctx ->
            json(
                ctx,
                Table.priced(
                    Arena.number(query(ctx, "min"), 10),
                    Arena.number(query(ctx, "max"), 50),
                    Arena.limit(query(ctx, "limit"), 50))));
    app.get(
        "/crud/items",
        ctx ->
            json(
                ctx,
                Table.page(
                    query(ctx, "category"),
                    Arena.number(query(ctx, "page"), 1),
                    Arena.limit(query(ctx, "limit"), 10))));
    app.post(
        "/crud/items",
        ctx ->
            json(
                ctx.setResponseCode(StatusCode.CREATED),
                Table.put(Arena.JSON.readValue(ctx.body().bytes(), Arena.NewItem.class))));
    app.get(
        "/crud/items/{id}",
        ctx -> {
          Table.Read read = Table.find(ctx.path("id").intValue());
          return read == null
              ? ctx.send(StatusCode.NOT_FOUND)
              : json(ctx.setResponseHeader("X-Cache", read.cached() ? "HIT" : "MISS"), read.item());
        });
    app.put(
        "/crud/items/{id}",
        ctx -> {
          Arena.Changed changed =
              Table.change(
                  ctx.path("id").intValue(),
                  Arena.JSON.readValue(ctx.body().bytes(), Arena.Change.class));
          return changed == null ? ctx.send(StatusCode.NOT_FOUND) : json(ctx, changed);
        });
    app.ws("/ws", (ctx, socket) -> socket.onMessage((ws, message) -> ws.send(message.value())));
  }

  private static String query(Context ctx, String name) {
    return ctx.query(name).valueOrNull();
  }

  private static Context sum(Context ctx, String body) {
    return text(ctx, Arena.sum(query(ctx, "a"), query(ctx, "b"), body));
  }

  private static Context text(Context ctx, String text) {
    return ctx.setResponseType(MediaType.text).send(text);
  }

  private static Context json(Context ctx, Object value) {
    return ctx.setResponseType(MediaType.json).send(Arena.json(value));
  }
}
