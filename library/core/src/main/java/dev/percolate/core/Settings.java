package dev.percolate.core;

import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.HeaderEncoding;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Negotiation;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Target;
import dev.percolate.http.Trust;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Named values, with a parent for values that are not set here.
 *
 * <p>Values are read when they are used, by name or by typed {@link Key}. Thread-safe: a reader
 * gets either the old or the new value.
 */
public final class Settings {

  /** The environment mode, such as {@code production}. Default: {@link #processEnv}. */
  public static final Key<String> ENV = Key.of("env", String.class);

  /**
   * How entity tags are created: {@code weak} (or true), {@code strong}, false for none, or an
   * {@link ETagFunction}.
   */
  public static final Key<Object> ETAG = Key.of("etag", Object.class);

  /**
   * The hash in weak entity tags: {@code crc}, two checksums of the body; {@code md5}, as in
   * Express and in strong tags, which takes many times as long. Default: {@code crc}. Choose {@code
   * md5} if clients must see each change, even one whose author can choose other parts of the body.
   */
  public static final Key<String> ETAG_HASH = Key.of("etag hash", String.class, "crc");

  /**
   * The rules for conditional requests, ranges, and the headers of 304 and of errors: {@code
   * standard}, those of RFC 9110 and RFC 9111, or {@code express}. Express 3 compares entity tags
   * as text, sends the whole body to requests with {@code Cache-Control: no-cache}, ignores {@code
   * If-Match}, and leaves headers of the intended response on errors. Default: {@code standard}.
   */
  public static final Key<String> CONDITIONAL_REQUESTS =
      Key.of("conditional requests", String.class, "standard");

  /**
   * The JSON codec of an application, and of mounted applications without their own. Default: the
   * codec of the process ({@link JsonCodec#find}). For example:
   *
   * <pre>{@code
   * app.set(Settings.JSON_CODEC, JacksonCodec.of(jsonMapper));
   * }</pre>
   */
  public static final Key<JsonCodec> JSON_CODEC = Key.of("json codec", JsonCodec.class);

  /**
   * The validation of the constraints of values that are read from requests. Default: that of the
   * process; see {@link Validation}. To read values without validation:
   *
   * <pre>{@code
   * app.set(Settings.VALIDATION, (value, locale) -> List.of());
   * }</pre>
   */
  public static final Key<Validation> VALIDATION = Key.of("validation", Validation.class);

  /**
   * Whether {@link Request#body(Class)} accepts absent components of records, which become null, 0
   * or false, and converts values of other types, such as a number to a string. If true, the JSON
   * codec does both. If false, which is the default, both are 400 errors, unless the component may
   * be absent.
   */
  public static final Key<Boolean> JSON_LENIENT = Key.of("json lenient", Boolean.class, false);

  /** The indentation of JSON responses: a number of spaces, or a string for each level. */
  public static final Key<Object> JSON_SPACES = Key.of("json spaces", Object.class);

  /**
   * Changes the values of JSON responses: a {@link JsonCodec.Replacer}, or a list of names to keep.
   */
  public static final Key<Object> JSON_REPLACER = Key.of("json replacer", Object.class);

  /**
   * Whether {@code <}, {@code >} and {@code &} are escaped in JSON responses, as needed for JSON
   * inside HTML pages. Default: false.
   */
  public static final Key<Boolean> JSON_ESCAPE = Key.of("json escape", Boolean.class, false);

  /** The query parameter that names the callback function of JSONP. Default: {@code callback}. */
  public static final Key<String> JSONP_CALLBACK_NAME =
      Key.of("jsonp callback name", String.class, "callback");

  /**
   * The encoding of text outside ASCII in {@code Location}, {@code Content-Location}, {@code Link}
   * and {@code Content-Disposition}: {@code ascii} percent-encodes it, so that all clients can read
   * it (RFC 3986, RFC 8187); {@code latin1} sends ISO-8859-1 and unchanged URLs.
   */
  public static final Key<String> HEADER_ENCODING =
      Key.of("header encoding", String.class, "ascii");

  /**
   * The media types of file extensions: a map that is added to the {@linkplain MimeTypes#standard
   * standard} ones, such as {@code Map.of("parquet", "application/vnd.apache.parquet")}, or {@link
   * MimeTypes}.
   */
  public static final Key<Object> MIME_TYPES = Key.of("mime types", Object.class);

  /** Whether responses have an {@code X-Powered-By} header. Default: false. */
  public static final Key<Boolean> X_POWERED_BY = Key.of("x-powered-by", Boolean.class, false);

  /** The value of the {@code X-Powered-By} header. */
  public static final Key<String> POWERED_BY = Key.of("powered by", String.class, "Percolate");

  /**
   * Which clients get stack traces and messages of hidden errors: {@code loopback} for clients on
   * this machine; {@code all}; {@code none}. No client gets them if the process is in production;
   * if the application is, only {@code all} shows them. See {@link ErrorResponse#showsTraces}.
   */
  public static final Key<String> STACK_TRACES = Key.of("stack traces", String.class, "loopback");

  /**
   * The maximum number of bytes of {@link Request#inputStream()} and similar methods. Default: 10
   * MiB.
   */
  public static final Key<Long> STREAM_LIMIT = Key.of("stream limit", Long.class, 10L << 20);

  /**
   * Which proxies are trusted to report the address, scheme and host of a client; see {@link
   * Trust#of}. Default: none.
   */
  public static final Key<Object> TRUST_PROXY = Key.of("trust proxy", Object.class);

  /** The number of host labels that {@link Request#subdomains()} omits. Default: 2. */
  public static final Key<Number> SUBDOMAIN_OFFSET = Key.of("subdomain offset", Number.class, 2);

  /**
   * How to handle requests whose path can be written in several ways, such as {@code /%61dmin},
   * {@code /x/../admin} and {@code //admin}:
   *
   * <pre>
   *   normalise   mounts, routes and files use the normal form of the path; the default
   *   pass        mounts and routes compare the path as sent; files use the decoded path
   *   refuse      400 before any middleware ({@link Target#isAmbiguous})
   * </pre>
   *
   * <p>With {@code normalise}, access checks that are mounted at a path see the same path as later
   * file servers. Paths that are still ambiguous get 400 before any middleware ({@link
   * NormalPath#isDoubtful}). Mounts and file lookups also respond with 400 if decoding all escapes
   * of the path would lead elsewhere: {@code /admin%2Fx} before a mount at {@code /admin}. Route
   * parameters may contain an encoded slash. {@link Request#url} and {@link Request#originalUrl}
   * remain as sent; {@link Request#path} is the normal form.
   *
   * <p>The setting applies to the outermost application, to {@link Chain#service}, and to servlet
   * filters.
   */
  public static final Key<String> AMBIGUOUS_TARGETS =
      Key.of("ambiguous targets", String.class, "normalise");

  /**
   * Whether {@code OPTIONS *}, which asks about the server and not about a resource, gets 200 with
   * the methods that the server understands, before any middleware (RFC 9110 section 9.3.7).
   * Request loggers log it. Default: true. If false, the request passes through the middleware and
   * gets 404.
   *
   * <p>The setting applies to the outermost application, to {@link Chain#service}, and to servlet
   * filters.
   */
  public static final Key<Boolean> SERVER_OPTIONS = Key.of("server options", Boolean.class, true);

  /**
   * The response that request loggers show:
   *
   * <pre>
   *   sent   the status code and the length that the client got, also if the server set them; the default
   *   set    the status code that the response has when the line is written, and a length only if
   *          the application set {@code Content-Length}, as loggers of Express do
   * </pre>
   */
  public static final Key<String> LOGGED_RESPONSE = Key.of("logged response", String.class, "sent");

  /**
   * Whether {@link Response#sendFile} and similar methods serve files in directories whose names
   * start with a dot, unless their options have a rule for such names. If true, only file names
   * that start with a dot are hidden. Default: false. Then any such name in the path gets 404.
   */
  public static final Key<Boolean> DOTTED_FOLDERS = Key.of("dotted folders", Boolean.class, false);

  /**
   * The time without a response after which developers are notified of a request and of the handler
   * that it waits for; zero for never. Default: 2 s. The setting applies in the environment {@code
   * development}, to the outermost application.
   */
  public static final Key<Duration> SLOW_REQUEST_WARNING =
      Key.of("slow request warning", Duration.class, Duration.ofSeconds(2));

  /**
   * Warnings at startup to suppress: names, separated by commas or as a list, such as {@code
   * unreachable-route}, or {@code unreachable-route Shop.java:31} for one source line.
   */
  public static final Key<Object> LINT_IGNORE = Key.of("lint ignore", Object.class, "");

  /**
   * How cookies are signed and which signatures are accepted: {@code bound}, by purpose, name and
   * value of the cookie; {@code express}, by its value alone, for applications that share cookies
   * with Express; {@code both} signs like {@code bound} and accepts either, for a migration. {@code
   * express} also sends text without escapes. A signature by value alone is valid in any cookie
   * with the same secret, so clients must not be able to choose a signed value.
   */
  public static final Key<String> COOKIE_SIGNATURE =
      Key.of("cookie signature", String.class, "bound");

  /**
   * The rules for comparing content types, charsets, languages and content encodings with those of
   * a request: {@code standard}, those of RFC 9110; {@code express}, those of Express 3, which are
   * case-sensitive and leave {@code Vary} out of directory listings and error pages.
   */
  public static final Key<String> CONTENT_NEGOTIATION =
      Key.of("content negotiation", String.class, "standard");

  private static final Object NULL = new Object();

  /** The number of changes of all settings. Each change makes all snapshots obsolete. */
  private static final AtomicInteger CHANGES = new AtomicInteger();

  private volatile Map<String, Object> values = Map.of();
  private volatile @Nullable Settings parent;
  private volatile Snapshot snapshot = new Snapshot(-1, Map.of(), Map.of());

  /** The own and inherited values after a number of changes, and values derived from them. */
  private record Snapshot(int changes, Map<String, Object> values, Map<String, Object> derived) {}

  /** Creates settings without values. */
  public Settings() {}

  /**
   * Creates the settings of an application: without values of its own, with {@link #defaults} as
   * parent.
   */
  public static Settings ofApplication() {
    Settings settings = new Settings();
    settings.parent(defaults());
    return settings;
  }

  /**
   * Creates the default values of applications. They apply unless the application, or one that it
   * is mounted in, sets another value: {@code env} is the system property {@code percolate.env},
   * else the environment variable {@code APP_ENV}, else {@code development}; {@code etag} is weak;
   * {@code json spaces} is 2 in development and 0 in production. The other defaults are those of
   * Express, for templates that read them.
   */
  public static Settings defaults() {
    String env = processEnv();
    Settings settings =
        new Settings()
            .set(ENV, env)
            .set(ETAG, "weak")
            .set(X_POWERED_BY, false)
            .set(SUBDOMAIN_OFFSET, 2)
            .set(JSONP_CALLBACK_NAME, "callback")
            .set(TRUST_PROXY, false)
            .set(JSON_REPLACER.name(), null);
    if (env.equals("development")) {
      settings.set(JSON_SPACES, 2);
    } else if (env.equals("production")) {
      settings.set(JSON_SPACES, 0);
    }
    return settings;
  }

  /** Returns the names of all settings that the library reads, in order. */
  public static SortedSet<String> known() {
    return SettingRules.names();
  }

  /** Returns the environment mode of the process, which settings of applications do not change. */
  public static String processEnv() {
    String property = System.getProperty("percolate.env");
    if (property != null && !property.isEmpty()) {
      return property;
    }
    String variable = System.getenv("APP_ENV");
    return variable != null && !variable.isEmpty() ? variable : "development";
  }

  /** Returns true if the application is in development. */
  boolean isDevelopment() {
    return "development".equals(get(ENV));
  }

  /**
   * Sets a value.
   *
   * @param name its name
   * @param value its value; null is also a value
   * @return these settings
   * @throws IllegalArgumentException if the library reads the setting and the value is invalid
   */
  public synchronized Settings set(String name, @Nullable Object value) {
    Object checked = SettingRules.checked(name, value);
    Map<String, Object> copy = new HashMap<>(values);
    copy.put(name, checked == null ? NULL : checked);
    values = copy;
    CHANGES.incrementAndGet();
    return this;
  }

  /**
   * Sets a value by its typed key.
   *
   * @param key its key
   * @param value its value
   * @param <T> its type
   * @return these settings
   */
  public <T> Settings set(Key<T> key, T value) {
    return set(key.name(), key.cast(value));
  }

  /**
   * Copies all values that other settings have themselves, without those of their parents.
   *
   * @param others the other settings
   * @return these settings
   */
  public Settings set(Settings others) {
    others.values.forEach((name, value) -> set(name, value == NULL ? null : value));
    return this;
  }

  /** Returns the names of the values that these settings have themselves, in order. */
  public SortedSet<String> names() {
    return new TreeSet<>(values.keySet());
  }

  /**
   * Returns a value of these settings, or of the nearest parent that has it.
   *
   * @param name its name
   * @return the value; null if it is not set
   */
  public @Nullable Object get(String name) {
    Object value = current().values().get(name);
    return value == NULL ? null : value;
  }

  /** Returns a snapshot, a new one if any settings have changed since the last. */
  private Snapshot current() {
    Snapshot known = snapshot;
    int changes = CHANGES.get();
    if (known.changes() == changes) {
      return known;
    }
    Settings above = parent;
    Map<String, Object> all = new HashMap<>(above == null ? Map.of() : above.current().values());
    all.putAll(values);
    Snapshot taken = new Snapshot(changes, all, new ConcurrentHashMap<>());
    snapshot = taken;
    return taken;
  }

  /**
   * Returns a value by its typed key.
   *
   * @param key its key
   * @param <T> its type
   * @return the value, else the fallback of the key, else null
   * @throws IllegalArgumentException if the value does not have the type of the key
   */
  public <T> @Nullable T get(Key<T> key) {
    Object value = get(key.name());
    return value == null ? key.defaultValue() : key.cast(value);
  }

  /**
   * Returns true if a value was set here or in a parent, even to null.
   *
   * @param name its name
   */
  public boolean has(String name) {
    return current().values().containsKey(name);
  }

  /**
   * Returns true if a setting counts as true; see {@link #truthy}.
   *
   * @param name its name
   */
  public boolean enabled(String name) {
    return truthy(get(name));
  }

  /**
   * Returns true if a value counts as true: any value except null, false, zero, NaN and the empty
   * string.
   *
   * @param value the value
   */
  public static boolean truthy(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue() != 0 && !Double.isNaN(number.doubleValue());
    }
    return value != null && !value.equals(false) && !value.equals("");
  }

  /**
   * Sets the parent, which has the values that are not set here.
   *
   * @param above the parent; null for none
   */
  public void parent(@Nullable Settings above) {
    parent = above;
    CHANGES.incrementAndGet();
  }

  /**
   * Returns the value computed from a setting. It is computed again only after a change of
   * settings.
   *
   * @param name the name of the setting
   * @param compile computes the value; must not return null
   * @param <T> its type; always the same for a setting
   */
  @SuppressWarnings("unchecked") // only this method writes, by the same name
  public <T> T derived(String name, Function<@Nullable Object, T> compile) {
    Snapshot now = current();
    Object known = now.derived().get(name);
    if (known == null) {
      Object source = now.values().get(name);
      known = compile.apply(source == NULL ? null : source);
      now.derived().put(name, known);
    }
    return (T) known;
  }

  /**
   * Returns the JSON codec: {@link #JSON_CODEC}, else the codec of the process.
   *
   * @throws IllegalStateException if none is set, and the process has none or more than one
   */
  public JsonCodec jsonCodec() {
    JsonCodec own = get(JSON_CODEC);
    return own == null ? JsonCodec.find() : own;
  }

  /**
   * Returns the validation: {@link #VALIDATION}, else that of the process. The first call loads the
   * library, which takes a second or more; applications call this when a server starts.
   *
   * @return null if there is none
   */
  public @Nullable Validation validation() {
    Validation own = get(VALIDATION);
    return own == null ? FoundValidation.get() : own;
  }

  /** Returns the media types of file extensions, according to {@link #MIME_TYPES}. */
  public MimeTypes mimeTypes() {
    return derived(MIME_TYPES.name(), MimeTypes::of);
  }

  /** Returns the encoding of text in headers, according to {@link #HEADER_ENCODING}. */
  HeaderEncoding headerEncoding() {
    return derived(HEADER_ENCODING.name(), HeaderEncoding::of);
  }

  /** Returns the function of {@link #ETAG} and {@link #ETAG_HASH}. */
  EntityTags entityTags() {
    return derived(ETAG.name(), setting -> EntityTags.of(setting, "md5".equals(get(ETAG_HASH))));
  }

  /** Returns the rules of {@link #CONDITIONAL_REQUESTS}. */
  ConditionalRequests conditionalRequests() {
    return derived(CONDITIONAL_REQUESTS.name(), ConditionalRequests::of);
  }

  /** Returns the rules of {@link #CONTENT_NEGOTIATION}. */
  Negotiation negotiation() {
    return derived(CONTENT_NEGOTIATION.name(), Negotiation::of);
  }

  /** Returns the conversions: {@link Conversions#SETTING}, else the standard ones. */
  public Conversions conversions() {
    Conversions own = get(Conversions.SETTING);
    return own == null ? Conversions.standard() : own;
  }

  /** Returns the JSON style of {@link #JSON_SPACES} and {@link #JSON_REPLACER}. */
  JsonCodec.WriteOptions jsonStyle() {
    return JsonStyle.of(get(JSON_REPLACER), get(JSON_SPACES));
  }
}
