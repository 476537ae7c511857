package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.FatalErrorHandler;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** In a servlet container, nothing in this library may end the process. */
final class HostedProcessTest {

  @DisplayName("DOS-10: a filter in a servlet container declares that the process must not end")
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
