import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.TimeUnit;

/** Vert.x without a router and limits. */
final class Main extends VerticleBase {

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(false));
    var loops = new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
    vertx.deployVerticle(Main::new, loops).toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    Peer.ready();
  }

  @Override
  public Future<?> start() {
    return vertx.createHttpServer().requestHandler(this::receive).listen(Peer.PORT);
  }

  private void receive(HttpServerRequest request) {
    if (request.path().equals("/echo")) {
      request.body().onSuccess(body -> hop(request, body));
    } else {
      hop(request, Buffer.buffer());
    }
  }

  private void hop(HttpServerRequest request, Buffer body) {
    if (Peer.VIRTUAL) {
      Thread.startVirtualThread(() -> answer(request, body));
    } else {
      answer(request, body);
    }
  }

  private void answer(HttpServerRequest request, Buffer body) {
    String path = request.path();
    Peer.enter(path);
    HttpServerResponse response = request.response();
    switch (path) {
      case "/plaintext" -> response.putHeader("content-type", "text/plain").end(Buffer.buffer(Peer.HELLO));
      case "/json" -> json(response, Peer.json());
      case "/echo" -> json(response, Peer.echo(body.getBytes()));
      case "/header" -> response.putHeader("content-type", "text/plain").end(request.getHeader(Peer.HEADER));
      case "/list" -> json(response, Peer.list());
      case "/mebibyte" -> response.putHeader("content-type", "text/plain").end(Buffer.buffer(Peer.MEBIBYTE));
      case "/slow" -> vertx.setTimer(Long.parseLong(request.getParam("ms")), id -> response.end("slept"));
      case "/file" -> response.sendFile(Peer.file().toString());
      case "/count" -> response.end(Peer.entered());
      default -> user(path, response);
    }
  }

  private static void json(HttpServerResponse response, byte[] answer) {
    if (answer == null) {
      response.setStatusCode(400).end();
    } else {
      response.putHeader("content-type", "application/json").end(Buffer.buffer(answer));
    }
  }

  private static void user(String path, HttpServerResponse response) {
    String[] parts = path.split("/");
    if (parts.length == 5 && parts[1].equals("users") && parts[3].equals("posts")) {
      response.putHeader("content-type", "text/plain").end(parts[2] + " " + parts[4]);
    } else {
      response.setStatusCode(404).end();
    }
  }
}
