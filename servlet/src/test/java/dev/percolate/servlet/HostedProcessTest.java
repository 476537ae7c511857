package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.FatalErrorHandler;
import org.junit.jupiter.api.Test;

/** In a servlet container, nothing in this library may end the process. */
final class HostedProcessTest {

  @Test
  void aFilterDeclaresThatTheProcessBelongsToTheContainer() {
    new MiddlewareFilter().destroy();
    assertTrue(FatalErrorHandler.isProcessHosted());
  }

  @Test
  void aServletDeclaresThatTheProcessBelongsToTheContainer() {
    assertTrue(new ServiceServlet(Chain.service(new Settings())).getServletInfo().length() > 0);
    assertTrue(FatalErrorHandler.isProcessHosted());
  }
}
