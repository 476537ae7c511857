package dev.percolate.servlet;

import dev.percolate.engine.Exchange;
import dev.percolate.http.Headers;
import dev.percolate.http.IpText;
import dev.percolate.http.Status;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.regex.Pattern;

/**
 * A request of a servlet container and its response. Copies the properties of the request, because
 * the container recycles it when a connection is upgraded.
 *
 * @param request the request of the container
 * @param response its response
 * @param method see {@link RequestStreams}, as the other properties
 */
record ServletStreams(
    HttpServletRequest request,
    HttpServletResponse response,
    String method,
    String target,
    String httpVersion,
    String remoteAddress,
    boolean secure)
    implements RequestStreams {

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*+");

  static ServletStreams of(HttpServletRequest request, HttpServletResponse response) {
    return of(request, response, request.getRequestURI());
  }

  /**
   * Removes path parameters, such as {@code ;jsessionid=1}. Containers ignore them when they select
   * a servlet (Servlet 6.0 section 3.5). With them, middleware would see another path.
   */
  static ServletStreams withoutParameters(
      HttpServletRequest request, HttpServletResponse response) {
    String uri = request.getRequestURI();
    return of(request, response, PARAMETERS.matcher(uri).replaceAll(""));
  }

  private static ServletStreams of(
      HttpServletRequest request, HttpServletResponse response, String uri) {
    String query = request.getQueryString();
    String target = query == null ? uri : uri + "?" + query;
    String version =
        switch (request.getProtocol()) {
          case "HTTP/1.0" -> "1.0";
          case "HTTP/1.1" -> "1.1";
          default -> "2.0";
        };
    String address = request.getRemoteAddr();
    String client = address == null ? "" : IpText.canonical(address);
    return new ServletStreams(
        request, response, request.getMethod(), target, version, client, request.isSecure());
  }

  @Override
  public Headers headers() {
    Headers headers = new Headers();
    for (String name : Collections.list(request.getHeaderNames())) {
      for (String value : Collections.list(request.getHeaders(name))) {
        headers.addReceived(name, value);
      }
    }
    if (httpVersion.equals("2.0") && !headers.contains("Host")) {
      headers.addReceived("Host", authority());
    }
    return headers;
  }

  /** Returns the {@code :authority} of an HTTP/2 request, which containers hide as a header. */
  private String authority() {
    String name = request.getServerName();
    String host = name.indexOf(':') < 0 || name.startsWith("[") ? name : "[" + name + "]";
    int port = request.getServerPort();
    return port == ("https".equals(request.getScheme()) ? 443 : 80) ? host : host + ":" + port;
  }

  @Override
  public InputStream body() throws IOException {
    return request.getInputStream();
  }

  @Override
  public OutputStream start(int status, Headers headers, long length) throws IOException {
    response.setStatus(status);
    ResponseHeaders.write(httpVersion.equals("2.0") ? ofHttp2(headers) : headers, response);
    boolean bodyless = method.equals("HEAD") || !Status.hasBody(status);
    if (length >= 0 && !bodyless) {
      response.setContentLengthLong(length);
    }
    return response.getOutputStream();
  }

  /** Removes headers that HTTP/2 forbids (RFC 9113 section 8.2.2). Tomcat would send them. */
  private static Headers ofHttp2(Headers headers) {
    Headers allowed = headers.copy();
    return allowed.remove("Connection").remove("Proxy-Connection").remove("Upgrade");
  }

  @Override
  public boolean committed() {
    return response.isCommitted();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Requires a container that reports the end of a request without a body before it is read.
   * Other containers, such as Jetty, treat later data as the request's body.
   */
  @Override
  public boolean upgrades() {
    try {
      return request.getInputStream().isFinished();
    } catch (IOException | IllegalStateException e) {
      return false; // a filter has called getReader
    }
  }

  @Override
  public ServletConnection upgrade(Headers headers, Runnable taken, Exchange.OnEnd gone) {
    ServletConnection connection = new ServletConnection(request, taken, gone);
    try {
      request.upgrade(UpgradeHandler.class).handsTo(connection);
    } catch (IOException | ServletException e) {
      throw new IllegalStateException("The container does not support upgrades.", e);
    }
    response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
    ResponseHeaders.write(headers, response);
    response.setHeader("Connection", "Upgrade");
    return connection;
  }
}
