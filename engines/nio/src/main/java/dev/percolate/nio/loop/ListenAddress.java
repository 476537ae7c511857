package dev.percolate.nio.loop;

import dev.percolate.engine.ListenOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Resolves the address that a server listens on, and formats it for users. */
public final class ListenAddress {

  private ListenAddress() {}

  /**
   * Resolves the local address.
   *
   * @param options the options with the host
   * @throws IOException if the host is unknown; the message names it
   */
  public static InetAddress of(ListenOptions options) throws IOException {
    try {
      return InetAddress.getByName(options.host());
    } catch (UnknownHostException e) {
      throw new IOException("host \"" + options.host() + "\" cannot be resolved", e);
    }
  }

  /**
   * Returns a URI that reaches the server from this machine.
   *
   * @param options the options with the host
   * @param port the port that it listens on
   */
  public static URI uri(ListenOptions options, int port) {
    String scheme = options.tls() == null ? "http" : "https";
    boolean everywhere = options.host().equals("0.0.0.0") || options.host().equals("::");
    String host = everywhere ? "localhost" : options.host();
    return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
  }

  /**
   * Creates the exception for a failure to bind a port, with a message that names it.
   *
   * @param options the options with host and port
   * @param cause the failure
   */
  public static IOException unbound(ListenOptions options, Throwable cause) {
    String message = "port " + options.port() + " of " + options.host() + ": " + cause.getMessage();
    IOException failure =
        cause instanceof BindException ? new BindException(message) : new IOException(message);
    failure.initCause(cause);
    return failure;
  }
}
