package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.http.Accept;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Fresh;
import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.MediaType;
import dev.percolate.http.NormalPath;
import dev.percolate.http.QueryString;
import dev.percolate.http.Range;
import dev.percolate.http.Target;
import dev.percolate.http.Trust;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of a request that its first line and its headers tell, and what follows from them. */
abstract sealed class RequestHead permits Request {

  final Exchange exchange;
  private final Settings outermost;
  private String originalUrl;
  private Scope scope;
  private String method;
  private String url;
  private boolean plain;
  private @Nullable String path;
  private @Nullable Headers headers;
  private @Nullable Map<String, Object> query;

  RequestHead(Exchange exchange, Scope scope) {
    this.exchange = exchange;
    this.outermost = scope.settings();
    this.scope = scope;
    this.method = exchange.method();
    this.originalUrl = exchange.target();
    this.url = originalUrl;
  }

  /** Gives the response to this request. */
  public abstract Response response();

  /** Gives the settings of the application at work. */
  public Settings settings() {
    return scope.settings();
  }

  /** Gives what the application at work has put on this request. */
  public Scope scope() {
    return scope;
  }

  /**
   * Sets what holds for the steps that follow; applications do, on the way in and out.
   *
   * @param scope the scope
   */
  public void scope(Scope scope) {
    this.scope = scope;
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

  /** Gives the request target as sent, without the mount path of the layer at work. */
  public String url() {
    return url;
  }

  /**
   * Changes the request target for the steps that follow. {@link Request#query} stays that of the
   * target as received.
   *
   * @param url path and query
   */
  public void url(String url) {
    this.url = url;
    this.path = null;
    this.plain = false;
  }

  /** Gives the request target as received. */
  public String originalUrl() {
    return originalUrl;
  }

  /**
   * Changes what counts as received, for a gateway that rewrites targets and says what they were.
   *
   * @param originalUrl path and query
   */
  public void originalUrl(String originalUrl) {
    this.originalUrl = originalUrl;
  }

  /**
   * Gives the path of {@link #url()}: what stands before the query, undecoded, in the normal form
   * of {@link NormalPath} unless {@link Settings#AMBIGUOUS_TARGETS} says otherwise. Mounts, routes
   * and files go by it, and so should who compares paths.
   */
  public String path() {
    String known = path;
    if (known == null) {
      String sent = Target.path(url);
      known = plain ? sent : normal(sent);
      path = known;
    }
    return known;
  }

  /** Gives the path of {@link #originalUrl()}, in the same form as {@link #path()}. */
  public String originalPath() {
    return normal(Target.path(originalUrl));
  }

  /**
   * Tells whether paths are given in their normal form, as they are unless {@link
   * Settings#AMBIGUOUS_TARGETS} was {@code pass} in the outermost application.
   */
  public boolean normalised() {
    return !"pass".equals(outermost.get(Settings.AMBIGUOUS_TARGETS));
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

  /**
   * Gives all texts of a parameter of the query.
   *
   * @param name its name
   * @return its texts in order; empty if it is absent or holds none
   */
  public List<String> queryAll(String name) {
    Object value = query().get(name);
    List<?> values =
        value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    return values.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }

  /**
   * Chooses the content type that the client likes best.
   *
   * @param offers extensions ({@code json}) and content types, in the order of the server's liking;
   *     a single text is split at its commas
   * @return the offer as it was given; without the header {@code Accept} the first one, null if
   *     none is accepted
   */
  public @Nullable String accepts(String... offers) {
    String header = get("Accept");
    return offers.length == 1
        ? Accept.best(header, offers[0])
        : Accept.best(header, List.of(offers));
  }

  /** Gives what the client accepts, the best first; empty without the header {@code Accept}. */
  public List<Accept.Entry> accepted() {
    return Accept.parse(get("Accept"));
  }

  /**
   * Tells whether the client accepts a charset, which it also does if it names none.
   *
   * @param charset the charset, in the letter case that the client uses
   */
  public boolean acceptsCharset(String charset) {
    return Accept.allows(get("Accept-Charset"), charset);
  }

  /** Gives the charsets that the client accepts, the best first. */
  public List<String> acceptedCharsets() {
    return Accept.values(get("Accept-Charset"));
  }

  /**
   * Tells whether the client accepts a language, which it also does if it names none.
   *
   * @param language the language, exactly as the client writes it
   */
  public boolean acceptsLanguage(String language) {
    return Accept.allows(get("Accept-Language"), language);
  }

  /** Gives the languages that the client accepts, the best first. */
  public List<String> acceptedLanguages() {
    return Accept.values(get("Accept-Language"));
  }

  /**
   * Tells whether the client names an encoding, without a quality.
   *
   * @param encoding the encoding, such as {@code gzip}
   */
  public boolean acceptsEncoding(String encoding) {
    return Accept.allowsEncoding(get("Accept-Encoding"), encoding);
  }

  /** Gives the encodings that the client names, with their qualities and in its order. */
  public List<String> acceptedEncodings() {
    return Accept.encodings(get("Accept-Encoding"));
  }

  /**
   * Tells whether the header {@code Content-Type} is like a type; see {@link MediaType#isLike}.
   *
   * @param type {@code json}, {@code text/html}, {@code text/*} or the like
   */
  public boolean is(String type) {
    return MediaType.isLike(get("Content-Type"), type);
  }

  /**
   * Gives the ranges that the client asks for.
   *
   * @param size how many units there are
   * @return the ranges, or the code why there are none; null without the header {@code Range}
   */
  public @Nullable Range range(long size) {
    return Range.parse(get("Range"), size);
  }

  /** Gives name and password of Basic authentication; null where there are none well-formed. */
  public @Nullable BasicCredentials auth() {
    return BasicCredentials.parse(get("Authorization"));
  }

  /**
   * Gives the address of the client: that of the peer, or what trusted proxies report, which need
   * not be an address. Whom to trust says {@link Settings#TRUST_PROXY}.
   */
  public String ip() {
    return forwarded().address();
  }

  /** Gives the address of the connection's other end, whatever proxies report. */
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  /** Gives the addresses that trusted proxies report, the client's first. */
  public List<String> ips() {
    return forwarded().addresses();
  }

  /** Gives {@code https} on an encrypted connection, else {@code http}, or what a proxy reports. */
  public String protocol() {
    return forwarded().protocol(exchange.secure() ? "https" : "http");
  }

  /** Tells whether {@link #protocol} is {@code https}. */
  public boolean secure() {
    return protocol().equals("https");
  }

  /** Tells whether the connection itself is encrypted, whatever proxies report. */
  public boolean encrypted() {
    return exchange.secure();
  }

  /** Gives the host that the client asks for, without its port; null where it names none. */
  public @Nullable String host() {
    String authority = authority();
    return authority == null || authority.isEmpty() ? null : Host.withoutPort(authority);
  }

  /**
   * Gives the parts of the host from the right, without the first {@code subdomain offset}: {@code
   * [b, a]} of {@code a.b.example.com}.
   */
  public List<String> subdomains() {
    String host = host();
    Number offset = Objects.requireNonNull(settings().get(Settings.SUBDOMAIN_OFFSET));
    return host == null ? List.of() : Host.subdomains(host, offset.intValue());
  }

  /** Tells whether a script says that it has sent this, by {@code X-Requested-With}. */
  public boolean xhr() {
    return "xmlhttprequest".equalsIgnoreCase(get("X-Requested-With"));
  }

  /** Tells whether what the client has stored is still good for the response as it stands. */
  public boolean fresh() {
    String etag = response().get("ETag");
    String modified = response().get("Last-Modified");
    return Fresh.isFresh(method, response().status(), headers(), etag, modified);
  }

  /** Tells the opposite of {@link #fresh}. */
  public boolean stale() {
    return !fresh();
  }

  /**
   * Gives the host that the client has asked for, with its port; null if it is absent. That of a
   * target in absolute form takes the place of the header, what a trusted proxy reports that of
   * both.
   */
  public @Nullable String authority() {
    String named = Target.authority(exchange.target());
    return forwarded().host(named == null ? headers().get("Host") : named);
  }

  /** Notes that the path of the target is known to be normal. */
  void plain() {
    plain = true;
  }

  private String normal(String sent) {
    return NormalPath.isPlain(sent) || !normalised() ? sent : NormalPath.of(sent);
  }

  private Forwarded forwarded() {
    Trust trust = settings().derived(Settings.TRUST_PROXY.name(), Trust::of);
    return new Forwarded(headers(), exchange.remoteAddress(), trust);
  }
}
