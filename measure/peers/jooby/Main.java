import io.jooby.ExecutionMode;
import io.jooby.Jooby;
import io.jooby.MediaType;
import io.jooby.Server;
import io.jooby.ServerOptions;
import io.jooby.SslOptions;
import io.jooby.StatusCode;
import io.jooby.netty.NettyServer;
import java.util.concurrent.Executors;

final class Main {

  public static void main(String[] args) {
    Server server = Peer.VIRTUAL ? new NettyServer(Executors.newVirtualThreadPerTaskExecutor()) : new NettyServer();
    ServerOptions options = new ServerOptions().setPort(Peer.PORT).setMaxRequestSize(Peer.LIMIT);
    if (Peer.KEY_STORE != null) {
      options.setSsl(SslOptions.pkcs12(Peer.KEY_STORE, Peer.PASSWORD)).setSecurePort(Peer.PORT).setHttpsOnly(true).setHttp2(Peer.HTTP2);
    } else if (Peer.PRIOR_KNOWLEDGE) {
      options.setHttp2(true);
    }
    server.setOptions(options);
    ExecutionMode mode = Peer.EVENT_LOOP ? ExecutionMode.EVENT_LOOP : ExecutionMode.WORKER;
    Jooby.runApp(new String[0], server, mode, Main::routes);
    Peer.ready();
  }

  private static void routes(Jooby app) {
    if (Boolean.getBoolean("count")) {
      app.before(ctx -> Peer.enter(ctx.getRequestPath()));
    }
    for (int i = 0; i < 50; i++) {
      app.get("/other" + i + "/{id}", ctx -> "other");
    }
    app.get("/plaintext", ctx -> ctx.setResponseType(MediaType.text).send(Peer.HELLO));
    app.get("/json", ctx -> ctx.setResponseType(MediaType.json).send(Peer.json()));
    app.get(
        "/users/{id}/posts/{post}",
        ctx -> ctx.setResponseType(MediaType.text).send(ctx.path("id").value() + " " + ctx.path("post").value()));
    app.post(
        "/echo",
        ctx -> {
          byte[] answer = Peer.echo(ctx.body().bytes());
          if (answer == null) {
            return ctx.send(StatusCode.BAD_REQUEST);
          }
          return ctx.setResponseType(MediaType.json).send(answer);
        });
    app.get("/header", ctx -> ctx.setResponseType(MediaType.text).send(ctx.header(Peer.HEADER).value()));
    app.post(
        "/fields",
        ctx -> {
          var form = ctx.form();
          return ctx.setResponseType(MediaType.text).send(Peer.fields(name -> form.get(name).value()));
        });
    app.get("/list", ctx -> ctx.setResponseType(MediaType.json).send(Peer.list()));
    app.get("/mebibyte", ctx -> ctx.setResponseType(MediaType.text).send(Peer.MEBIBYTE));
    app.get("/slow", ctx -> Peer.sleep(ctx.query("ms").value()));
    app.get("/file", ctx -> ctx.send(Peer.file()));
    app.get("/count", ctx -> Peer.entered());
    if (Peer.SOCKETS) {
      app.ws("/sockets", (ctx, socket) -> socket.onMessage((ws, message) -> ws.send(message.value())));
    }
  }
}
