package dev.percolate.demo;

import dev.percolate.engine.Server;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * Starts the guest book, requests its pages, and ends. The JVM can archive the loaded classes, for
 * faster starts.
 */
public final class Rehearsal {

  private static final List<String> PATHS =
      List.of("/", "/api/entries", "/openapi.json", "/docs", "/admin", "/style.css");

  private Rehearsal() {}

  /**
   * Starts the guest book, requests each page once, and ends the process.
   *
   * @param args ignored
   * @throws Exception if the guest book does not start or respond
   */
  public static void main(String[] args) throws Exception {
    try (Server server = Demo.start(Environment.of(System.getenv())).get(0)) {
      HttpClient client = HttpClient.newHttpClient();
      for (String path : PATHS) {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(path)).build();
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status >= 500) {
          throw new IllegalStateException(path + ": " + status);
        }
      }
    }
    System.exit(0); // does not wait for background threads
  }
}
