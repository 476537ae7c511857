package dev.percolate.servlet;

import dev.percolate.core.ExternalResponse;
import dev.percolate.http.Headers;
import dev.percolate.http.Representation;
import dev.percolate.http.Status;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * The response that servlets after the filter receive. Reports their status and headers to the
 * middleware.
 */
final class WrappedResponse extends HttpServletResponseWrapper {

  private final HttpServletResponse response;
  private final ExternalResponse answer;
  private final boolean bodyless;
  private @Nullable CountingStream stream;
  private @Nullable CountingWriter writer;
  private boolean begun;
  private boolean failed;
  private boolean finished;
  private long written;

  WrappedResponse(HttpServletResponse response, ExternalResponse answer, boolean bodyless) {
    super(response);
    this.response = response;
    this.answer = answer;
    this.bodyless = bodyless;
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (stream == null) {
      stream = new CountingStream(super.getOutputStream(), this);
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      PrintWriter to = super.getWriter();
      writer = new CountingWriter(to, Charset.forName(getCharacterEncoding()), this);
    }
    return writer;
  }

  @Override
  public void flushBuffer() throws IOException {
    begin();
    super.flushBuffer();
  }

  @Override
  public void sendError(int status) throws IOException {
    fail(status);
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    fail(status);
    super.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    begin(302);
    super.sendRedirect(location);
  }

  @Override
  public void reset() {
    super.reset();
    forget();
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    forget();
  }

  /** Runs the header hooks before the first byte of the body, once. */
  void begin() {
    begin(getStatus());
  }

  void count(long bytes) {
    written += bytes;
  }

  /** Completes the response, once. */
  void finish(@Nullable Throwable error) {
    synchronized (this) {
      if (finished) {
        return;
      }
      finished = true;
    }
    int status = error == null || isCommitted() ? getStatus() : 500;
    failed |= status != getStatus();
    begin(status);
    Headers headers = ResponseHeaders.read(response);
    boolean counts = !failed && !bodyless && Status.hasBody(status);
    if (counts && !headers.contains("Content-Length")) {
      headers.set("Content-Length", Long.toString(written));
    }
    answer.end(status, headers);
  }

  /** Begins an error page of the container. Removes headers that described the original body. */
  private void fail(int status) {
    failed = true;
    if (!isCommitted()) {
      Headers before = ResponseHeaders.read(response);
      Headers kept = Representation.undescribed(before);
      if (!kept.toString().equals(before.toString())) {
        ResponseHeaders.replace(before, kept, response);
      }
    }
    begin(status);
  }

  private void begin(int status) {
    if (begun) {
      return;
    }
    begun = true;
    Headers before = ResponseHeaders.read(response);
    Headers headers = before.copy();
    int changed = answer.start(status, headers);
    ResponseHeaders.writeChanged(headers, before, response);
    if (changed != status && !isCommitted()) {
      setStatus(changed);
    }
  }

  private void forget() {
    written = 0;
    stream = null;
    writer = null;
  }
}
