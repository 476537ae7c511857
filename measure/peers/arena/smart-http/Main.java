import java.io.IOException;
import org.smartboot.http.server.HttpBootstrap;
import org.smartboot.http.server.HttpRequest;
import org.smartboot.http.server.HttpResponse;
import org.smartboot.http.server.HttpServerHandler;

/** smart-http, without its router. */
final class Main {

  public static void main(String[] args) {
    HttpBootstrap server = new HttpBootstrap();
    server.configuration().bannerEnabled(false).setMaxRequestSize(Arena.LIMIT);
    server.httpHandler(
        new HttpServerHandler() {
          @Override
          public void handle(HttpRequest request, HttpResponse response) throws IOException {
            respond(request, response);
          }
        });
    server.setPort(Arena.PORT).start();
    Arena.ready();
  }

  private static void respond(HttpRequest request, HttpResponse response) throws IOException {
    String path = request.getRequestURI();
    if (path.equals("/pipeline")) {
      send(response, "text/plain", Arena.OK);
    } else if (path.equals("/baseline11")) {
      String body =
          request.getMethod().equals("POST")
              ? new String(request.getInputStream().readAllBytes())
              : "";
      send(
          response,
          "text/plain",
          Arena.bytes(Arena.sum(request.getParameter("a"), request.getParameter("b"), body)));
    } else if (path.startsWith("/json/")) {
      send(
          response,
          "application/json",
          Arena.json(Arena.priced(Arena.last(path), Arena.number(request.getParameter("m"), 1))));
    } else if (path.equals("/upload")) {
      send(response, "text/plain", Arena.bytes(Arena.count(request.getInputStream())));
    } else {
      response.setHttpStatus(404, "Not Found");
    }
  }

  private static void send(HttpResponse response, String type, byte[] body) throws IOException {
    response.setContentType(type);
    response.setContentLength(body.length);
    response.write(body);
  }
}
