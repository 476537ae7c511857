package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Finds the address that a server listens at, and names it to people. */
public final class ListenAddress {

  private ListenAddress() {}

  /**
   * Looks the local address up.
   *
   * @param options name the host
   * @throws IOException if there is no such host, naming it
   */
  public static InetAddress of(ListenOptions options) throws IOException {
    try {
      return InetAddress.getByName(options.host());
    } catch (UnknownHostException e) {
      throw new IOException("host(\"" + options.host() + "\"): not a known host", e);
    }
  }

  /**
   * Returns the address to reach a server by from this machine.
   *
   * @param options name the host
   * @param port the port that it listens on
   */
  public static URI uri(ListenOptions options, int port) {
    String scheme = options.tls() == null ? "http" : "https";
    boolean everywhere = options.host().equals("0.0.0.0") || options.host().equals("::");
    String host = everywhere ? "localhost" : options.host();
    return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
  }

  /**
   * Returns the failure to bind a port, with a message that names it.
   *
   * @param options name host and port
   * @param cause why it could not be bound
   */
  public static IOException unbound(ListenOptions options, Throwable cause) {
    String message = "port " + options.port() + " of " + options.host() + ": " + cause.getMessage();
    IOException failure =
        cause instanceof BindException ? new BindException(message) : new IOException(message);
    failure.initCause(cause);
    return failure;
  }
}
