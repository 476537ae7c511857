package dev.percolate.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.URI;
import java.util.List;

/** A servlet container that listens on a free port, until it is closed. */
interface Container extends AutoCloseable {

  /** The tested containers. */
  enum Kind {
    JETTY,
    TOMCAT;

    /**
     * Starts a container.
     *
     * @param async whether the first filter, or without filters the servlet, supports async
     * @param filters run before the servlet, for all dispatches
     * @param servlet responds to all requests
     */
    Container start(boolean async, List<Filter> filters, Servlet servlet) throws Exception {
      return this == JETTY
          ? new JettyContainer(async, filters, servlet)
          : new TomcatContainer(async, filters, servlet);
    }
  }

  URI uri();

  @Override
  void close();
}
