import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.concurrent.TimeUnit;

final class Main extends VerticleBase {

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(false));
    var loops = new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
    vertx.deployVerticle(Main::new, loops).toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    Peer.ready();
  }

  @Override
  public Future<?> start() {
    Router router = Router.router(vertx);
    if (Boolean.getBoolean("count")) {
      router.route().handler(ctx -> {
        Peer.enter(ctx.request().path());
        ctx.next();
      });
    }
    for (int i = 0; i < 50; i++) {
      router.get("/other" + i + "/:id").handler(ctx -> ctx.end("other"));
    }
    router.get("/plaintext").handler(hop(ctx -> type(ctx, "text/plain").end(Buffer.buffer(Peer.HELLO))));
    router.get("/json").handler(hop(ctx -> type(ctx, "application/json").end(Buffer.buffer(Peer.json()))));
    router.get("/users/:id/posts/:post").handler(
        hop(ctx -> type(ctx, "text/plain").end(ctx.pathParam("id") + " " + ctx.pathParam("post"))));
    router.post("/echo").handler(BodyHandler.create(false).setBodyLimit(Peer.LIMIT)).handler(hop(Main::echo));
    router.get("/header").handler(hop(ctx -> type(ctx, "text/plain").end(ctx.request().getHeader(Peer.HEADER))));
    router.post("/fields").handler(BodyHandler.create(false).setBodyLimit(Peer.LIMIT)).handler(
        hop(ctx -> type(ctx, "text/plain").end(Peer.fields(ctx.request().formAttributes()::get))));
    router.get("/list").handler(hop(ctx -> type(ctx, "application/json").end(Buffer.buffer(Peer.list()))));
    router.get("/mebibyte").handler(hop(ctx -> type(ctx, "text/plain").end(Buffer.buffer(Peer.MEBIBYTE))));
    router.get("/slow").handler(ctx -> vertx.setTimer(Long.parseLong(ctx.request().getParam("ms")), id -> ctx.end("slept")));
    router.get("/file").handler(ctx -> ctx.response().sendFile(Peer.file().toString()));
    router.get("/count").handler(ctx -> ctx.end(Peer.entered()));
    return vertx.createHttpServer(options()).requestHandler(router).listen(Peer.PORT);
  }

  /** Returns options with HTTP/2, which is on by default in clear text. */
  private static HttpServerOptions options() {
    HttpServerOptions options = new HttpServerOptions();
    return Peer.KEY_STORE == null
        ? options
        : options.setSsl(true).setUseAlpn(true).setKeyCertOptions(new PfxOptions().setPath(Peer.KEY_STORE).setPassword(Peer.PASSWORD));
  }

  private static void echo(RoutingContext ctx) {
    byte[] answer = Peer.echo(ctx.body().buffer().getBytes());
    if (answer == null) {
      ctx.response().setStatusCode(400).end();
    } else {
      type(ctx, "application/json").end(Buffer.buffer(answer));
    }
  }

  private static io.vertx.core.http.HttpServerResponse type(RoutingContext ctx, String type) {
    return ctx.response().putHeader("content-type", type);
  }

  /** Runs a handler on the event loop by default, as in Vert.x's own documentation. */
  private static Handler<RoutingContext> hop(Handler<RoutingContext> handler) {
    return Peer.VIRTUAL ? ctx -> Thread.startVirtualThread(() -> handler.handle(ctx)) : handler;
  }
}
