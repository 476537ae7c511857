package dev.percolate.servlet;

import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes over an upgraded connection. Public only because containers create it. Do not use it in
 * applications.
 */
public final class UpgradeHandler implements HttpUpgradeHandler {

  private @Nullable ServletConnection connection;

  /** Creates the handler. Called by the container. */
  public UpgradeHandler() {}

  /** Sets the connection to open. Called before the request is over. */
  void handsTo(ServletConnection next) {
    connection = next;
  }

  @Override
  public void init(WebConnection web) {
    if (connection != null) {
      try {
        connection.open(web);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void destroy() {
    if (connection != null) {
      connection.onError(new IOException("The container closed the upgraded connection."));
    }
  }
}
