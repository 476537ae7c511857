package dev.percolate.servlet;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A servlet implemented by a lambda. */
record RespondingServlet(ResponseAction answering) implements Servlet {

  @Override
  public void init(ServletConfig config) {}

  @Override
  public @Nullable ServletConfig getServletConfig() {
    return null;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response)
      throws ServletException, IOException {
    try {
      answering.answer((HttpServletRequest) request, (HttpServletResponse) response);
    } catch (ServletException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  @Override
  public String getServletInfo() {
    return "";
  }

  @Override
  public void destroy() {}
}
