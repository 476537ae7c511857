package dev.percolate.benchmarks;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/**
 * Answers {@code /plaintext} on bare Vert.x core, the engine that Percolate stands on: on its event
 * loop, or with {@code -Dthreads=virtual} on a virtual thread for each request.
 */
final class BareServer extends VerticleBase {

  private static final CharSequence TYPE = HttpHeaders.createOptimized("content-type");
  private static final CharSequence PLAIN = HttpHeaders.createOptimized("text/plain");

  private final boolean virtual = "virtual".equals(System.getProperty("threads"));

  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(false));
    int loops = Runtime.getRuntime().availableProcessors();
    vertx
        .deployVerticle(BareServer::new, new DeploymentOptions().setInstances(loops))
        .toCompletionStage()
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES);
    System.out.println("ready");
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(new HttpServerOptions().setPort(Integer.getInteger("port", 8080)))
        .requestHandler(virtual ? this::hop : BareServer::answer)
        .listen();
  }

  private void hop(HttpServerRequest request) {
    VirtualStart.run(() -> answer(request));
  }

  private static void answer(HttpServerRequest request) {
    request.response().putHeader(TYPE, PLAIN).end(Buffer.buffer("Hello, World!"));
  }
}
