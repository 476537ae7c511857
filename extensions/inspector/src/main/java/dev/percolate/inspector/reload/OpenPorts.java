package dev.percolate.inspector.reload;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.net.BindException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The sockets that are open, by name. A version of the application uses some of them. */
final class OpenPorts {

  private final Engine engine;
  private final OpenPort.Requests requests;
  private final Map<String, OpenPort> ports = new HashMap<>();

  OpenPorts(Engine engine, OpenPort.Requests requests) {
    this.engine = engine;
    this.requests = requests;
  }

  Set<String> names() {
    return ports.keySet();
  }

  /**
   * Serves an application on an open socket. Opens it first if necessary, with the options.
   *
   * @param servers the servers of the version, by the names of their sockets
   * @throws IOException if the socket cannot be opened
   */
  Server listen(Map<String, VersionServer> servers, Service service, ListenOptions options)
      throws IOException {
    String name = options.host() + ":" + options.port();
    while (servers.containsKey(name) && options.port() == 0) {
      name += "'"; // another free port
    }
    OpenPort port = servers.containsKey(name) ? null : ports.get(name);
    if (port == null || port.socket().isShuttingDown()) {
      port = open(name, servers.keySet(), options);
    }
    VersionServer server = new VersionServer(service, port.socket(), port::closeIfServing);
    port.current(server);
    servers.put(port.name(), server);
    return server;
  }

  /**
   * Opens a socket. If a socket that is open occupies the port, as after a change of the host,
   * returns that one, unless the version uses it.
   */
  private OpenPort open(String name, Set<String> used, ListenOptions options) throws IOException {
    try {
      OpenPort port = new OpenPort(name, engine, options, requests);
      ports.put(name, port);
      return port;
    } catch (BindException e) {
      return ports.values().stream()
          .filter(open -> open.name().endsWith(":" + options.port()))
          .filter(open -> !used.contains(open.name()) && !open.socket().isShuttingDown())
          .findFirst()
          .orElseThrow(() -> e);
    }
  }

  /** Closes the sockets with other names. */
  void keep(Set<String> names) {
    for (String name : Set.copyOf(ports.keySet())) {
      OpenPort port = ports.get(name);
      if (port != null && !names.contains(name)) {
        ports.remove(name);
        Thread thread = new Thread(port::close, "percolate-close"); // waits for requests
        thread.setDaemon(true);
        thread.start();
      }
    }
  }
}
