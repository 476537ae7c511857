import static io.activej.http.HttpMethod.GET;
import static io.activej.http.HttpMethod.POST;

import io.activej.bytebuf.ByteBuf;
import io.activej.eventloop.Eventloop;
import io.activej.http.AsyncServlet;
import io.activej.http.ContentTypes;
import io.activej.http.HttpHeaderValue;
import io.activej.http.HttpHeaders;
import io.activej.http.HttpRequest;
import io.activej.http.HttpResponse;
import io.activej.http.HttpServer;
import io.activej.http.RoutingServlet;
import io.activej.net.PrimaryServer;
import io.activej.promise.Promise;
import io.activej.reactor.nio.NioReactor;
import java.util.ArrayList;
import java.util.List;

/** ActiveJ with its router, and an event loop on each processor. */
final class Main {

  public static void main(String[] args) throws Exception {
    List<HttpServer> workers = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Eventloop loop = Eventloop.builder().withFatalErrorHandler((e, context) -> {}).build();
      loop.keepAlive(true);
      workers.add(HttpServer.builder(loop, servlet(loop)).build());
      new Thread(loop, "loop-" + i).start();
    }
    Eventloop accepting = Eventloop.create();
    accepting.keepAlive(true);
    PrimaryServer server =
        PrimaryServer.builder(accepting, workers).withListenPort(Arena.PORT).build();
    new Thread(accepting, "accepting").start();
    accepting
        .submit(
            () -> {
              server.listen();
              Arena.ready();
            })
        .get();
  }

  private static AsyncServlet servlet(NioReactor reactor) {
    return RoutingServlet.builder(reactor)
        .with(GET, "/pipeline", request -> text(Arena.OK))
        .with(GET, "/baseline11", request -> text(sum(request, "")))
        .with(
            POST,
            "/baseline11",
            request ->
                request
                    .loadBody(Arena.LIMIT)
                    .then(body -> text(sum(request, new String(body.getArray())))))
        .with(
            GET,
            "/json/:count",
            request -> {
              int count = Integer.parseInt(request.getPathParameter("count"));
              byte[] json =
                  Arena.json(Arena.priced(count, Arena.number(request.getQueryParameter("m"), 1)));
              return HttpResponse.ok200()
                  .withHeader(
                      HttpHeaders.CONTENT_TYPE,
                      HttpHeaderValue.ofContentType(ContentTypes.JSON_UTF_8))
                  .withBody(json)
                  .toPromise();
            })
        .with(
            POST,
            "/upload",
            request -> {
              long[] count = {0};
              return request
                  .takeBodyStream()
                  .streamTo(
                      io.activej.csp.consumer.ChannelConsumers.ofConsumer(
                          (ByteBuf piece) -> {
                            count[0] += piece.readRemaining();
                            piece.recycle();
                          }))
                  .then(() -> text(Arena.bytes(Long.toString(count[0]))));
            })
        .build();
  }

  private static byte[] sum(HttpRequest request, String body) {
    return Arena.bytes(
        Arena.sum(request.getQueryParameter("a"), request.getQueryParameter("b"), body));
  }

  private static Promise<HttpResponse> text(byte[] body) {
    return HttpResponse.ok200()
        .withHeader(
            HttpHeaders.CONTENT_TYPE, HttpHeaderValue.ofContentType(ContentTypes.PLAIN_TEXT_UTF_8))
        .withBody(body)
        .toPromise();
  }
}
