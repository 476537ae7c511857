package dev.percolate.demo;

import dev.percolate.engine.Server;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * Starts the guest book, asks it for its pages, and ends: what the JVM has loaded by then can be
 * kept in an archive, for quicker starts.
 */
public final class Rehearsal {

  private static final List<String> PATHS =
      List.of("/", "/api/entries", "/openapi.json", "/docs", "/admin", "/style.css");

  private Rehearsal() {}

  /**
   * Starts the guest book, asks for each page once, and ends the process.
   *
   * @param args none
   * @throws Exception if the guest book does not start, or does not answer
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
    System.exit(0); // what waits in the background does not hold an archive up
  }
}
