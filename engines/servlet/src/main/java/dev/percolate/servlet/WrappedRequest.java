package dev.percolate.servlet;

import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The request that servlets after the filter receive. */
final class WrappedRequest extends HttpServletRequestWrapper {

  private final ServletResponse response;

  private final Request req;
  private final Consumer<@Nullable Throwable> end;
  private @Nullable RawBody replayed;
  private @Nullable BufferedReader reader;
  private boolean leftToOthers;

  WrappedRequest(
      HttpServletRequest request,
      ServletResponse response,
      Request req,
      Consumer<@Nullable Throwable> end) {
    super(request);
    this.response = response;
    this.req = req;
    this.end = end;
  }

  /** Returns whether the request continues asynchronously after the servlets have returned. */
  boolean isLeftToOthers() {
    return leftToOthers;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, response);
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext async = super.startAsync(request, response);
    async.addListener(new AsyncEnd(end), request, response);
    leftToOthers = true;
    return async;
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    return RequestControl.readable(req) ? super.getInputStream() : replayed();
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (RequestControl.readable(req)) {
      return super.getReader();
    }
    BufferedReader known = reader;
    if (known == null) {
      String charset = getCharacterEncoding();
      String name = charset == null ? "ISO-8859-1" : charset;
      known = new BufferedReader(new InputStreamReader(replayed(), name));
      reader = known;
    }
    return known;
  }

  @Override
  public int getContentLength() {
    byte[] raw = replayable();
    return raw == null ? super.getContentLength() : raw.length;
  }

  @Override
  public long getContentLengthLong() {
    byte[] raw = replayable();
    return raw == null ? super.getContentLengthLong() : raw.length;
  }

  // The headers describe the body that servlets read: Spring reads Content-Length bytes of it.

  @Override
  public @Nullable String getHeader(String name) {
    byte[] raw = replayable();
    if (raw == null || !(isCoding(name) || isLength(name))) {
      return super.getHeader(name);
    }
    return isLength(name) ? Integer.toString(raw.length) : null;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    if (replayable() == null || !(isCoding(name) || isLength(name))) {
      return super.getHeaders(name);
    }
    String value = getHeader(name);
    return Collections.enumeration(value == null ? List.of() : List.of(value));
  }

  @Override
  public int getIntHeader(String name) {
    return isLength(name) ? getContentLength() : super.getIntHeader(name);
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    if (replayable() == null) {
      return super.getHeaderNames();
    }
    List<String> names = Collections.list(super.getHeaderNames());
    names.removeIf(WrappedRequest::isCoding);
    return Collections.enumeration(names);
  }

  private static boolean isCoding(String name) {
    return name.equalsIgnoreCase("Content-Encoding");
  }

  private static boolean isLength(String name) {
    return name.equalsIgnoreCase("Content-Length");
  }

  /** Returns the body that a parser has read and kept; null if there is none. */
  private byte @Nullable [] replayable() {
    return RequestControl.readable(req) ? null : req.attrOrNull(Request.RAW);
  }

  private RawBody replayed() {
    RawBody stream = replayed;
    if (stream == null) {
      byte[] raw = req.attrOrNull(Request.RAW);
      if (raw == null) {
        throw new IllegalStateException(
            "A body parser in a MiddlewareFilter has read the body."
                + " Set keepRaw(true) on the parser to read it again.");
      }
      stream = new RawBody(raw);
      replayed = stream;
    }
    return stream;
  }

  /** Replays a body that a parser has read and kept. */
  private static final class RawBody extends ServletInputStream {

    private final ByteArrayInputStream bytes;

    RawBody(byte[] body) {
      this.bytes = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    /** Calls the listener at once, since the whole body is available. */
    @Override
    public void setReadListener(ReadListener listener) {
      try {
        if (!isFinished()) {
          listener.onDataAvailable();
        }
        if (isFinished()) {
          listener.onAllDataRead();
        }
      } catch (IOException | RuntimeException e) {
        listener.onError(e);
      }
    }
  }
}
