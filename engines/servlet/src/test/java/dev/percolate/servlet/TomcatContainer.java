package dev.percolate.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.modeler.Registry;

/** Tomcat, configured to accept ambiguous targets and to keep connections open for long. */
final class TomcatContainer implements Container {

  /** Kept, since the platform discards the level of an unreferenced logger. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  static {
    Registry.disableRegistry(); // containers that run at the same time would use the same names
  }

  private final Tomcat tomcat = new Tomcat();

  TomcatContainer(boolean async, List<Filter> filters, Servlet servlet) throws Exception {
    LOG.setLevel(Level.OFF);
    Path base = Path.of("target", "tomcat-" + System.identityHashCode(this));
    tomcat.setBaseDir(base.toAbsolutePath().toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("useKeepAliveResponseHeader", "false"); // added to that of upgrades
    connector.setEncodedSolidusHandling("passthrough");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    boolean supported = async;
    for (Filter filter : filters) {
      add(filter, supported, context);
      supported = true;
    }
    Wrapper wrapper = Tomcat.addServlet(context, "servlet", servlet);
    wrapper.setAsyncSupported(supported);
    context.addServletMapping("/*", "servlet");
    tomcat.start();
  }

  @Override
  public URI uri() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(Filter filter, boolean async, Context context) {
    String name = "filter " + System.identityHashCode(filter);
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported(Boolean.toString(async));
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    for (DispatcherType type : DispatcherType.values()) {
      map.setDispatcher(type.name());
    }
    context.addFilterMap(map);
  }
}
