package dev.percolate.conformance;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.servlet.ServiceServlet;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;

/** Runs a servlet in Jetty, which is configured to accept ambiguous targets. */
final class JettyEngine implements Engine {

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    HttpConfiguration config = new HttpConfiguration();
    config.setUriCompliance(UriCompliance.UNSAFE);
    config.setRequestHeaderSize(options.maxTargetLength() + options.maxHeaderBytes());
    org.eclipse.jetty.server.Server jetty = new org.eclipse.jetty.server.Server();
    ServerConnector connector = new ServerConnector(jetty, new HttpConnectionFactory(config));
    connector.setHost(options.host());
    connector.setPort(options.port());
    jetty.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    ServletHolder holder = new ServletHolder(new ServiceServlet(service));
    holder.setAsyncSupported(true);
    context.addServlet(holder, "/*");
    jetty.setHandler(context);
    try {
      jetty.start();
    } catch (Exception e) {
      throw new IOException("cannot start Jetty", e);
    }
    return new JettyServer(jetty, connector);
  }

  private record JettyServer(org.eclipse.jetty.server.Server jetty, ServerConnector connector)
      implements Server {

    @Override
    public int port() {
      return connector.getLocalPort();
    }

    @Override
    public URI uri() {
      return URI.create("http://" + connector.getHost() + ":" + port());
    }

    @Override
    public void close() {
      try {
        jetty.stop();
      } catch (Exception e) {
        throw new IllegalStateException("cannot stop Jetty", e);
      }
    }

    @Override
    public boolean isShuttingDown() {
      return false;
    }

    @Override
    public CompletionStage<Void> closed() {
      return CompletableFuture.runAsync(
          () -> {
            try {
              jetty.join();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }
}
