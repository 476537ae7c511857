package dev.percolate.servlet;

import dev.percolate.core.ExternalResponse;
import dev.percolate.http.Headers;
import dev.percolate.http.Representation;
import dev.percolate.http.Status;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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
      stream = new CountingStream(super.getOutputStream());
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      writer = new CountingWriter(super.getWriter(), Charset.forName(getCharacterEncoding()));
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

  // These methods override those of Servlet 6.1, which 6.0 lacks.

  public void sendRedirect(String location, int status) throws IOException {
    sendRedirect(location, status, true);
  }

  public void sendRedirect(String location, boolean clears) throws IOException {
    sendRedirect(location, 302, clears);
  }

  public void sendRedirect(String location, int status, boolean clears) throws IOException {
    if (isCommitted()) {
      throw new IllegalStateException("the response has been sent");
    }
    if (clears) {
      resetBuffer();
    }
    setStatus(status);
    setHeader("Location", location);
    begin(status);
    super.flushBuffer();
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
  private void begin() {
    begin(getStatus());
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

  /** Counts the bytes that a servlet writes. */
  private final class CountingStream extends ServletOutputStream {

    private final ServletOutputStream to;

    CountingStream(ServletOutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
      begin();
      to.write(b);
      written++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      begin();
      to.write(bytes, offset, length);
      written += length;
    }

    @Override
    public void flush() throws IOException {
      begin();
      to.flush();
    }

    @Override
    public void close() throws IOException {
      begin();
      to.close();
    }

    @Override
    public boolean isReady() {
      return to.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      to.setWriteListener(listener);
    }
  }

  /** Counts the encoded bytes of the text that a servlet writes. */
  private final class CountingWriter extends PrintWriter {

    private final Charset charset;
    private final boolean utf8;

    CountingWriter(PrintWriter to, Charset charset) {
      super(to);
      this.charset = charset;
      this.utf8 = charset.equals(StandardCharsets.UTF_8);
    }

    @Override
    public void write(int c) {
      begin();
      super.write(c);
      written += bytes(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) {
      begin();
      super.write(text, offset, length);
      written += bytes(new String(text, offset, length), 0, length);
    }

    @Override
    public void write(String text, int offset, int length) {
      begin();
      super.write(text, offset, length);
      written += bytes(text, offset, length);
    }

    @Override
    public void println() {
      begin();
      super.println();
      written += System.lineSeparator().length();
    }

    @Override
    public void flush() {
      begin();
      super.flush();
    }

    @Override
    public void close() {
      begin();
      super.close();
    }

    private long bytes(String text, int offset, int length) {
      if (!utf8) {
        return text.substring(offset, offset + length).getBytes(charset).length;
      }
      long bytes = 0;
      for (int i = offset; i < offset + length; i++) {
        char c = text.charAt(i);
        if (c < 0x80) {
          bytes += 1;
        } else {
          // a surrogate counts 2 of 4 bytes: its other half may be in another call
          bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
      }
      return bytes;
    }
  }
}
