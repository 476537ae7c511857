package dev.percolate.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty, configured to accept ambiguous targets. */
final class JettyContainer implements Container {

  private final Server server = new Server();
  private final ServerConnector connector;

  JettyContainer(boolean async, List<Filter> filters, Servlet servlet) throws Exception {
    HttpConfiguration config = new HttpConfiguration();
    config.setUriCompliance(UriCompliance.UNSAFE);
    connector = new ServerConnector(server, new HttpConnectionFactory(config));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.setContextPath("/");
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    boolean supported = async;
    for (Filter filter : filters) {
      FilterHolder holder = new FilterHolder(filter);
      holder.setAsyncSupported(supported);
      supported = true;
      context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    }
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(supported);
    context.addServlet(holder, "/*");
    server.setHandler(context);
    server.start();
  }

  @Override
  public URI uri() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
