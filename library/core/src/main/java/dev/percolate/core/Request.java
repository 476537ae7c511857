package dev.percolate.core;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.Exchange;
import dev.percolate.http.Accept;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Forwarded;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.Host;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import dev.percolate.http.MediaType;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Negotiation;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Preconditions;
import dev.percolate.http.Quantity;
import dev.percolate.http.QueryString;
import dev.percolate.http.Range;
import dev.percolate.http.Target;
import dev.percolate.http.Trust;
import dev.percolate.http.Validators;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request, as seen by middleware and handlers.
 *
 * <p>Belongs to one exchange and is used by its handlers, one after the other. Values from the
 * client are untrusted; no accessor throws because of them. Step 2 of docs/flow.md.
 */
public final class Request {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** The bytes of the body, if a parser keeps them. */
  public static final Key<byte[]> RAW = Key.of("raw body", byte[].class);

  /** The uploaded files of a form, if the form parser keeps them. */
  public static final Key<List<? extends FormFile>> FORM_FILES =
      Key.of("form files", new TypeRef<List<? extends FormFile>>() {})
          .providedBy("app.use(Multipart.files())");

  /** Set if a parser passed on the body because it does not accept the type of the body. */
  public static final Key<Boolean> BODY_PASSED_ON = Key.of("body passed on", Boolean.class);

  /**
   * Set if a parser has started to read the body or rejected it. Later parsers must not read it.
   */
  public static final Key<Boolean> BODY_TAKEN = Key.of("body taken", Boolean.class);

  /** The request ID, which identifies the request in logs. */
  public static final Key<String> ID =
      Key.of("request id", String.class).providedBy("app.use(RequestId.of())");

  /** The trace ID of the request: 32 hexadecimal digits (W3C Trace Context). */
  public static final Key<String> TRACE_ID =
      Key.of("trace id", String.class).providedBy("app.use(Tracing.of(openTelemetry))");

  /** The cookies from the client, as strings or, if JSON cookies are parsed, as JSON values. */
  public static final Key<Map<String, Object>> COOKIES =
      Key.of("cookies", new TypeRef<Map<String, Object>>() {})
          .providedBy("app.use(CookieParser.of())");

  /**
   * The signed cookies. The value is {@link Boolean#FALSE} if the signature is wrong, or was made
   * for another purpose or name.
   */
  public static final Key<Map<String, Object>> SIGNED_COOKIES =
      Key.of("signed cookies", new TypeRef<Map<String, Object>>() {})
          .providedBy("app.use(CookieParser.of(secret))");

  /** The secret for signing cookies. */
  public static final Key<String> SECRET = Key.of("secret", String.class);

  private final Exchange exchange;
  String originalUrl;
  AppContext context;
  private String method;
  private String url;
  private boolean plain;
  private @Nullable String path;
  private @Nullable Headers headers;
  private @Nullable Map<String, Object> query;
  private final AppState appState;
  private final Response response;
  private final DispatchState dispatchState;
  private final ResponseTimeout responseTimeout;
  @Nullable Body stream;
  @Nullable Params params;
  @Nullable Object route;
  @Nullable String routePath;
  @Nullable AppContext routeContext;
  private @Nullable Object body;
  private @Nullable JsonDocument json;
  private boolean bodyUnmade;
  private @Nullable Type typedAs;
  private @Nullable Object typed;
  private @Nullable Map<String, Object> attributes;
  private final long receivedAt = System.currentTimeMillis();

  /**
   * Creates the request and response of an exchange.
   *
   * @param appState the state of the outermost application
   * @param plain whether the path of the target is in normal form
   */
  Request(Exchange exchange, AppState appState, boolean plain) {
    this.exchange = exchange;
    this.appState = appState;
    this.context = appState;
    this.plain = plain;
    this.method = exchange.method();
    this.originalUrl = exchange.target();
    this.url = originalUrl;
    this.dispatchState = new DispatchState(this);
    this.responseTimeout = new ResponseTimeout(dispatchState);
    this.response = new Response(this, new ResponseCommit(exchange, appState, responseTimeout));
    exchange.executor().owner(dispatchState);
    Settings settings = appState.settings();
    boolean development = settings.isDevelopment();
    if (development) {
      responseTimeout.notifyAfter(
          Objects.requireNonNull(settings.get(Settings.SLOW_REQUEST_WARNING)));
    }
    responseTimeout.start(exchange.responseTimeout());
    if (development
        && exchange.headers().contains("Upgrade")
        && ConnectionOptions.upgrade(exchange.headers())) {
      response.onFinish(this::tellUpgrade);
    }
  }

  /** Returns the response to this request. */
  public Response response() {
    return response;
  }

  /** Returns the settings of the current application. */
  public Settings settings() {
    return context.settings();
  }

  /** Returns the time at which the head of the request was received, with millisecond precision. */
  public Instant receivedAt() {
    return Instant.ofEpochMilli(receivedAt);
  }

  /**
   * Returns the method as sent by the client. Methods are case-sensitive: {@code get} is a
   * different method from {@code GET}, and does not match GET routes (RFC 9110 section 9.1).
   */
  public String method() {
    return method;
  }

  /**
   * Sets the method for the handlers that follow.
   *
   * @param method the method, such as {@code DELETE}; it is case-sensitive
   */
  public void method(String method) {
    this.method = method;
  }

  /** Returns the request target as sent, without the mount path of the current layer. */
  public String url() {
    return url;
  }

  /**
   * Sets the request target for the handlers that follow. Does not change {@link Request#query}.
   *
   * @param url the path and query
   */
  public void url(String url) {
    this.url = url;
    this.path = null;
    this.plain = false;
  }

  /** Returns the request target as received. */
  public String originalUrl() {
    return originalUrl;
  }

  /**
   * Returns the path of {@link #url()}: the part before the query, not decoded, in the normal form
   * of {@link NormalPath} unless {@link Settings#AMBIGUOUS_TARGETS} is {@code pass}. Mount paths,
   * routes and static files are matched against it. Use it when you compare paths.
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

  /** Returns the path of {@link #originalUrl()}, in the same form as {@link #path()}. */
  public String originalPath() {
    return normal(Target.path(originalUrl));
  }

  /** Returns the HTTP version, such as {@code 1.1}. */
  public String httpVersion() {
    return exchange.httpVersion();
  }

  /**
   * Returns the headers of the request. Middleware may change them for the handlers that follow.
   */
  public Headers headers() {
    Headers known = headers;
    if (known == null) {
      known = exchange.headers();
      headers = known;
    }
    return known;
  }

  /**
   * Returns a header. If there are several with this name, returns the first if the header allows
   * only one value. Otherwise, the values are joined with {@code ", "}, those of {@code Cookie}
   * with {@code "; "}. {@code Referer} and {@code Referrer} are the same.
   *
   * @param name its name, case-insensitive
   * @return its value; null if it is absent
   */
  public @Nullable String get(String name) {
    return HeaderValue.of(headers(), name);
  }

  /** Returns the query parameters, with nested ones as maps and lists; see {@link QueryString}. */
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
   * Returns a query parameter as a string.
   *
   * @param name its name
   * @return the string, the first if there are several; null if it is absent or not a string
   */
  public @Nullable String query(String name) {
    Object value = query().get(name);
    if (value instanceof List<?> list && !list.isEmpty()) {
      value = list.get(0);
    }
    return value instanceof String text ? text : null;
  }

  /**
   * Returns all strings of a query parameter.
   *
   * @param name its name
   * @return the strings in order; empty if there are none
   */
  public List<String> queryAll(String name) {
    Object value = query().get(name);
    List<?> values =
        value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    return values.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }

  /**
   * Returns a query parameter, converted to a type by the {@link Conversions} of the application.
   *
   * @param name its name
   * @param type the type, such as {@code Integer.class}; a primitive type means that the parameter
   *     is required
   * @param <T> the type
   * @return the value, the first if there are several; null if it is absent, or empty and the type
   *     is not {@code String}
   * @throws HttpError 400 {@code value.invalid} if it cannot be converted, {@code value.missing} if
   *     it is absent and the type is primitive
   */
  public <T> @Nullable T query(String name, Class<T> type) {
    return queryInput().get(name, type);
  }

  /**
   * Returns a query parameter, converted to a type, or a fallback if it is absent; see {@link
   * #query(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param fallback the fallback, a value of the type; for a numeric type, any number
   * @param <T> the type
   * @throws HttpError 400 {@code value.invalid} if the parameter cannot be converted
   * @throws IllegalArgumentException if the fallback is not a value of the type
   */
  public <T> T query(String name, Class<T> type, Object fallback) {
    return queryInput().get(name, type, fallback);
  }

  /**
   * Returns a required query parameter, converted to a type; see {@link #query(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param <T> the type
   * @throws HttpError 400 {@code value.missing} if it is absent, {@code value.invalid} if it cannot
   *     be converted
   */
  public <T> T queryRequired(String name, Class<T> type) {
    return queryInput().required(name, type);
  }

  /**
   * Returns all values of a query parameter, converted to a type; see {@link #query(String,
   * Class)}.
   *
   * @param name its name
   * @param type the type of each value
   * @param <T> the type
   * @return the values in order; empty if there are none
   * @throws HttpError 400 {@code value.invalid} if one cannot be converted
   */
  public <T> List<T> queryAll(String name, Class<T> type) {
    return queryInput().all(name, type);
  }

  /**
   * Returns the query as a record. Each component is read from the parameter with its name, by the
   * {@link Conversions} of the application:
   *
   * <pre>{@code
   * record Search(String text, List<String> tag, Optional<LocalDate> since, @Nullable Page page) {}
   * record Page(int number, Size size) {}
   *
   * Search search = req.query(Search.class); // ?text=tea&tag=a&tag=b&page[number]=1&page[size]=small
   * }</pre>
   *
   * <p>A component may be of any type with a conversion; a record, whose parameters are in
   * brackets; a list, set or array of these, as {@code tag=a&tag=b}, {@code tag[]=a} or {@code
   * lines[0][price]=1}; or an {@link java.util.Optional}. Parameters without a component are
   * ignored.
   *
   * <p>An absent component is an error, unless it is {@code @Nullable} (an annotation of any
   * package), an {@link java.util.Optional} or a list; it is then null or empty. A constructor may
   * reject values with an {@link IllegalArgumentException}, whose message only developers see, or
   * with an {@link HttpError}. Then its constraints are checked; see {@link Validation}.
   *
   * @param type the record
   * @param <T> the record
   * @throws HttpError 400 {@code value.invalid} that lists all invalid values, see {@link
   *     InputErrors}; 422 {@code entity.invalid} if constraints are violated
   * @throws IllegalArgumentException if a component has no conversion
   */
  public <T extends Record> T query(Class<T> type) {
    return type.cast(record(InputSource.QUERY, query(), type, type));
  }

  /**
   * Returns the content type that the client prefers (RFC 9110 section 12.5.1). {@link
   * Settings#CONTENT_NEGOTIATION} sets the rules of this and the next methods.
   *
   * @param offers extensions ({@code json}) and content types, in the order of the server's
   *     preference; a single string is split at commas
   * @return the offer as given; the first one if there is no {@code Accept} header; null if none is
   *     acceptable
   */
  public @Nullable String accepts(String... offers) {
    String header = get("Accept");
    MimeTypes types = settings().mimeTypes();
    return offers.length == 1
        ? negotiation().best(header, offers[0], types)
        : negotiation().best(header, List.of(offers), types);
  }

  /** Returns the accepted content types, the best first; empty without an {@code Accept} header. */
  public List<Accept.Entry> accepted() {
    return negotiation().entries(get("Accept"));
  }

  /**
   * Returns true if the client accepts a charset, or does not list charsets.
   *
   * @param charset the charset, such as {@code utf-8}
   */
  public boolean acceptsCharset(String charset) {
    return negotiation().allowsCharset(get("Accept-Charset"), charset);
  }

  /** Returns the charsets that the client accepts, the best first. */
  public List<String> acceptedCharsets() {
    return values(get("Accept-Charset"));
  }

  /**
   * Returns true if the client accepts a language, or does not list languages. A client that
   * accepts {@code en} also accepts {@code en-GB}, and vice versa (RFC 4647).
   *
   * @param language the language tag, such as {@code en}
   */
  public boolean acceptsLanguage(String language) {
    return negotiation().allowsLanguage(get("Accept-Language"), language);
  }

  /** Returns the languages that the client accepts, the best first. */
  public List<String> acceptedLanguages() {
    return values(get("Accept-Language"));
  }

  /**
   * Returns true if the client accepts a content encoding: one that it lists, or {@code identity}.
   *
   * @param encoding the encoding, such as {@code gzip}
   */
  public boolean acceptsEncoding(String encoding) {
    return negotiation().allowsEncoding(get("Accept-Encoding"), encoding);
  }

  /** Returns the content encodings that the client lists, with weights, in header order. */
  public List<String> acceptedEncodings() {
    return Accept.encodings(get("Accept-Encoding"));
  }

  private List<String> values(@Nullable String header) {
    return negotiation().entries(header).stream().map(Accept.Entry::value).toList();
  }

  private Negotiation negotiation() {
    return settings().negotiation();
  }

  /**
   * Returns true if the {@code Content-Type} header has a type, whatever its parameters.
   *
   * @param type a type such as {@code text/html}, {@code text/*} or {@code application/*+json}; a
   *     file extension such as {@code json}; {@code +json} for all types with this suffix; {@code
   *     urlencoded} or {@code multipart}; case-insensitive
   */
  public boolean is(String type) {
    return negotiation().isLike(get("Content-Type"), type, settings().mimeTypes());
  }

  /**
   * Returns the ranges that the client requests.
   *
   * @param size the number of available units
   * @return the ranges, or the reason if they are invalid; null without a {@code Range} header
   */
  public @Nullable Range range(long size) {
    return settings().conditionalRequests().range(get("Range"), size);
  }

  /** Returns the user name and password of basic authentication; null if absent or malformed. */
  public @Nullable BasicCredentials auth() {
    return BasicCredentials.parse(get("Authorization"));
  }

  /**
   * Returns the IP address of the client without a port: the address of the peer, or the address
   * that trusted proxies report. A proxy may report something other than an address, such as {@code
   * unknown}. {@link Settings#TRUST_PROXY} sets the trusted proxies.
   */
  public String ip() {
    // A shortcut if the header is absent, since the access log calls this for each request.
    return headers().contains("X-Forwarded-For") ? forwarded().address() : remoteAddress();
  }

  /** Returns the IP address of the peer, ignoring proxy headers. */
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  /** Returns the addresses that trusted proxies report, the address of the client first. */
  public List<String> ips() {
    return forwarded().addresses();
  }

  /**
   * Returns {@code https} on an encrypted connection, else {@code http}; or the first scheme that a
   * trusted proxy reports, in lower case.
   */
  public String protocol() {
    return forwarded().protocol(exchange.secure() ? "https" : "http");
  }

  /** Returns true if {@link #protocol} is {@code https}. */
  public boolean secure() {
    return protocol().equals("https");
  }

  /** Returns true if the connection itself is encrypted, ignoring proxy headers. */
  public boolean encrypted() {
    return exchange.secure();
  }

  /**
   * Returns the certificate chain of the client, its own certificate first; empty unless {@link
   * dev.percolate.engine.Tls} requests one.
   */
  public List<X509Certificate> clientCertificates() {
    return exchange.clientCertificates();
  }

  /** Returns the requested host without its port; null if it is absent. */
  public @Nullable String host() {
    String authority = authority();
    return authority == null || authority.isEmpty() ? null : Host.withoutPort(authority);
  }

  /**
   * Returns the labels of the host from right to left, without the first {@code subdomain offset}:
   * {@code [b, a]} for {@code a.b.example.com}.
   */
  public List<String> subdomains() {
    String host = host();
    Number offset = Objects.requireNonNull(settings().get(Settings.SUBDOMAIN_OFFSET));
    return host == null ? List.of() : Host.subdomains(host, offset.intValue());
  }

  /** Returns true if {@code X-Requested-With} is {@code XMLHttpRequest}, as sent by scripts. */
  public boolean xhr() {
    return "xmlhttprequest".equalsIgnoreCase(get("X-Requested-With"));
  }

  /**
   * Returns true if the client already has the current version of the response, judged by its
   * entity tag or date, so that a 304 is enough. {@link Response#send} and similar methods check
   * this themselves. Call this method to avoid creating an unneeded body.
   */
  public boolean fresh() {
    return preconditions() == ConditionalRequests.Outcome.NOT_MODIFIED;
  }

  /**
   * Checks the preconditions of the request against the current version of a resource without a
   * modification date; see {@link #checkPreconditions(String, Instant)}.
   *
   * @param etag the entity tag of the current version; null if the resource does not exist
   * @throws HttpError 412 if the client expects another version
   */
  public void checkPreconditions(@Nullable String etag) {
    checkPreconditions(etag, null);
  }

  /**
   * Checks the preconditions of the request against the current version of a resource (RFC 9110
   * section 13.2). To prevent lost updates, call it before PUT, PATCH, POST or DELETE change the
   * resource, in the same transaction:
   *
   * <pre>{@code
   * app.put("/notes/:id", (req, res) -> {
   *   Note note = notes.find(req.params().get("id")); // null if there is none
   *   req.checkPreconditions(note == null ? null : note.etag());
   *   ...
   * });
   * }</pre>
   *
   * <p>{@code If-Match: "v1"} changes only that version. {@code If-Match: *} changes only existing
   * resources, and {@code If-None-Match: *} only creates new ones. {@code If-Match} needs a strong
   * tag: a weak tag, which starts with {@code W/}, never matches. For GET and HEAD, a matching
   * {@code If-None-Match} is not an error: the response becomes 304.
   *
   * @param etag the entity tag of the current version; null if it has none
   * @param lastModified the modification date; null if it is unknown. If both arguments are null,
   *     the resource does not exist
   * @throws HttpError 412 if the client expects another version
   */
  public void checkPreconditions(@Nullable String etag, @Nullable Instant lastModified) {
    boolean absent = etag == null && lastModified == null;
    Validators current = absent ? Validators.ABSENT : Validators.of(etag, lastModified);
    if (Preconditions.prohibit(method, headers(), current)) {
      throw new HttpError(412);
    }
  }

  /** Returns the opposite of {@link #fresh}. */
  public boolean stale() {
    return !fresh();
  }

  /**
   * Returns the requested host with its port; null if it is absent. The first host that a trusted
   * proxy reports has priority, then the host of a target in absolute form, then the {@code Host}
   * header.
   */
  public @Nullable String authority() {
    String named = Target.authority(exchange.target());
    return forwarded().host(named == null ? headers().get("Host") : named);
  }

  /** Returns the path parameters of the route that matched last; empty if no route matched. */
  public Params params() {
    Params known = params;
    if (known == null) {
      known = new Params();
      params = known;
    }
    known.settings(settings());
    return known;
  }

  /**
   * Returns the path parameters as a record. Each component is read from the parameter with its
   * name, as in {@link #query(Class)}.
   *
   * @param type the record
   * @param <T> the record
   * @throws HttpError 400 {@code value.invalid} that lists all invalid values; 422 {@code
   *     entity.invalid} if constraints are violated
   * @throws IllegalArgumentException if a component has no conversion
   */
  public <T extends Record> T params(Class<T> type) {
    return type.cast(record(InputSource.PATH, params().asMap(), type, type));
  }

  /**
   * Returns a parameter: from the path, else from a body that is a map, else from the query. An
   * empty string, zero or false is a value like others.
   *
   * @param name its name; for a capture without a name, its index
   * @return its value; null if it is absent or null everywhere
   */
  public @Nullable Object param(String name) {
    Object value = params().value(name);
    if (value == null && body() instanceof Map<?, ?> map) {
      value = map.get(name);
    }
    return value == null ? query().get(name) : value;
  }

  /**
   * Returns a parameter, or a fallback if it is absent; see {@link #param(String)}.
   *
   * @param name its name; for a capture without a name, its index
   * @param fallback the value if it is absent
   */
  public Object param(String name, Object fallback) {
    Object value = param(name);
    return value == null ? fallback : value;
  }

  /** Returns the current route, or null. */
  public @Nullable Object route() {
    return route;
  }

  /**
   * Returns the path of the current route, with the mount path of its application: {@code
   * /users/:id}, or the text of a regular expression. Unlike {@link #path()}, it has few different
   * values, so it can label a metric:
   *
   * <pre>
   *   app.use((req, res, next) -&gt; {
   *     res.onFinish(() -&gt; count(req.method(), String.valueOf(req.routePath()), res.status()));
   *     next.run();
   *   });
   * </pre>
   *
   * @return the path of the route that runs or has sent the response; in error handlers, of the
   *     route that failed; null outside of routes
   */
  public @Nullable String routePath() {
    AppContext known = routeContext;
    return routePath == null || known == null ? null : known.mountPath() + routePath;
  }

  /** Returns true if the request has a body, even an empty one. */
  public boolean hasBody() {
    return exchange.hasBody();
  }

  /**
   * Returns the parsed body; null if no parser has read it, or if it is JSON null. For JSON, the
   * first call creates the maps and lists.
   */
  public @Nullable Object body() {
    if (bodyUnmade && json != null) {
      bodyUnmade = false;
      body = json.value();
    }
    return body;
  }

  /**
   * Returns a JSON body as a value of a class, or a form as a record; see {@link #form(Class)}.
   * JSON is read from its text, so that long numbers and decimals are exact. A second call with the
   * same type returns the same value for JSON.
   *
   * <p>An absent or null component of a record is an error, even in nested records, unless it is
   * {@code @Nullable}, an {@link java.util.Optional} or a list. A JSON value must have the expected
   * type: a number is not read as a string, nor a string as a number. {@link Settings#JSON_LENIENT}
   * disables both rules.
   *
   * <p>A constructor may reject values with an {@link IllegalArgumentException} or {@link
   * java.util.Objects#requireNonNull}, whose message only developers see, or with an {@link
   * HttpError}. Any other exception is an error of the application, and so is a class that cannot
   * be created from JSON. Then the constraints of the value are checked; see {@link Validation}.
   *
   * @param type a record, a bean, or a class of the JDK
   * @param <T> that type
   * @return the value; null for JSON null
   * @throws HttpError 400 {@code entity.parse.failed} if the text is not valid JSON; 400 {@code
   *     value.invalid} that lists all values that do not fit the type, with JSON pointers, see
   *     {@link InputError}; 422 {@code entity.invalid} if constraints are violated; 400 {@code
   *     entity.absent} if the client sent no body, or an empty one that no parser accepts; 415
   *     {@code entity.type.unsupported} if the body is neither JSON nor, for a record, a form, or
   *     if no parser accepts its type
   * @throws IllegalStateException if the body is JSON or a form and there is no parser before this
   *     handler; or if the class or its constructor is faulty
   */
  public <T> @Nullable T body(Class<T> type) {
    return type.cast(readBody(type, type));
  }

  /**
   * Returns a body as a value of a generic type; see {@link #body(Class)}.
   *
   * @param type the type
   * @param <T> that type
   * @return the value; null for JSON null
   */
  @SuppressWarnings("unchecked") // it has been read as this type
  public <T> @Nullable T body(TypeRef<T> type) {
    return (T) readBody(type.type(), type.rawType());
  }

  /**
   * Returns a form field as a string.
   *
   * @param name its name
   * @return the string, the first if there are several; null if it is absent, or there is no body
   * @throws HttpError 415 if the body is not a form
   * @throws IllegalStateException if no parser before this handler has read the form
   */
  public @Nullable String form(String name) {
    return form(name, String.class);
  }

  /**
   * Returns a form field, converted to a type by the {@link Conversions} of the application.
   *
   * @param name its name
   * @param type the type, such as {@code Integer.class}; a primitive type means that the field is
   *     required
   * @param <T> the type
   * @return the value, the first if there are several; null if it is absent, or empty and the type
   *     is not {@code String}
   * @throws HttpError 400 {@code value.invalid} if it cannot be converted, {@code value.missing} if
   *     it is absent and the type is primitive; 415 if the body is not a form
   */
  public <T> @Nullable T form(String name, Class<T> type) {
    return formInput().get(name, type);
  }

  /**
   * Returns a form field, converted to a type, or a fallback if it is absent; see {@link
   * #form(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param fallback the fallback, a value of the type; for a numeric type, any number
   * @param <T> the type
   * @throws HttpError 400 {@code value.invalid} if the field cannot be converted; 415 if the body
   *     is not a form
   * @throws IllegalArgumentException if the fallback is not a value of the type
   */
  public <T> T form(String name, Class<T> type, Object fallback) {
    return formInput().get(name, type, fallback);
  }

  /**
   * Returns a required form field, converted to a type; see {@link #form(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param <T> the type
   * @throws HttpError 400 {@code value.missing} if it is absent, {@code value.invalid} if it cannot
   *     be converted; 415 if the body is not a form
   */
  public <T> T formRequired(String name, Class<T> type) {
    return formInput().required(name, type);
  }

  /**
   * Returns all values of a form field, converted to a type; see {@link #form(String, Class)}.
   *
   * @param name its name
   * @param type the type of each value
   * @param <T> the type
   * @return the values in order; empty if there are none
   * @throws HttpError 400 {@code value.invalid} if one cannot be converted; 415 if the body is not
   *     a form
   */
  public <T> List<T> formAll(String name, Class<T> type) {
    return formInput().all(name, type);
  }

  /**
   * Returns a form as a record. Each component is read from the field with its name, as in {@link
   * #query(Class)}, whether or not the form parser nests brackets. With a parser for multipart
   * forms, components may also be files, or lists of files:
   *
   * <pre>{@code
   * record Entry(String title, @Nullable Upload photo) {}
   *
   * app.post("/entries", Multipart.files(), (req, res) -> entries.add(req.form(Entry.class)));
   * }</pre>
   *
   * @param type the record
   * @param <T> the record
   * @throws HttpError 400 {@code value.invalid} that lists all invalid values; 415 if the body is
   *     not a form; 422 {@code entity.invalid} if constraints are violated
   * @throws IllegalArgumentException if a component has no conversion
   * @throws IllegalStateException if no parser before this handler has read the form
   */
  public <T extends Record> T form(Class<T> type) {
    return type.cast(record(InputSource.FORM, nestedForm(), type, type));
  }

  /**
   * Schedules a task. It runs on a thread of this request, never at the same time as one of its
   * handlers. No thread waits in the meantime.
   *
   * @param time the time until the task runs
   * @param task the task; an error that it throws ends the request
   */
  public void schedule(Duration time, Runnable task) {
    Runnable ignored = DaemonTimer.after(time, () -> exchange.executor().execute(task));
  }

  /** Returns true if the calling thread may block; an event loop must not. */
  public boolean mayBlock() {
    return exchange.mayBlock();
  }

  /**
   * Returns true if writing the response blocks the calling thread while the client is slow, as in
   * engines with one thread for each request.
   */
  public boolean blocksWriters() {
    return exchange.blocksWriters();
  }

  /**
   * Registers a hook for the shutdown of a server of the application. It runs when the server stops
   * accepting clients, or at once if no server accepts clients any more. Use it to end endless
   * responses, such as event streams, so that their clients reconnect to another server.
   *
   * @param hook runs at most once, on any thread; must not block. If it throws, the exception is
   *     logged and the other hooks run
   * @return removes the hook; run it when the response has ended
   */
  public Runnable onShutdown(Runnable hook) {
    return appState.servers().onShutdown(hook);
  }

  /**
   * Reads the body in chunks. If the thread may block, the reader is called on this thread, before
   * this method returns. Otherwise it is called later, on the serial executor of the exchange.
   *
   * @param reader receives the chunks
   * @throws HttpError 500 {@code stream.not.readable} if reading of the body has already started
   */
  public void read(ChunkReader reader) {
    stream().read(reader);
  }

  /**
   * Returns the body as a stream of at most {@code stream limit} bytes; see {@link
   * #inputStream(long)}.
   */
  public InputStream inputStream() {
    return inputStream(streamLimit());
  }

  /**
   * Returns the body as a stream that blocks until data arrives. Its methods throw an {@link
   * java.io.IOException} if the client disconnects, {@link HttpError} 413 if the body exceeds the
   * limit, and an {@link IllegalStateException} on an event loop, which must not block.
   *
   * @param limit the maximum number of bytes
   * @throws HttpError 500 {@code stream.not.readable} if reading of the body has already started
   */
  public InputStream inputStream(long limit) {
    return stream().stream(limit);
  }

  /** Returns a publisher of the body, of at most {@code stream limit} bytes, for one subscriber. */
  public Flow.Publisher<ByteBuffer> publisher() {
    return stream().publisher(streamLimit());
  }

  /**
   * Returns an attribute that must be set.
   *
   * @param key its key
   * @param <T> its type
   * @throws IllegalStateException if it is not set
   */
  public <T> T attr(Key<T> key) {
    T value = attrOrNull(key);
    if (value == null) {
      throw new IllegalStateException(key.absent());
    }
    return value;
  }

  /**
   * Returns an attribute.
   *
   * @param key its key
   * @param <T> its type
   * @return its value, else the fallback of the key, else null
   */
  public <T> @Nullable T attrOrNull(Key<T> key) {
    Object value = attributes == null ? null : attributes.get(key.name());
    return value == null ? key.defaultValue() : key.cast(value);
  }

  /**
   * Sets an attribute for the handlers that follow.
   *
   * @param key its key
   * @param value its value; null removes the attribute
   * @param <T> its type
   */
  public <T> void attr(Key<T> key, @Nullable T value) {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    if (value == null) {
      attributes.remove(key.name());
    } else {
      attributes.put(key.name(), key.cast(value));
    }
  }

  /**
   * Returns the cookies.
   *
   * @throws IllegalStateException if there is no cookie parser before this handler
   */
  public Map<String, Object> cookies() {
    return attr(COOKIES);
  }

  /**
   * Returns the signed cookies. The value is {@link Boolean#FALSE} if the signature is wrong.
   *
   * @throws IllegalStateException if there is no cookie parser before this handler
   */
  public Map<String, Object> signedCookies() {
    return attr(SIGNED_COOKIES);
  }

  /**
   * Sets a limit for reading the body. Beyond it, the connection is closed without a response, and
   * the reader gets a {@link ClientDisconnectedException}. Only the first call has an effect.
   *
   * @param bytes the maximum number of bytes
   */
  public void bodyLimit(long bytes) {
    stream().limit(bytes);
  }

  /**
   * Stops waiting for the current handler. An error is passed on instead, as if the handler had
   * called {@code next} with it. For code that watches requests, on any thread.
   *
   * <p>While a handler runs, no error handler can run, since handlers of a request never run at the
   * same time. The response is then the default error page. It has the headers set so far, except
   * those that describe a body, and none that the handler sets later. The handler continues, but
   * its response is rejected.
   *
   * @param error the error
   * @return false if there is a response already; then nothing is done
   */
  public boolean fail(HttpError error) {
    if (response.answer().taken()) {
      return false;
    }
    return exchange.executor().executeIfIdle(() -> failLast(error))
        || ErrorResponse.end(error, response);
  }

  /**
   * Sets the time limit for the start of this response, from now on. It replaces {@link
   * dev.percolate.engine.ListenOptions#responseTimeout}, for example for long polling.
   *
   * @param time the limit; zero for no limit
   * @throws IllegalArgumentException if the time is negative
   */
  public void responseTimeout(Duration time) {
    Duration limit = Quantity.notNegative("responseTimeout", time);
    if (!response.answer().taken()) {
      responseTimeout.restart(limit);
    }
  }

  /**
   * Returns true if a server of the application is shutting down. Readiness probes should then
   * fail.
   */
  public boolean isShuttingDown() {
    return appState.servers().isShuttingDown();
  }

  /**
   * Returns the request and its position in the chain: {@code GET /x in layer 7, Users.java:31}.
   */
  @Override
  public String toString() {
    return head() + " in " + exchange.executor();
  }

  Exchange exchange() {
    return exchange;
  }

  /** Returns the method and target, for messages. */
  String head() {
    return method() + " " + LogText.escape(originalUrl());
  }

  /** Returns true if paths are in normal form; see {@link Settings#AMBIGUOUS_TARGETS}. */
  boolean normalised() {
    return !"pass".equals(appState.settings().get(Settings.AMBIGUOUS_TARGETS));
  }

  /**
   * Sets the parsed body.
   *
   * @param document the parsed JSON text; null for other bodies
   * @param unmade whether {@link #body()} creates the value from the document
   */
  void setBody(@Nullable Object value, @Nullable JsonDocument document, boolean unmade) {
    body = value;
    bodyUnmade = unmade;
    if (document != null) {
      json = document;
      typedAs = null;
    }
  }

  /**
   * Evaluates the preconditions of the request against the current status and headers of the
   * response.
   */
  ConditionalRequests.Outcome preconditions() {
    if (!Preconditions.isConditional(headers())) {
      return ConditionalRequests.Outcome.SEND;
    }
    ConditionalRequests rules = settings().conditionalRequests();
    return rules.evaluate(method, response.status(), headers(), response.headers());
  }

  /** Returns true if the client sent HEAD, even if middleware has changed the method. */
  boolean wasHead() {
    return exchange.method().equals("HEAD");
  }

  DispatchState dispatchState() {
    return dispatchState;
  }

  ResponseTimeout responseTimeout() {
    return responseTimeout;
  }

  AppState appState() {
    return appState;
  }

  /** Reports an error that occurred too late to be handled. */
  void late(Throwable error) {
    appState.faultLog().late(error, this, response.answer().givenUp());
  }

  private void failLast(HttpError error) {
    if (!response.answer().taken()) {
      response.answer().giveUp();
      CurrentHandler handler = dispatchState.current();
      if (handler != null && !handler.fails(error)) {
        late(error);
      }
    }
  }

  private long streamLimit() {
    return Objects.requireNonNull(settings().get(Settings.STREAM_LIMIT));
  }

  private String normal(String sent) {
    return NormalPath.isPlain(sent) || !normalised() ? sent : NormalPath.of(sent);
  }

  private Forwarded forwarded() {
    Trust trust = settings().derived(Settings.TRUST_PROXY.name(), Trust::of);
    return new Forwarded(headers(), exchange.remoteAddress(), trust);
  }

  /** Returns the reader of the body, created when it is first needed. */
  Body stream() {
    Body known = stream;
    if (known == null) {
      known = new Body(exchange, headers(), this::streamLimit, response.finishHooks());
      stream = known;
    }
    return known;
  }

  private TypedInput queryInput() {
    return new TypedInput(InputSource.QUERY, query(), settings().conversions());
  }

  private TypedInput formInput() {
    return new TypedInput(InputSource.FORM, formFields(), settings().conversions());
  }

  /** Returns the fields of a form; empty if there is no body, or an empty one. */
  private Map<?, ?> formFields() {
    if (isForm() && body() instanceof Map<?, ?> fields) {
      return fields;
    }
    if (isBodyEmpty()) {
      return Map.of();
    }
    throw unread("form(…): no form was read", "a form", isForm());
  }

  /** Returns true if there is no body, or its {@code Content-Length} is 0. */
  private boolean isBodyEmpty() {
    return !hasBody() || ContentLength.parse(get("Content-Length")) == 0;
  }

  private boolean isForm() {
    String name = MediaType.parse(get("Content-Type")).type();
    return "application/x-www-form-urlencoded".equals(name) || "multipart/form-data".equals(name);
  }

  private Map<?, ?> nestedForm() {
    List<? extends FormFile> files = attrOrNull(FORM_FILES);
    return FormFields.nested(formFields(), files == null ? List.of() : files);
  }

  private Object record(InputSource source, Map<?, ?> values, Type type, Class<?> raw) {
    InputErrors errors = inputErrors(source);
    InputType reader = settings().conversions().records(type, raw);
    Object value = reader.read(values, InputPath.WHOLE, errors);
    if (value == null || !errors.isEmpty()) {
      throw errors.error();
    }
    checkConstraints(value, source, path -> InputPath.of(path).toString());
    return value;
  }

  private InputErrors inputErrors(InputSource source) {
    boolean lenient = Boolean.TRUE.equals(settings().get(Settings.JSON_LENIENT));
    return new InputErrors(source, () -> ErrorResponse.showsHidden(this), lenient);
  }

  private @Nullable Object readBody(Type type, Class<?> raw) {
    JsonDocument document = json;
    if (document != null) {
      return readJson(document, type);
    }
    if (raw.isRecord() && hasBody() && isForm()) {
      return record(InputSource.FORM, nestedForm(), type, raw);
    }
    if (isBodyEmpty()) {
      throw new HttpError(400, "the body is missing, but JSON was expected", "entity.absent", null);
    }
    String name = MediaType.parse(get("Content-Type")).type();
    boolean isJson = name != null && (name.equals("application/json") || name.endsWith("+json"));
    throw unread(
        "body(" + type.getTypeName() + "): no JSON body was read",
        raw.isRecord() ? "JSON or a form" : "JSON",
        isJson);
  }

  private @Nullable Object readJson(JsonDocument document, Type type) {
    if (type.equals(typedAs)) {
      return typed;
    }
    InputErrors errors = inputErrors(InputSource.JSON);
    Object value;
    try {
      value = document.read(type, errors);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, e.getMessage(), "entity.parse.failed", e)
          .with("body", document.text());
    }
    if (!errors.isEmpty()) {
      throw errors.error().with("body", document.text());
    }
    if (value != null) {
      checkConstraints(value, InputSource.JSON, path -> document.pointer(type, path));
    }
    typed = value;
    typedAs = type;
    return value;
  }

  private void checkConstraints(
      Object value, InputSource source, Function<List<Object>, String> name) {
    Validation validation = settings().validation();
    if (validation != null) {
      new ConstraintCheck(validation, this::messageLanguage, source).check(value, name);
    }
  }

  /** Returns the language that the client prefers; English if it has no preference. */
  private Locale messageLanguage() {
    List<String> languages = get("Accept-Language") == null ? List.of() : acceptedLanguages();
    return languages.isEmpty() || languages.get(0).equals("*")
        ? Locale.ENGLISH
        : Locale.forLanguageTag(languages.get(0).replace('_', '-'));
  }

  /**
   * Returns the reason if a body was not read: 415 if its type is unexpected or no parser accepts
   * it; an {@link IllegalStateException} if the application has no parser.
   *
   * @param fault the start of the message if there is no parser
   * @param expected the expected types
   * @param isExpected whether the body has one of them
   */
  private RuntimeException unread(String fault, String expected, boolean isExpected) {
    String sent = get("Content-Type");
    if (isExpected && attrOrNull(BODY_PASSED_ON) == null) {
      return new IllegalStateException(fault + cure(sent));
    }
    String message;
    if (sent == null) {
      message = "the body has no type, but " + expected + " was expected";
    } else if (isExpected) {
      String cure = ErrorResponse.showsTraces(this) ? cure(sent) : "";
      message = "no parser accepts the type " + LogText.escape(sent) + cure;
    } else {
      message = "the body is " + LogText.escape(sent) + ", but " + expected + " was expected";
    }
    return new HttpError(415, message, "entity.type.unsupported", null);
  }

  /** Returns advice on which parser to add for a body, to append to a message. */
  private static String cure(@Nullable String contentType) {
    String type = String.valueOf(MediaType.parse(contentType).type());
    String parser =
        switch (type) {
          case "multipart/form-data" -> "app.use(Multipart.files()), of percolate-multipart,";
          case "application/x-www-form-urlencoded" -> "app.use(BodyParsers.urlencoded())";
          case "application/json" -> "app.use(BodyParsers.json())";
          default -> "app.use(BodyParsers.json().type(\"" + LogText.escape(type) + "\"))";
        };
    return ". Add " + parser + " before this handler.";
  }

  /**
   * Logs in development that an upgrade request was not handled. Ignores upgrades to HTTP/2, which
   * some clients, such as the HTTP client of the JDK, offer to every server.
   */
  private void tellUpgrade() {
    if (response.status() != 101 && !"h2c".equalsIgnoreCase(exchange.headers().get("Upgrade"))) {
      String asked = LogText.escape(String.valueOf(exchange.headers().get("Upgrade")));
      String head = exchange.method() + " " + LogText.escape(exchange.target());
      LOG.log(
          Level.INFO,
          "{0} requested an upgrade to \"{1}\" and got status {2} in {3}; add a handler for this"
              + " protocol, such as WebSockets.of(…)",
          head,
          asked,
          response.status(),
          exchange.executor());
    }
  }
}
