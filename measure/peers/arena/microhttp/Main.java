import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.OptionsBuilder;
import org.microhttp.Request;
import org.microhttp.Response;

/** microhttp, which has no router. */
final class Main {

  public static void main(String[] args) throws Exception {
    var options =
        OptionsBuilder.newBuilder()
            .withHost("0.0.0.0")
            .withPort(Arena.PORT)
            .withMaxRequestSize(Arena.LIMIT)
            .withConcurrency(Runtime.getRuntime().availableProcessors())
            .build();
    EventLoop loop =
        new EventLoop(options, (request, respond) -> respond.accept(response(request)));
    loop.start();
    Arena.ready();
    loop.join();
  }

  private static Response response(Request request) {
    int end = request.uri().indexOf('?');
    String path = end < 0 ? request.uri() : request.uri().substring(0, end);
    String query = end < 0 ? null : request.uri().substring(end + 1);
    if (path.equals("/pipeline")) {
      return of("text/plain", Arena.OK);
    } else if (path.equals("/baseline11")) {
      String body = request.body() == null ? "" : new String(request.body());
      return of(
          "text/plain",
          Arena.bytes(Arena.sum(Arena.parameter(query, "a"), Arena.parameter(query, "b"), body)));
    } else if (path.startsWith("/json/")) {
      return of(
          "application/json",
          Arena.json(Arena.priced(Arena.last(path), Arena.number(Arena.parameter(query, "m"), 1))));
    } else if (path.equals("/upload")) {
      return of("text/plain", Arena.bytes(Integer.toString(request.body().length)));
    }
    return new Response(404, "Not Found", List.of(), new byte[0]);
  }

  private static Response of(String type, byte[] body) {
    return new Response(200, "OK", List.of(new Header("Content-Type", type)), body);
  }
}
