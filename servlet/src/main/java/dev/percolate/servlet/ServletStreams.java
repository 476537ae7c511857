package dev.percolate.servlet;

import dev.percolate.engine.BlockingExchange;
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

/** One request of a servlet container, and where its answer goes. */
final class ServletStreams implements BlockingExchange.Streams {

  private final HttpServletRequest request;
  private final HttpServletResponse response;

  ServletStreams(HttpServletRequest request, HttpServletResponse response) {
    this.request = request;
    this.response = response;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String target() {
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
  }

  @Override
  public String httpVersion() {
    return switch (request.getProtocol()) {
      case "HTTP/1.0" -> "1.0";
      case "HTTP/1.1" -> "1.1";
      default -> "2.0";
    };
  }

  @Override
  public Headers headers() {
    Headers headers = new Headers();
    for (String name : Collections.list(request.getHeaderNames())) {
      for (String value : Collections.list(request.getHeaders(name))) {
        headers.addReceived(name, value);
      }
    }
    return headers;
  }

  @Override
  public String remoteAddress() {
    String address = request.getRemoteAddr();
    return address == null ? "" : IpText.canonical(address);
  }

  @Override
  public boolean secure() {
    return request.isSecure();
  }

  @Override
  public InputStream body() throws IOException {
    return request.getInputStream();
  }

  @Override
  public OutputStream start(int status, Headers headers, long length) throws IOException {
    response.setStatus(status);
    AnswerHeaders.write(headers, response);
    boolean bodyless = request.getMethod().equals("HEAD") || !Status.hasBody(status);
    if (length >= 0 && !bodyless) {
      response.setContentLengthLong(length);
    }
    return response.getOutputStream();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A container that cannot say that a request without body is at its end before somebody reads,
   * such as Jetty, takes what the client sends later for the rest of it.
   */
  @Override
  public boolean upgrades() {
    try {
      return request.getInputStream().isFinished();
    } catch (IOException | IllegalStateException e) {
      return false; // a filter has taken the reader
    }
  }

  @Override
  public BlockingExchange.Connection upgrade(Headers headers, Runnable taken, Exchange.OnEnd gone) {
    ServletConnection connection = new ServletConnection(request, taken, gone);
    try {
      request.upgrade(UpgradeHandler.class).handsTo(connection);
    } catch (IOException | ServletException e) {
      throw new IllegalStateException("the container hands no connection over", e);
    }
    response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
    AnswerHeaders.write(headers, response);
    response.setHeader("Connection", "Upgrade");
    return connection;
  }
}
