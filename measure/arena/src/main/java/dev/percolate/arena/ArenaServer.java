package dev.percolate.arena;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.framework.App;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@link Arena} on the ports of HttpArena: HTTP/1.1 on 8080; with a certificate also HTTPS
 * on 8081 and 8443; HTTP/2 in clear text on 8082. Environment variables:
 *
 * <pre>
 *   DATABASE_URL        such as postgres://bench:bench@localhost:5432/benchmark; no default
 *   DATABASE_MAX_CONN   the size of the connection pool; default 256
 *   ARENA_DATA          the directory of dataset.json and static; default /data
 *   TLS_CERT, TLS_KEY   PEM files; default /certs/server.crt and /certs/server.key
 *   ARENA_PORTS         other ports, in the order above: 8080,8081,8443,8082
 * </pre>
 */
public final class ArenaServer {

  private ArenaServer() {}

  /**
   * Starts the servers, which run until the process ends.
   *
   * @param args ignored
   * @throws Exception if the data cannot be read or a port is in use
   */
  public static void main(String[] args) throws Exception {
    System.out.println("ready " + start(System.getenv()));
  }

  /** Starts the servers; returns those for HTTP/1.1, HTTPS, HTTPS again, and HTTP/2. */
  static List<@Nullable Server> start(Map<String, String> environment) throws IOException {
    Path data = Path.of(environment.getOrDefault("ARENA_DATA", "/data"));
    Path certificate = Path.of(environment.getOrDefault("TLS_CERT", "/certs/server.crt"));
    Path key = Path.of(environment.getOrDefault("TLS_KEY", "/certs/server.key"));
    String[] ports = environment.getOrDefault("ARENA_PORTS", "8080,8081,8443,8082").split(",", -1);
    ItemTable table = table(environment);
    App app = Arena.app(data, table);
    if (table != null) {
      app.onClose(table);
    }
    List<@Nullable Server> servers = new ArrayList<>();
    servers.add(app.listen(listening(ports[0])));
    Tls tls = Files.exists(certificate) ? Tls.pem(certificate, key) : null;
    servers.add(tls == null ? null : app.listen(listening(ports[1]).tls(tls)));
    servers.add(tls == null ? null : app.listen(listening(ports[2]).tls(tls)));
    servers.add(Arena.onlyHttp2(data).listen(listening(ports[3]).http2PriorKnowledge(true)));
    return servers;
  }

  private static ListenOptions listening(String port) {
    return ListenOptions.ofPort(Integer.parseInt(port));
  }

  private static @Nullable ItemTable table(Map<String, String> environment) {
    String url = environment.get("DATABASE_URL");
    String connections = environment.getOrDefault("DATABASE_MAX_CONN", "256");
    return url == null ? null : ItemTable.at(url, Integer.parseInt(connections));
  }
}
