package dev.percolate.core;

import dev.percolate.http.Fresh;
import dev.percolate.http.Headers;
import dev.percolate.http.QueryString;
import dev.percolate.http.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a request that its first line and its headers tell, and what follows from them. */
abstract sealed class RequestHead permits Request {

  final Exchange exchange;
  private final String originalUrl;
  private Settings settings;
  private @Nullable Renderer renderer;
  private String method;
  private String url;
  private @Nullable String path;
  private @Nullable Headers headers;
  private @Nullable Map<String, Object> query;

  RequestHead(Exchange exchange, Settings settings) {
    this.exchange = exchange;
    this.settings = settings;
    this.method = exchange.method();
    this.originalUrl = exchange.target();
    this.url = originalUrl;
  }

  /** Gives the response to this request. */
  public abstract Response response();

  /** Gives the settings of the application at work. */
  public Settings settings() {
    return settings;
  }

  /**
   * Sets the settings of the application at work; applications do, on the way in and out.
   *
   * @param settings the settings
   */
  public void settings(Settings settings) {
    this.settings = settings;
  }

  /** Gives what renders the views of the application at work; null where none is. */
  public @Nullable Renderer renderer() {
    return renderer;
  }

  /**
   * Sets what renders views; applications do, on the way in and out.
   *
   * @param renderer the renderer; null for none
   */
  public void renderer(@Nullable Renderer renderer) {
    this.renderer = renderer;
  }

  /** Gives the method, such as {@code GET}. */
  public String method() {
    return method;
  }

  /**
   * Changes the method for the steps that follow.
   *
   * @param method the method
   */
  public void method(String method) {
    this.method = method;
  }

  /** Gives the request target, without the mount path of the layer at work. */
  public String url() {
    return url;
  }

  /**
   * Changes the request target for the steps that follow.
   *
   * @param url path and query
   */
  public void url(String url) {
    this.url = url;
    this.path = null;
  }

  /** Gives the request target as received. */
  public String originalUrl() {
    return originalUrl;
  }

  /** Gives the path of {@link #url()}: what stands before the query, undecoded. */
  public String path() {
    String known = path;
    if (known == null) {
      known = Target.path(url);
      path = known;
    }
    return known;
  }

  /** Gives the version of HTTP, such as {@code 1.1}. */
  public String httpVersion() {
    return exchange.httpVersion();
  }

  /** Gives the headers as received; a step may change them for those that follow. */
  public Headers headers() {
    Headers known = headers;
    if (known == null) {
      known = exchange.headers();
      headers = known;
    }
    return known;
  }

  /**
   * Gives a header. Of several with this name the first counts where only one makes sense, the
   * values of others are joined by {@code ", "} ({@code Cookie} by {@code "; "}). {@code Referer}
   * and {@code Referrer} are the same.
   *
   * @param name its name, in any case
   * @return its value; null if it is absent
   */
  public @Nullable String get(String name) {
    return HeaderValue.of(headers(), name);
  }

  /** Gives the parameters of the query, nested ones as maps and lists; see {@link QueryString}. */
  public Map<String, Object> query() {
    Map<String, Object> known = query;
    if (known == null) {
      String text = Target.query(originalUrl);
      known = text == null ? new HashMap<>() : QueryString.parse(text);
      query = known;
    }
    return known;
  }

  /**
   * Gives a parameter of the query as text.
   *
   * @param name its name
   * @return its text, of several the first; null if it is absent or holds no text
   */
  public @Nullable String query(String name) {
    Object value = query().get(name);
    if (value instanceof List<?> list && !list.isEmpty()) {
      value = list.get(0);
    }
    return value instanceof String text ? text : null;
  }

  /** Gives the address of the client. */
  public String ip() {
    return exchange.remoteAddress();
  }

  /** Gives {@code https} on an encrypted connection, else {@code http}. */
  public String protocol() {
    return exchange.secure() ? "https" : "http";
  }

  /** Tells whether the connection is encrypted. */
  public boolean secure() {
    return exchange.secure();
  }

  /** Tells whether what the client has stored is still good for the response as it stands. */
  public boolean fresh() {
    String etag = response().get("ETag");
    String modified = response().get("Last-Modified");
    return Fresh.isFresh(method, response().status(), headers(), etag, modified);
  }
}
