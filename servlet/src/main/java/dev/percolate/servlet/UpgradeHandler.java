package dev.percolate.servlet;

import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a connection over from a container, which creates and calls it; of no use to others. Public
 * since containers ask for that.
 */
public final class UpgradeHandler implements HttpUpgradeHandler {

  private @Nullable ServletConnection connection;

  /** Creates the handler; the container does. */
  public UpgradeHandler() {}

  /** Sets what goes on with the connection, before the request is over. */
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
      connection.onError(new IOException("the container has closed the connection"));
    }
  }
}
