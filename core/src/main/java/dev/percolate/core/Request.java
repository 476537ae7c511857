package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One request, as the steps of its way see and change it.
 *
 * <p>It belongs to one exchange and is used by its steps, one after the other. What comes from the
 * network is untrusted text; no accessor throws because of it. Step 2 of docs/flow.md.
 */
public final class Request {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** The bytes of the body, where a parser keeps them. */
  public static final Key<byte[]> RAW = Key.of("raw body", byte[].class);

  /** The files of a form, where a reader of forms with files keeps them. */
  public static final Key<List<? extends FormFile>> FORM_FILES =
      Key.of("form files", new TypeRef<List<? extends FormFile>>() {});

  /** Set if a parser has passed on the body because it does not accept the body's type. */
  public static final Key<Boolean> BODY_PASSED_ON = Key.of("body passed on", Boolean.class);

  /** Set where a parser has begun to read the body, or would not: those below must not. */
  public static final Key<Boolean> BODY_TAKEN = Key.of("body taken", Boolean.class);

  /** The name of the request, by which its lines in several logs can be found. */
  public static final Key<String> ID = Key.of("request id", String.class);

  /** The trace that the request belongs to: 32 hexadecimal digits (W3C Trace Context). */
  public static final Key<String> TRACE_ID = Key.of("trace id", String.class);

  /** The cookies that the client sent, as text, or as what JSON means where that is read. */
  public static final Key<Map<String, Object>> COOKIES =
      Key.of("cookies", new TypeRef<Map<String, Object>>() {});

  /**
   * The cookies whose signature was checked; {@link Boolean#FALSE} where it was wrong, or made for
   * another purpose or name.
   */
  public static final Key<Map<String, Object>> SIGNED_COOKIES =
      Key.of("signed cookies", new TypeRef<Map<String, Object>>() {});

  /** The secret that cookies are signed with. */
  public static final Key<String> SECRET = Key.of("secret", String.class);

  private final Exchange exchange;
  private final Settings outermost;
  private String originalUrl;
  private AppContext scope;
  private String method;
  private String url;
  private boolean plain;
  private @Nullable String path;
  private @Nullable Headers headers;
  private @Nullable Map<String, Object> query;
  private final ErrorCounters faults;
  private final Response response;
  private final DispatchState dispatchState;
  private @Nullable Body stream;
  private @Nullable Params params;
  private @Nullable Object route;
  private @Nullable String routePath;
  private @Nullable AppContext routeScope;
  private @Nullable Object body;
  private @Nullable JsonDocument json;
  private boolean bodyUnmade;
  private @Nullable Type typedAs;
  private @Nullable Object typed;
  private @Nullable String encoding;
  private @Nullable Map<String, Object> attributes;
  private final long receivedAt = System.currentTimeMillis();

  /**
   * Creates the request and the response of an exchange, for those who implement {@link Service}.
   *
   * @param exchange the exchange
   * @param scope what holds until an application is at work
   * @param faults the counters of the outermost application
   */
  public Request(Exchange exchange, AppContext scope, ErrorCounters faults) {
    this.exchange = exchange;
    this.outermost = scope.settings();
    this.scope = scope;
    this.method = exchange.method();
    this.originalUrl = exchange.target();
    this.url = originalUrl;
    this.faults = faults;
    this.dispatchState = new DispatchState(this);
    this.response = new Response(this, new ResponseCommit(exchange, faults, dispatchState));
    exchange.turn().serves(dispatchState);
    boolean development = faults.development();
    dispatchState.watch(development);
    if (development
        && exchange.headers().contains("Upgrade")
        && ConnectionOptions.upgrade(exchange.headers())) {
      response.onFinish(this::tellUpgrade);
    }
  }

  /**
   * Creates the request of an exchange. If {@link Settings#AMBIGUOUS_TARGETS} rejects its target,
   * responds with 400 and closes the connection instead, as engines do. Unless {@link
   * Settings#SERVER_OPTIONS} is false, also responds to {@code OPTIONS *} itself. The service is
   * notified of both, as of requests that engines reject.
   *
   * @param exchange a request that nobody has answered
   * @param scope what holds for it until an application is at work, with the settings
   * @param faults the counters of the outermost application
   * @param service the service
   * @return the request; null if the response has been sent
   */
  public static @Nullable Request admit(
      Exchange exchange, AppContext scope, ErrorCounters faults, Service service) {
    String target = exchange.target();
    boolean plain = NormalPath.isPlain(target);
    if (!plain && HeadGuard.refusesTarget(target, ambiguousTargets(scope))) {
      answer(exchange, 400, HeadGuard.answer(400), service);
      return null;
    }
    if (target.equals("*") && Boolean.TRUE.equals(scope.settings().get(Settings.SERVER_OPTIONS))) {
      if (exchange.method().equals("OPTIONS")) {
        answer(exchange, 200, HeadGuard.serverOptions(), service);
      } else {
        answer(exchange, 400, HeadGuard.answer(400), service);
      }
      return null;
    }
    Request req = new Request(exchange, scope, faults);
    if (plain) {
      req.plain();
    }
    return req;
  }

  private static void answer(Exchange exchange, int status, Headers headers, Service service) {
    exchange.start(status, headers);
    exchange.end(ByteBuffer.allocate(0));
    service.refused(exchange, status, headers);
  }

  private static String ambiguousTargets(AppContext scope) {
    return Objects.requireNonNull(scope.settings().get(Settings.AMBIGUOUS_TARGETS));
  }

  /** Returns the response to this request. */
  public Response response() {
    return response;
  }

  /** Returns the settings of the application at work. */
  public Settings settings() {
    return scope.settings();
  }

  /** Returns what the application at work has put on this request. */
  public AppContext scope() {
    return scope;
  }

  /**
   * Sets what holds for the steps that follow; applications do, on the way in and out.
   *
   * @param scope the scope
   */
  public void scope(AppContext scope) {
    this.scope = scope;
  }

  /** Returns the time when the head of the request was read, to the millisecond. */
  public Instant receivedAt() {
    return Instant.ofEpochMilli(receivedAt);
  }

  /**
   * Returns the method as the client sent it. Methods are case-sensitive: {@code get} is another
   * method than {@code GET}, and no route for GET matches it (RFC 9110 section 9.1).
   */
  public String method() {
    return method;
  }

  /**
   * Changes the method for the steps that follow.
   *
   * @param method the method, such as {@code DELETE}; it is case-sensitive
   */
  public void method(String method) {
    this.method = method;
  }

  /** Returns the request target as sent, without the mount path of the layer at work. */
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

  /** Returns the request target as received. */
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
   * Returns the path of {@link #url()}: what stands before the query, undecoded, in the normal form
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

  /** Returns the path of {@link #originalUrl()}, in the same form as {@link #path()}. */
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

  /** Returns the version of HTTP, such as {@code 1.1}. */
  public String httpVersion() {
    return exchange.httpVersion();
  }

  /** Returns the headers as received; a step may change them for those that follow. */
  public Headers headers() {
    Headers known = headers;
    if (known == null) {
      known = exchange.headers();
      headers = known;
    }
    return known;
  }

  /**
   * Returns a header. Of several with this name the first counts where only one makes sense, the
   * values of others are joined by {@code ", "} ({@code Cookie} by {@code "; "}). {@code Referer}
   * and {@code Referrer} are the same.
   *
   * @param name its name, in any case
   * @return its value; null if it is absent
   */
  public @Nullable String get(String name) {
    return HeaderValue.of(headers(), name);
  }

  /**
   * Returns the parameters of the query, nested ones as maps and lists; see {@link QueryString}.
   */
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
   * Returns a parameter of the query as text.
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
   * Returns all texts of a parameter of the query.
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
   * Returns a parameter of the query as a value of a type, by the {@link Conversions} of the
   * application.
   *
   * @param name its name
   * @param type the type, such as {@code Integer.class} or {@code int.class}
   * @param <T> the type
   * @return the value, of several the first; null if it is absent, or empty and no text is wanted
   * @throws HttpError 400 {@code value.invalid} if it does not fit
   */
  public <T> @Nullable T query(String name, Class<T> type) {
    return queryInput().get(name, type);
  }

  /**
   * Returns a parameter of the query as a value of a type, or another value; see {@link
   * #query(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param fallback what to give if it is absent: a value of that type, or any number for a number
   * @param <T> the type
   * @throws HttpError 400 {@code value.invalid} if it does not fit
   * @throws IllegalArgumentException if the fallback is none of that type
   */
  public <T> T query(String name, Class<T> type, Object fallback) {
    return queryInput().get(name, type, fallback);
  }

  /**
   * Returns a parameter of the query that must be there as a value of a type; see {@link
   * #query(String, Class)}.
   *
   * @param name its name
   * @param type the type
   * @param <T> the type
   * @throws HttpError 400 {@code value.missing} if it is absent, {@code value.invalid} if it does
   *     not fit
   */
  public <T> T queryRequired(String name, Class<T> type) {
    return queryInput().required(name, type);
  }

  /**
   * Returns all values of a parameter of the query by their type; see {@link #query(String,
   * Class)}.
   *
   * @param name its name
   * @param type the type of each
   * @param <T> the type
   * @return the values in order; empty if there are none
   * @throws HttpError 400 {@code value.invalid} if one does not fit
   */
  public <T> List<T> queryAll(String name, Class<T> type) {
    return queryInput().all(name, type);
  }

  /**
   * Returns the query as a record, whose components are read from the parameters of their names, by
   * the {@link Conversions} of the application:
   *
   * <pre>{@code
   * record Search(String text, List<String> tag, Optional<LocalDate> since, @Nullable Page page) {}
   * record Page(int number, Size size) {}
   *
   * Search search = req.query(Search.class); // ?text=tea&tag=a&tag=b&page[number]=1&page[size]=small
   * }</pre>
   *
   * <p>Components are whatever has a conversion; records, whose parameters stand in brackets;
   * lists, sets and arrays of these, as {@code tag=a&tag=b}, {@code tag[]=a} or {@code
   * lines[0][price]=1}; and optionals. One that is absent is an error, unless an annotation of any
   * package with the name {@code Nullable} says that it may be null, or it is an {@link
   * java.util.Optional} or a list, which then are empty. Parameters without a component are
   * ignored. A constructor refuses values by an {@link IllegalArgumentException}, whose message
   * only developers get, or by an {@link HttpError} of its own.
   *
   * @param type the record
   * @param <T> the record
   * @throws HttpError 400 {@code value.invalid} that names all that does not fit; see {@link
   *     InputFaults}
   * @throws IllegalArgumentException if a component has no conversion
   */
  public <T extends Record> T query(Class<T> type) {
    return type.cast(record(InputKind.QUERY, query(), type, type));
  }

  /**
   * Returns the content type that the client prefers (RFC 9110 section 12.5.1). {@link
   * Settings#CONTENT_NEGOTIATION} sets the rules of this and the next methods.
   *
   * @param offers extensions ({@code json}) and content types, in the order of the server's
   *     preference; a single text is split at its commas
   * @return the offer as given; without the header {@code Accept} the first one, null if none is
   *     acceptable
   */
  public @Nullable String accepts(String... offers) {
    String header = get("Accept");
    MimeTypes types = settings().mimeTypes();
    return offers.length == 1
        ? negotiation().best(header, offers[0], types)
        : negotiation().best(header, List.of(offers), types);
  }

  /** Returns what the client accepts, the best first; empty without the header {@code Accept}. */
  public List<Accept.Entry> accepted() {
    return negotiation().entries(get("Accept"));
  }

  /**
   * Returns whether the client accepts a charset, which it also does if it names none.
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
   * Returns whether the client accepts a language, which it also does if it names none. A client
   * that asks for {@code en} accepts {@code en-GB}, and the other way round (RFC 4647).
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
   * Returns whether the client accepts a content coding: one that it lists, or {@code identity}.
   *
   * @param encoding the coding, such as {@code gzip}
   */
  public boolean acceptsEncoding(String encoding) {
    return negotiation().allowsEncoding(get("Accept-Encoding"), encoding);
  }

  /** Returns the encodings that the client names, with their qualities and in its order. */
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
   * Returns whether the header {@code Content-Type} is like a type; see {@link MediaType#isLike}.
   *
   * @param type {@code json}, {@code text/html}, {@code text/*} or the like, in any letter case
   */
  public boolean is(String type) {
    return negotiation().isLike(get("Content-Type"), type, settings().mimeTypes());
  }

  /**
   * Returns the ranges that the client asks for.
   *
   * @param size how many units there are
   * @return the ranges, or the code why there are none; null without the header {@code Range}
   */
  public @Nullable Range range(long size) {
    return settings().conditionalRequests().range(get("Range"), size);
  }

  /** Returns name and password of Basic authentication; null where there are none well-formed. */
  public @Nullable BasicCredentials auth() {
    return BasicCredentials.parse(get("Authorization"));
  }

  /**
   * Returns the address of the client: that of the peer, or what trusted proxies report, without a
   * port. A proxy may report another text, such as {@code unknown}. {@link Settings#TRUST_PROXY}
   * sets which proxies are trusted.
   */
  public String ip() {
    return forwarded().address();
  }

  /** Returns the address of the connection's other end, whatever proxies report. */
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  /** Returns the addresses that trusted proxies report, the client's first. */
  public List<String> ips() {
    return forwarded().addresses();
  }

  /**
   * Returns {@code https} on an encrypted connection, else {@code http}, or the first scheme that a
   * trusted proxy reports, in lower case.
   */
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

  /**
   * Returns the certificates by which the client has shown who it is, its own first; none unless
   * {@link dev.percolate.engine.Tls} asks for them.
   */
  public List<X509Certificate> clientCertificates() {
    return exchange.clientCertificates();
  }

  /** Returns the host that the client asks for, without its port; null where it names none. */
  public @Nullable String host() {
    String authority = authority();
    return authority == null || authority.isEmpty() ? null : Host.withoutPort(authority);
  }

  /**
   * Returns the parts of the host from the right, without the first {@code subdomain offset}:
   * {@code [b, a]} of {@code a.b.example.com}.
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

  /**
   * Returns true if the client has stored the response as it stands, by its entity tag or date, so
   * that 304 is enough. {@link Response#send} and the like check this themselves; call it to skip
   * making the body.
   */
  public boolean fresh() {
    return preconditions() == ConditionalRequests.Outcome.NOT_MODIFIED;
  }

  /**
   * Checks the preconditions of the request against the current version of its resource, whose date
   * is unknown; see {@link #checkPreconditions(String, Instant)}.
   *
   * @param etag the entity tag of the current version; null if the resource does not exist
   * @throws HttpError 412 if the client expects another version
   */
  public void checkPreconditions(@Nullable String etag) {
    checkPreconditions(etag, null);
  }

  /**
   * Checks the preconditions of the request against the current version of its resource (RFC 9110
   * section 13.2). Call it before a PUT, PATCH, POST or DELETE changes anything, in the transaction
   * that makes the change, so that no update is lost:
   *
   * <pre>{@code
   * app.put("/notes/:id", (req, res) -> {
   *   Note note = notes.find(req.params().get("id")); // null if there is none
   *   req.checkPreconditions(note == null ? null : note.etag());
   *   ...
   * });
   * }</pre>
   *
   * <p>{@code If-Match: "v1"} changes only that version, {@code If-Match: *} only what exists, and
   * {@code If-None-Match: *} creates only what does not. {@code If-Match} needs a strong tag: a
   * weak one, which starts with {@code W/}, never matches. For GET and HEAD a matching {@code
   * If-None-Match} is no error: the response becomes 304 by itself.
   *
   * @param etag the entity tag of the current version; null if it has none
   * @param lastModified when it was modified last; null if that is unknown. If both are null, the
   *     resource does not exist
   * @throws HttpError 412 if the client expects another version
   */
  public void checkPreconditions(@Nullable String etag, @Nullable Instant lastModified) {
    boolean absent = etag == null && lastModified == null;
    Validators current = absent ? Validators.ABSENT : Validators.of(etag, lastModified);
    if (Preconditions.prohibit(method, headers(), current)) {
      throw new HttpError(412);
    }
  }

  /** Tells the opposite of {@link #fresh}. */
  public boolean stale() {
    return !fresh();
  }

  /**
   * Returns the host that the client has asked for, with its port; null if it is absent. The host
   * of a target in absolute form goes before that of the header, and the first host that a trusted
   * proxy reports goes before both.
   */
  public @Nullable String authority() {
    String named = Target.authority(exchange.target());
    return forwarded().host(named == null ? headers().get("Host") : named);
  }

  /** Returns the path parameters of the route that matched last; empty where none did. */
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
   * Sets the path parameters; routers do.
   *
   * @param params the parameters
   */
  public void params(Params params) {
    this.params = params;
  }

  /**
   * Returns a parameter, wherever it stands: in the path, else in a body that is a map, else in the
   * query. Empty text, zero and false are values like others.
   *
   * @param name its name; for a capture without one its index
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
   * Returns a parameter, wherever it stands; see {@link #param(String)}.
   *
   * @param name its name; for a capture without one its index
   * @param fallback what to give if it is absent
   */
  public Object param(String name, Object fallback) {
    Object value = param(name);
    return value == null ? fallback : value;
  }

  /** Returns the route whose steps run, or null. */
  public @Nullable Object route() {
    return route;
  }

  /**
   * Sets the route whose steps run; routers do.
   *
   * @param route the route; null for none
   */
  public void route(@Nullable Object route) {
    this.route = route;
  }

  /**
   * Returns the path that the route was defined with, behind the paths that its application is
   * mounted at: {@code /users/:id}, or the text of a regular expression. Unlike {@link #path()} it
   * has few values, so that it can name a counter:
   *
   * <pre>
   *   app.use((req, res, next) -&gt; {
   *     res.onFinish(() -&gt; count(req.method(), String.valueOf(req.routePath()), res.status()));
   *     next.run();
   *   });
   * </pre>
   *
   * @return that of the route whose steps run, or have answered; in error handlers that of the
   *     route that failed; null outside of routes
   */
  public @Nullable String routePath() {
    AppContext scope = routeScope;
    return routePath == null || scope == null ? null : scope.mountPath() + routePath;
  }

  /**
   * Sets the path that the route was defined with, in the application at work; routers do.
   *
   * @param path the path without that of the mount; null outside of routes
   */
  public void routePath(@Nullable String path) {
    this.routePath = path;
    this.routeScope = scope();
  }

  /** Tells whether a body was announced, even an empty one. */
  public boolean hasBody() {
    return exchange.hasBody();
  }

  /**
   * Returns the parsed body; null if no parser has read it, and for JSON null. The maps and lists
   * of a JSON body are created by the first call.
   */
  public @Nullable Object body() {
    if (bodyUnmade && json != null) {
      bodyUnmade = false;
      body = json.value();
    }
    return body;
  }

  /**
   * Sets what the body means; parsers do.
   *
   * @param value the value
   */
  public void body(@Nullable Object value) {
    this.body = value;
    this.bodyUnmade = false;
  }

  /**
   * Sets a JSON body; for parsers. {@link #body()} returns its value, which is created by the first
   * call. {@link #body(Class)} reads it as a type.
   *
   * @param json the parsed text
   */
  public void body(JsonDocument json) {
    body(null, json);
    this.bodyUnmade = true;
  }

  /**
   * Sets a JSON body and the value that {@link #body()} returns for it; for parsers.
   *
   * @param value the value
   * @param json the parsed text, for {@link #body(Class)}
   */
  public void body(@Nullable Object value, JsonDocument json) {
    body(value);
    this.json = json;
    this.typedAs = null;
  }

  /**
   * Returns a body as a value of a class: JSON, read from its text, so that long numbers and
   * decimals arrive unchanged; or a form as a record, see {@link #form(Class)}. Asked for the same
   * type again it gives the same value of JSON.
   *
   * <p>A component of a record that is absent or null is an error, in records inside of others too,
   * unless it is {@code @Nullable}, an {@link java.util.Optional} or a list. A value of JSON has
   * the type that is expected: a number is not read as a text, nor a text as a number. {@link
   * Settings#JSON_LENIENT} takes both back. A constructor refuses values by an {@link
   * IllegalArgumentException} or by {@link java.util.Objects#requireNonNull}, whose message only
   * developers get, or by an {@link HttpError} of its own. Whatever else it throws is a fault of
   * the application, as is a class that cannot be made of JSON.
   *
   * @param type a record, a bean, a class of the JDK
   * @param <T> that type
   * @return the value; null for JSON null
   * @throws HttpError 400 {@code entity.parse.failed} if the text is no JSON, 400 {@code
   *     value.invalid} with all that does not fit the type, by pointers, see {@link InputFault};
   *     400 {@code entity.absent} if the client sent no body, or an empty one that no parser
   *     accepts; 415 {@code entity.type.unsupported} if the body is neither JSON nor, for a record,
   *     a form, or if the parsers before do not accept its type
   * @throws IllegalStateException if there is JSON or a form, and no parser before this handler; or
   *     if the class or its constructor is at fault
   */
  public <T> @Nullable T body(Class<T> type) {
    return type.cast(readBody(type, type));
  }

  /**
   * Returns a body as a value of a type with arguments; see {@link #body(Class)}.
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
   * Returns a field of a form as text.
   *
   * @param name its name
   * @return its text, of several the first; null if it is absent, or there is no body
   * @throws HttpError 415 if the body is no form
   * @throws IllegalStateException if no parser above has read the form
   */
  public @Nullable String form(String name) {
    return form(name, String.class);
  }

  /**
   * Returns a field of a form as a value of a type, by the {@link Conversions} of the application.
   *
   * @param name its name
   * @param type the type, such as {@code Integer.class} or {@code int.class}
   * @param <T> the type
   * @return the value, of several the first; null if it is absent, or empty and no text is wanted
   * @throws HttpError 400 {@code value.invalid} if it does not fit; 415 if the body is no form
   */
  public <T> @Nullable T form(String name, Class<T> type) {
    return formInput().get(name, type);
  }

  /**
   * Returns a field of a form as a value of a type, or another value; see {@link #form(String,
   * Class)}.
   *
   * @param name its name
   * @param type the type
   * @param fallback what to give if it is absent: a value of that type, or any number for a number
   * @param <T> the type
   * @throws HttpError 400 {@code value.invalid} if it does not fit; 415 if the body is no form
   * @throws IllegalArgumentException if the fallback is none of that type
   */
  public <T> T form(String name, Class<T> type, Object fallback) {
    return formInput().get(name, type, fallback);
  }

  /**
   * Returns a field of a form that must be there as a value of a type; see {@link #form(String,
   * Class)}.
   *
   * @param name its name
   * @param type the type
   * @param <T> the type
   * @throws HttpError 400 {@code value.missing} if it is absent, {@code value.invalid} if it does
   *     not fit; 415 if the body is no form
   */
  public <T> T formRequired(String name, Class<T> type) {
    return formInput().required(name, type);
  }

  /**
   * Returns all values of a field of a form by their type; see {@link #form(String, Class)}.
   *
   * @param name its name
   * @param type the type of each
   * @param <T> the type
   * @return the values in order; empty if there are none
   * @throws HttpError 400 {@code value.invalid} if one does not fit; 415 if the body is no form
   */
  public <T> List<T> formAll(String name, Class<T> type) {
    return formInput().all(name, type);
  }

  /**
   * Returns a form as a record, whose components are read from the fields of their names as those
   * of {@link #query(Class)} are, whether the parser above nests brackets or not. Components may
   * also be files, or lists of files, where a reader of forms with files stands above:
   *
   * <pre>{@code
   * record Entry(String title, @Nullable Upload photo) {}
   *
   * app.post("/entries", Multipart.files(), (req, res) -> entries.add(req.form(Entry.class)));
   * }</pre>
   *
   * @param type the record
   * @param <T> the record
   * @throws HttpError 400 {@code value.invalid} that names all that does not fit; 415 if the body
   *     is no form
   * @throws IllegalArgumentException if a component has no conversion
   * @throws IllegalStateException if no parser above has read the form
   */
  public <T extends Record> T form(Class<T> type) {
    return type.cast(record(InputKind.FORM, nestedForm(), type, type));
  }

  /**
   * Runs a task after a time, on a thread of this request and never at the same time as one of its
   * steps. No thread waits in the meantime.
   *
   * @param time the time until the task runs
   * @param task the task; an error that it throws ends the request
   */
  public void later(Duration time, Runnable task) {
    Runnable ignored = DaemonTimer.after(time, () -> turn().execute(task));
  }

  /** Tells whether the calling thread may wait; an event loop may not. */
  public boolean mayBlock() {
    return exchange.mayBlock();
  }

  /**
   * Tells whether writing the answer waits on the calling thread while the client is slow, whatever
   * thread that is: it does in engines that give each request a thread.
   */
  public boolean blocksWriters() {
    return exchange.blocksWriters();
  }

  /**
   * Registers what is called when a server of the application is being closed and takes no new
   * clients any more: for answers that would go on for ever, and whose clients come back elsewhere.
   *
   * @param hook is called once at most, by any thread; it must not block. If it throws, that is
   *     logged and other hooks still run
   * @return forgets the hook; to be run when the answer is over
   */
  public Runnable onDrain(Runnable hook) {
    return faults.servers().onDrain(hook);
  }

  /** Tells whether nobody has begun to read the body. */
  public boolean readable() {
    return stream().readable();
  }

  /**
   * Declares the body read, or unread.
   *
   * @param readable false keeps others from reading it
   */
  public void readable(boolean readable) {
    stream().readable(readable);
  }

  /** Returns the charset by which somebody else makes text of the body, or null. */
  public @Nullable String encoding() {
    return encoding;
  }

  /**
   * Declares that somebody else makes text of the body; parsers then refuse it.
   *
   * @param charset the charset's name; null for nobody
   */
  public void encoding(@Nullable String charset) {
    this.encoding = charset;
  }

  /**
   * Reads the body piece by piece. Where threads may wait, the reader is called inside this call
   * and on the same thread; elsewhere later, on the exchange's turn.
   *
   * @param reader gets the pieces
   * @throws HttpError 500 {@code stream.not.readable} if somebody has begun to read it
   */
  public void read(ChunkReader reader) {
    stream().read(reader);
  }

  /**
   * Takes room in {@link BodyMemory} for what is kept of the body beyond what its reader has said
   * ({@link ChunkReader#keeps}), until the exchange is over.
   *
   * @param bytes how many bytes are kept in all
   * @throws HttpError 503 {@code memory.unavailable} if there is none
   */
  public void keep(long bytes) {
    stream().keep(bytes);
  }

  /**
   * Returns the body as a stream of at most {@code stream limit} bytes; see {@link
   * #inputStream(long)}.
   */
  public InputStream inputStream() {
    return inputStream(streamLimit());
  }

  /**
   * Returns the body as a stream that waits for the client. Its methods throw an {@link
   * java.io.IOException} when the client goes away, {@link HttpError} 413 beyond the limit, and an
   * {@link IllegalStateException} on an event loop, which must not wait.
   *
   * @param limit how many bytes it gives at most
   * @throws HttpError 500 {@code stream.not.readable} if somebody has begun to read the body
   */
  public InputStream inputStream(long limit) {
    return stream().stream(limit);
  }

  /** Returns the body, at most {@code stream limit} bytes, to one subscriber, on demand. */
  public Flow.Publisher<ByteBuffer> publisher() {
    return stream().publisher(streamLimit());
  }

  /**
   * Returns an attribute that a step above has set.
   *
   * @param key its key
   * @param <T> its type
   * @throws IllegalStateException if it is absent
   */
  public <T> T attr(Key<T> key) {
    T value = attrOrNull(key);
    if (value == null) {
      throw new IllegalStateException(
          "attribute \"" + key + "\" is absent: does the middleware that sets it stand above?");
    }
    return value;
  }

  /**
   * Returns an attribute.
   *
   * @param key its key
   * @param <T> its type
   * @return its value, else the key's fallback, else null
   */
  public <T> @Nullable T attrOrNull(Key<T> key) {
    Object value = attributes == null ? null : attributes.get(key.name());
    return value == null ? key.fallback() : key.cast(value);
  }

  /**
   * Sets an attribute for the steps that follow.
   *
   * @param key its key
   * @param value its value; null removes it
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
   * @throws IllegalStateException if no cookie parser stands above
   */
  public Map<String, Object> cookies() {
    return attr(COOKIES);
  }

  /**
   * Returns the cookies whose signature was checked; {@link Boolean#FALSE} where it was wrong.
   *
   * @throws IllegalStateException if no cookie parser stands above
   */
  public Map<String, Object> signedCookies() {
    return attr(SIGNED_COOKIES);
  }

  /**
   * Closes the connection without an answer as soon as somebody has read more of the body than a
   * limit; the reader gets a {@link ClientGone}. The first limit set counts.
   *
   * @param bytes how many bytes may be read
   */
  public void bodyLimit(long bytes) {
    stream().limit(bytes);
  }

  /**
   * Returns up waiting for the step that holds the request: an error goes on in its place, and its
   * {@code next} counts as used. For those who watch requests, from any thread.
   *
   * <p>While a step runs, no error handler can, since steps never run at the same time: then the
   * answer is the default page of the error. It carries the headers set so far but for those that
   * describe a body, and none that the step sets later. The step goes on; what it answers later is
   * refused.
   *
   * @param error the error
   * @return false if there is an answer already; nothing is done then
   */
  public boolean giveUp(HttpError error) {
    if (response.answer().taken()) {
      return false;
    }
    return turn().executeIfIdle(() -> failLast(error)) || FinalHandler.end(error, response);
  }

  /**
   * Chooses how long the answer to this request may take to start, from now on, in the place of
   * {@link dev.percolate.engine.ListenOptions#answerTimeout}: for one that is meant to wait, such
   * as a long poll.
   *
   * @param time how long; zero for no limit
   * @throws IllegalArgumentException if it is negative
   */
  public void answerTimeout(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("answerTimeout(" + time + "): negative");
    }
    if (!response.answer().taken()) {
      dispatchState.answerTimeout(time);
    }
  }

  /** Returns who sees the steps of this request; null for nobody. */
  public @Nullable RequestTrace trace() {
    return dispatchState.trace();
  }

  /**
   * Has somebody see the steps of this request from the next one on; to be called by a step.
   *
   * @param trace sees them; null for nobody
   */
  public void trace(@Nullable RequestTrace trace) {
    dispatchState.trace(trace);
  }

  /** Tells whether a server of the application is being closed, so that others should be asked. */
  public boolean leaving() {
    return faults.servers().leaving();
  }

  /**
   * Returns which request this is and where it stands: {@code GET /x in layer 7, Users.java:31}.
   */
  @Override
  public String toString() {
    return method() + " " + LogText.escape(originalUrl()) + " in " + exchange.turn();
  }

  Exchange exchange() {
    return exchange;
  }

  /**
   * Reports a fault of the application that its client does not see, such as an answer that a
   * description does not allow: a call in memory by the testkit fails by it, else it is logged as a
   * warning.
   *
   * @param complaint what is wrong, for developers
   */
  public void complain(String complaint) {
    if (exchange instanceof ComplaintListener listener) {
      listener.complained(complaint);
    } else {
      LOG.log(System.Logger.Level.WARNING, complaint);
    }
  }

  /** Returns what the preconditions of the request make of the response as it stands. */
  ConditionalRequests.Outcome preconditions() {
    if (!Preconditions.isConditional(headers())) {
      return ConditionalRequests.Outcome.SEND;
    }
    ConditionalRequests rules = settings().conditionalRequests();
    return rules.evaluate(method, response.status(), headers(), response.headers());
  }

  /** Tells whether the client has sent HEAD, whatever a step has made of it. */
  boolean wasHead() {
    return exchange.method().equals("HEAD");
  }

  Turn turn() {
    return exchange.turn();
  }

  DispatchState dispatchState() {
    return dispatchState;
  }

  ErrorCounters faults() {
    return faults;
  }

  /** Reports an error that came too late to be handled. */
  void late(Throwable error) {
    faults.late(error, this, response.answer().givenUp());
  }

  private void failLast(HttpError error) {
    if (!response.answer().taken()) {
      response.answer().giveUp();
      dispatchState.failLast(error);
    }
  }

  long streamLimit() {
    return Objects.requireNonNull(settings().get(Settings.STREAM_LIMIT));
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

  /** Returns what reads the body; most requests have none to be read. */
  private Body stream() {
    Body known = stream;
    if (known == null) {
      known = new Body(exchange, new BodyOwner());
      stream = known;
    }
    return known;
  }

  private TypedInput queryInput() {
    return new TypedInput(InputKind.QUERY, query(), settings().conversions());
  }

  private TypedInput formInput() {
    return new TypedInput(InputKind.FORM, formFields(), settings().conversions());
  }

  /** Returns the fields of a form; none if there is no body, or an empty one. */
  private Map<?, ?> formFields() {
    if (isForm() && body() instanceof Map<?, ?> fields) {
      return fields;
    }
    if (isBodyEmpty()) {
      return Map.of();
    }
    throw unread("form(…): no form was read; does a parser for ", "a form", isForm());
  }

  /** Returns true if there is no body, or one that is announced to be empty. */
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

  private Object record(InputKind kind, Map<?, ?> values, Type type, Class<?> raw) {
    InputFaults faults = faults(kind);
    InputType reader = settings().conversions().records(type, raw);
    Object value = reader.read(values, InputPath.WHOLE, faults);
    if (value == null || !faults.isEmpty()) {
      throw faults.error();
    }
    return value;
  }

  private InputFaults faults(InputKind kind) {
    boolean lenient = Boolean.TRUE.equals(settings().get(Settings.JSON_LENIENT));
    return new InputFaults(kind, () -> FinalHandler.showsTraces(this), lenient);
  }

  private @Nullable Object readBody(Type type, Class<?> raw) {
    JsonDocument document = json;
    if (document != null) {
      return readJson(document, type);
    }
    if (raw.isRecord() && hasBody() && isForm()) {
      return record(InputKind.FORM, nestedForm(), type, raw);
    }
    if (isBodyEmpty()) {
      throw new HttpError(400, "the body is missing, JSON was expected", "entity.absent", null);
    }
    String name = MediaType.parse(get("Content-Type")).type();
    boolean isJson = name != null && (name.equals("application/json") || name.endsWith("+json"));
    throw unread(
        "body(" + type.getTypeName() + "): no JSON body was read; does a JSON parser for ",
        raw.isRecord() ? "JSON or a form" : "JSON",
        isJson);
  }

  private @Nullable Object readJson(JsonDocument document, Type type) {
    if (type.equals(typedAs)) {
      return typed;
    }
    InputFaults faults = faults(InputKind.JSON);
    Object value;
    try {
      value = document.read(type, faults);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, e.getMessage(), "entity.parse.failed", e)
          .with("body", document.text());
    }
    if (!faults.isEmpty()) {
      throw faults.error().with("body", document.text());
    }
    typed = value;
    typedAs = type;
    return value;
  }

  /**
   * Returns why a body was not read. 415 if the client sent a type that is not expected, or that
   * the parsers of the application do not accept; a fault of the application if it has no parser.
   *
   * @param fault what the application did, up to the type of the body
   * @param expected what can be read
   * @param isExpected whether the type of the body is one of those
   */
  private RuntimeException unread(String fault, String expected, boolean isExpected) {
    String sent = get("Content-Type");
    if (isExpected && attrOrNull(BODY_PASSED_ON) == null) {
      return new IllegalStateException(fault + MediaType.parse(sent).type() + " stand above?");
    }
    String message;
    if (sent == null) {
      message = "the body has no type, " + expected + " was expected";
    } else if (isExpected) {
      message = "no parser accepts the type " + LogText.escape(sent);
    } else {
      message = "the body is " + LogText.escape(sent) + ", " + expected + " was expected";
    }
    return new HttpError(415, message, "entity.type.unsupported", null);
  }

  /**
   * Returns when a piece of the body was read last: now if a step waits for one.
   *
   * @param before what counts if nothing was read
   */
  long bodyReadAt(long now, long before) {
    Body known = stream;
    return known == null ? before : known.readAt(now, before);
  }

  /**
   * Tells people in development of a request for another protocol that nobody has taken; not of
   * HTTP/2, which clients such as that of the JDK offer to whomever they ask.
   */
  private void tellUpgrade() {
    if (response.status() != 101 && !"h2c".equalsIgnoreCase(exchange.headers().get("Upgrade"))) {
      String asked = LogText.escape(String.valueOf(exchange.headers().get("Upgrade")));
      String head = exchange.method() + " " + LogText.escape(exchange.target());
      LOG.log(
          Level.INFO,
          "{0} asked for the protocol \"{1}\", and was answered {2} in {3}: no step there has"
              + " taken it, such as WebSockets.of(…)",
          head,
          asked,
          response.status(),
          exchange.turn());
    }
  }

  /** Answers that the time is over, on the turn if that is free. */
  void expire(Duration time) {
    if (response.answer().taken()) {
      return;
    }
    faults.unanswered("no answer within " + time + ": " + dispatchState.waiting());
    HttpError error = new HttpError(503, "Response timeout");
    // Past error handlers: those, too, may never answer.
    if (!turn().executeIfIdle(() -> FinalHandler.end(error, response))) {
      FinalHandler.end(error, response);
    }
  }

  /** What the reading of the body asks of the request. */
  private final class BodyOwner implements Body.Owner {

    @Override
    public long announced() {
      return ContentLength.parse(get("Content-Length"));
    }

    @Override
    public long streamLimit() {
      return Request.this.streamLimit();
    }

    @Override
    public void onFinish(Runnable hook) {
      response.onFinish(hook);
    }
  }
}
