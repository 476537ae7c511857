import io.javalin.Javalin;
import java.nio.file.Files;

final class Main {

  public static void main(String[] args) {
    Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.concurrency.useVirtualThreads = Peer.VIRTUAL;
              config.http.maxRequestSize = Peer.LIMIT;
              var routes = config.routes;
              if (Boolean.getBoolean("count")) {
                routes.before(ctx -> Peer.enter(ctx.path()));
              }
              for (int i = 0; i < 50; i++) {
                routes.get("/other" + i + "/{id}", ctx -> ctx.result("other"));
              }
              routes.get("/plaintext", ctx -> ctx.contentType("text/plain").result("Hello, World!"));
              routes.get("/json", ctx -> ctx.contentType("application/json").result(Peer.json()));
              routes.get(
                  "/users/{id}/posts/{post}",
                  ctx -> ctx.contentType("text/plain").result(ctx.pathParam("id") + " " + ctx.pathParam("post")));
              routes.post(
                  "/echo",
                  ctx -> {
                    byte[] answer = Peer.echo(ctx.bodyAsBytes());
                    ctx.status(answer == null ? 400 : 200).contentType("application/json");
                    ctx.result(answer == null ? new byte[0] : answer);
                  });
              routes.get("/slow", ctx -> ctx.result(Peer.sleep(ctx.queryParam("ms"))));
              routes.get("/file", ctx -> ctx.result(Files.newInputStream(Peer.file())));
              routes.get("/count", ctx -> ctx.result(Peer.entered()));
            })
        .start(Peer.PORT);
    Peer.ready();
  }
}
