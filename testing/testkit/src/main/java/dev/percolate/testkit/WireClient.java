package dev.percolate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reaches a server over sockets, each call on a connection of its own. */
final class WireClient implements Client {

  private final URI uri;
  private final Runnable after;
  private final Set<Wire> open = ConcurrentHashMap.newKeySet();

  /**
   * Creates a client.
   *
   * @param uri where the server listens
   * @param after closes what the client owns
   */
  WireClient(URI uri, Runnable after) {
    if (!"http".equals(uri.getScheme()) || uri.getPort() < 0) {
      throw new IllegalArgumentException("Client.of(" + uri + "): not http:// with a port");
    }
    this.uri = uri;
    this.after = after;
  }

  @Override
  public Talk open(Call call) {
    try {
      Wire wire = new Wire(uri.getHost(), uri.getPort(), open::remove);
      open.add(wire);
      return new Talk(call.message(), new WireLine(wire, call.message()));
    } catch (IOException e) {
      throw new UncheckedIOException(call + ": no connection to " + uri, e);
    }
  }

  @Override
  public void close() {
    open.forEach(Wire::close);
    after.run();
  }
}
