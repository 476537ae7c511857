package dev.percolate.inspector.reload;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import dev.percolate.http.Headers;
import dev.percolate.http.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The request of a page, whose HTML gets a script that reloads it.
 *
 * <p>The script is added to the end. So the page must not be compressed or cached: the application
 * does not see the headers of the request that would allow it.
 */
final class PageExchange extends ForwardingExchange {

  private static final int MOST = 16 << 20;
  private static final List<String> HIDDEN =
      List.of("Accept-Encoding", "If-None-Match", "If-Modified-Since", "If-Range", "Range");

  private final byte[] script;
  private final Headers received;
  private boolean adds;

  /**
   * Creates the exchange.
   *
   * @param version the version of the application that creates the page
   */
  PageExchange(Exchange exchange, String version) {
    super(exchange);
    this.script = Utf8.bytes(ReloadScript.element(version));
    this.received = exchange.headers().copy();
    HIDDEN.forEach(received::remove);
    received.freeze();
  }

  @Override
  public Headers headers() {
    return received;
  }

  @Override
  public void start(int status, Headers headers) {
    String length = headers.get("Content-Length");
    adds = status >= 200 && status != 204 && status != 206 && isPlainHtml(headers);
    adds &= length == null || Long.parseLong(length) <= MOST;
    exchange.start(status, adds ? changed(headers, length) : headers);
  }

  private static boolean isPlainHtml(Headers headers) {
    String type = headers.get("Content-Type");
    String lower = type == null ? "" : type.toLowerCase(Locale.ROOT);
    String use = headers.get("Content-Disposition");
    boolean saved = use != null && use.strip().toLowerCase(Locale.ROOT).startsWith("attachment");
    return !saved
        && lower.startsWith("text/html")
        && !lower.contains("utf-16")
        && !headers.contains("Content-Encoding");
  }

  private Headers changed(Headers headers, @Nullable String length) {
    Headers changed = headers.copy();
    if (length != null) {
      changed.set("Content-Length", Long.toString(Long.parseLong(length) + script.length));
    }
    List<String> policies = headers.all("Content-Security-Policy");
    changed.set("Content-Security-Policy", policies.stream().map(ReloadScript::allowedBy).toList());
    changed.remove("ETag").remove("Last-Modified").set("Cache-Control", "no-store");
    return changed.freeze();
  }

  @Override
  public void end(ByteBuffer last) {
    exchange.end(adds ? withScript(last) : last);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    if (!adds || length > MOST) {
      exchange.sendFile(file, offset, length);
      return;
    }
    try (file) {
      ByteBuffer content = ByteBuffer.allocate((int) length);
      while (content.hasRemaining() && file.read(content, offset + content.position()) >= 0) {
        // until the end
      }
      exchange.end(withScript(content.flip()));
    } catch (IOException e) {
      exchange.abort();
    }
  }

  private ByteBuffer withScript(ByteBuffer last) {
    ByteBuffer all = ByteBuffer.allocate(last.remaining() + script.length);
    return all.put(last.duplicate()).put(script).flip();
  }
}
