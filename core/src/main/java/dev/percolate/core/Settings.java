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
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds named values, with a parent to ask for those it does not have itself.
 *
 * <p>Values are read at the time of use, by plain name or by typed {@link Key}. Any thread may read
 * and set: a reader sees a value whole, old or new.
 */
public final class Settings {

  /** The environment mode; {@code development} unless the process says otherwise. */
  public static final Key<String> ENV = Key.of("env", String.class);

  /**
   * How entity tags are made: {@code weak} (or true), {@code strong}, false, or an {@link
   * ETagFunction}.
   */
  public static final Key<Object> ETAG = Key.of("etag", Object.class);

  /**
   * The rules for conditional requests, ranges, and the headers of 304 and of errors: {@code
   * standard}, those of RFC 9110 and RFC 9111, or {@code express}. Express 3 compares entity tags
   * as text, sends the whole body to requests with {@code Cache-Control: no-cache}, ignores {@code
   * If-Match}, and leaves headers of the intended response on errors. Default: {@code standard}.
   */
  public static final Key<String> CONDITIONAL_REQUESTS =
      Key.of("conditional requests", String.class, "standard");

  /**
   * Reads and writes the JSON of an application, and of those mounted on it that have none of their
   * own; the codec of the process ({@link JsonCodec#find}) where none is set:
   *
   * <pre>{@code
   * app.set(Settings.JSON_CODEC, JacksonCodec.of(jsonMapper));
   * }</pre>
   */
  public static final Key<JsonCodec> JSON_CODEC = Key.of("json codec", JsonCodec.class);

  /**
   * Whether {@link Request#body(Class)} leaves it to the JSON codec what becomes of components of
   * records that are absent, which then are null, 0 or false, and of values of another type, such
   * as a number for a text: for clients that leave out what they do not know. False: both are an
   * error 400, unless the component may be absent.
   */
  public static final Key<Boolean> JSON_LENIENT = Key.of("json lenient", Boolean.class, false);

  /** Indents JSON answers: a number of blanks, or the text for each level. */
  public static final Key<Object> JSON_SPACES = Key.of("json spaces", Object.class);

  /** Changes what JSON answers hold: a {@link JsonCodec.Replacer}, or the list of names to keep. */
  public static final Key<Object> JSON_REPLACER = Key.of("json replacer", Object.class);

  /**
   * Whether JSON answers hold {@code <}, {@code >} and {@code &} as escapes, as those must that are
   * put into pages; false.
   */
  public static final Key<Boolean> JSON_ESCAPE = Key.of("json escape", Boolean.class, false);

  /** Names the parameter of the query that asks for JSONP; {@code callback}. */
  public static final Key<String> JSONP_CALLBACK_NAME =
      Key.of("jsonp callback name", String.class, "callback");

  /**
   * How {@code Location}, {@code Content-Location}, {@code Link} and {@code Content-Disposition}
   * hold text outside ASCII: {@code ascii} percent-encodes it, so that all clients read it (RFC
   * 3986, RFC 8187); {@code latin1} sends ISO-8859-1, and URLs as they are.
   */
  public static final Key<String> HEADER_ENCODING =
      Key.of("header encoding", String.class, "ascii");

  /**
   * The media types of extensions: a map that adds to the {@linkplain MimeTypes#standard standard}
   * ones, such as {@code Map.of("parquet", "application/vnd.apache.parquet")}, or {@link
   * MimeTypes}.
   */
  public static final Key<Object> MIME_TYPES = Key.of("mime types", Object.class);

  /** Whether answers carry {@code X-Powered-By}; false. */
  public static final Key<Boolean> X_POWERED_BY = Key.of("x-powered-by", Boolean.class, false);

  /** What {@code X-Powered-By} says. */
  public static final Key<String> POWERED_BY = Key.of("powered by", String.class, "Percolate");

  /**
   * Which clients get stack traces and messages of hidden errors: {@code loopback} for clients on
   * this machine; {@code all}; {@code none}. No client gets them if the process is in production;
   * if the application is, only {@code all} shows them. See {@link FinalHandler#showsTraces}.
   */
  public static final Key<String> STACK_TRACES = Key.of("stack traces", String.class, "loopback");

  /** How many bytes {@link Request#inputStream()} and the like give at most; 10 MiB. */
  public static final Key<Long> STREAM_LIMIT = Key.of("stream limit", Long.class, 10L << 20);

  /**
   * Which proxies are trusted to report the address, scheme and host of a client; see {@link
   * Trust#of}. Default: none.
   */
  public static final Key<Object> TRUST_PROXY = Key.of("trust proxy", Object.class);

  /** How many parts of the host {@link Request#subdomains()} leaves out; 2. */
  public static final Key<Number> SUBDOMAIN_OFFSET = Key.of("subdomain offset", Number.class, 2);

  /**
   * What becomes of requests whose path can be written in several ways, such as {@code /%61dmin},
   * {@code /x/../admin} and {@code //admin}:
   *
   * <pre>
   *   normalise   mounts, routes and files go by the one normal form of the path; the default
   *   pass        mounts and routes compare what was sent, files are found by what it decodes to
   *   refuse      400 before any step ({@link Target#isAmbiguous})
   * </pre>
   *
   * <p>With {@code normalise} a guard that is mounted at a path sees what a file server behind it
   * would serve. 400 is the answer, before any step, to a path that can mean two things all the
   * same ({@link NormalPath#isDoubtful}); and, at a mount or where files are looked for, to one
   * that would lie elsewhere if all its escapes were decoded: {@code /admin%2Fx} in front of a
   * mount at {@code /admin}. A parameter of a route may have an encoded slash. {@link Request#url}
   * and {@link Request#originalUrl} stay as sent, {@link Request#path} is the normal form.
   *
   * <p>It counts in the outermost application, in {@link Chain#service}, and in a filter of
   * servlets.
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
   * Which response request loggers show:
   *
   * <pre>
   *   sent   the status code and the length that the client got, also if the server set them; the default
   *   set    the status code that the response has when the line is written, and a length only if
   *          the application set {@code Content-Length}, as loggers of Express do
   * </pre>
   */
  public static final Key<String> LOGGED_RESPONSE = Key.of("logged response", String.class, "sent");

  /**
   * Whether files in folders whose names begin with a dot are found by {@link Response#sendFile}
   * and the like, where their options do not say what happens to such names: only a dot at the
   * beginning of the last part hides a file then. False: each such part makes a 404.
   */
  public static final Key<Boolean> DOTTED_FOLDERS = Key.of("dotted folders", Boolean.class, false);

  /**
   * After which time without an answer developers are notified of a request, and of the step that
   * it waits for; 2 s, zero for never. It counts in the environment {@code development}, in the
   * outermost application.
   */
  public static final Key<Duration> HANG_NOTICE =
      Key.of("hang notice", Duration.class, Duration.ofSeconds(2));

  /**
   * Which warnings about the order of layers are not given: names, separated by commas or as a
   * list, such as {@code unreachable-route}, or {@code unreachable-route Shop.java:31} for one
   * place.
   */
  public static final Key<Object> LINT_IGNORE = Key.of("lint ignore", Object.class, "");

  /**
   * How cookies are signed, and which signatures count: {@code bound}, to the purpose and the name
   * of the cookie; {@code express}, by its value alone and with text as it is, for applications
   * that share cookies with those of Express; {@code both} makes the former and reads either, for
   * the time of a change. What was signed as by Express is right in any cookie of the same secret:
   * let nobody choose it.
   */
  public static final Key<String> COOKIE_SIGNATURE =
      Key.of("cookie signature", String.class, "bound");

  /**
   * The rules by which content types, charsets, languages and encodings of requests are compared:
   * {@code standard}, those of RFC 9110; {@code express}, those of Express 3, by exact case.
   */
  public static final Key<String> CONTENT_NEGOTIATION =
      Key.of("content negotiation", String.class, "standard");

  private static final Object NULL = new Object();

  private final Map<String, Derived> derived = new ConcurrentHashMap<>();
  private volatile Map<String, Object> values = Map.of();
  private volatile @Nullable Settings parent;

  private record Derived(@Nullable Object source, Object value) {}

  /** Creates settings without any value. */
  public Settings() {}

  /** Creates the settings of an application: without own values, but with {@link #defaults}. */
  public static Settings ofApplication() {
    Settings settings = new Settings();
    settings.parent(defaults());
    return settings;
  }

  /**
   * Creates the values that hold in an application as long as neither it nor an application that it
   * is mounted in sets another: {@code env} by the system property {@code percolate.env}, else the
   * variable {@code APP_ENV}, else {@code development}; {@code etag} weak; {@code json spaces} 2 in
   * development and 0 in production; and those of Express for the others that templates may ask
   * for.
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

  /** Returns the environment mode of the process, whatever an application has set. */
  public static String processEnv() {
    String property = System.getProperty("percolate.env");
    if (property != null && !property.isEmpty()) {
      return property;
    }
    String variable = System.getenv("APP_ENV");
    return variable != null && !variable.isEmpty() ? variable : "development";
  }

  /**
   * Sets a value.
   *
   * @param name its name
   * @param value its value; null is a value too
   * @return these settings
   * @throws IllegalArgumentException if the library reads the setting and does not take the value
   */
  public synchronized Settings set(String name, @Nullable Object value) {
    Object checked = SettingRules.checked(name, value);
    Map<String, Object> copy = new HashMap<>(values);
    copy.put(name, checked == null ? NULL : checked);
    values = copy;
    return this;
  }

  /**
   * Sets a value by its typed name.
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
   * Sets all values that other settings hold themselves, without those of their parents.
   *
   * @param others the other settings
   * @return these settings
   */
  public Settings set(Settings others) {
    others.values.forEach((name, value) -> set(name, value == NULL ? null : value));
    return this;
  }

  /** Returns the names of the values that these settings hold themselves, in order. */
  public SortedSet<String> names() {
    return new TreeSet<>(values.keySet());
  }

  /**
   * Returns a value, of these settings or of the nearest parent that has it.
   *
   * @param name its name
   * @return the value; null where none was set
   */
  public @Nullable Object get(String name) {
    Object value = values.get(name);
    if (value != null) {
      return value == NULL ? null : value;
    }
    Settings above = parent;
    return above == null ? null : above.get(name);
  }

  /**
   * Returns a value by its typed name.
   *
   * @param key its key
   * @param <T> its type
   * @return the value, else the key's fallback, else null
   * @throws IllegalArgumentException if the value is not of the key's type
   */
  public <T> @Nullable T get(Key<T> key) {
    Object value = get(key.name());
    return value == null ? key.fallback() : key.cast(value);
  }

  /**
   * Tells whether a value was set here or in a parent, were it null.
   *
   * @param name its name
   */
  public boolean has(String name) {
    Settings above = parent;
    return values.containsKey(name) || (above != null && above.has(name));
  }

  /**
   * Tells whether a setting counts as true; see {@link #truthy}.
   *
   * @param name its name
   */
  public boolean enabled(String name) {
    return truthy(get(name));
  }

  /**
   * Tells whether a value counts as true: anything but null, false, zero, not-a-number and the
   * empty text.
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
   * Puts settings above these, to be asked for what these do not have.
   *
   * @param above the parent; null for none
   */
  public void parent(@Nullable Settings above) {
    parent = above;
  }

  /**
   * Returns what is compiled from a setting, compiled anew only when the setting has changed.
   *
   * @param name the setting's name
   * @param compile makes it; never gives null
   * @param <T> its type; of one setting always the same
   */
  @SuppressWarnings("unchecked") // only this method writes, by the same name
  public <T> T derived(String name, Function<@Nullable Object, T> compile) {
    Object source = get(name);
    Derived known = derived.get(name);
    if (known == null || known.source != source) {
      known = new Derived(source, compile.apply(source));
      derived.put(name, known);
    }
    return (T) known.value;
  }

  /**
   * Returns what reads and writes JSON here: {@link #JSON_CODEC}, else the codec of the process.
   *
   * @throws IllegalStateException if none is set, and the process has none, or more than one
   */
  public JsonCodec jsonCodec() {
    JsonCodec own = get(JSON_CODEC);
    return own == null ? JsonCodec.find() : own;
  }

  /** Returns the media types of extensions, by {@link #MIME_TYPES}. */
  public MimeTypes mimeTypes() {
    return derived(MIME_TYPES.name(), MimeTypes::of);
  }

  /** Returns how text is written to headers, by {@link #HEADER_ENCODING}. */
  HeaderEncoding headerEncoding() {
    return derived(HEADER_ENCODING.name(), HeaderEncoding::of);
  }

  /** Returns the rules that {@link #CONDITIONAL_REQUESTS} names. */
  ConditionalRequests conditionalRequests() {
    return derived(CONDITIONAL_REQUESTS.name(), ConditionalRequests::of);
  }

  /** Returns the rules that {@link #CONTENT_NEGOTIATION} names. */
  Negotiation negotiation() {
    return derived(CONTENT_NEGOTIATION.name(), Negotiation::of);
  }

  /** Returns what reads texts as values: {@link Conversions#SETTING}, else the standard one. */
  public Conversions conversions() {
    Conversions own = get(Conversions.SETTING);
    return own == null ? Conversions.standard() : own;
  }

  /** Returns the style that {@link #JSON_SPACES} and {@link #JSON_REPLACER} ask for. */
  JsonCodec.Style jsonStyle() {
    Object replacer = get(JSON_REPLACER);
    String indent = indent(get(JSON_SPACES));
    if (replacer instanceof JsonCodec.Replacer function) {
      return new JsonCodec.Style(indent, function, null);
    }
    if (replacer instanceof List<?> names) {
      return new JsonCodec.Style(indent, null, names.stream().map(String::valueOf).toList());
    }
    return indent.isEmpty() ? JsonCodec.Style.COMPACT : new JsonCodec.Style(indent, null, null);
  }

  private static String indent(@Nullable Object spaces) {
    if (spaces instanceof Number number) {
      return " ".repeat(Math.max(0, Math.min(10, number.intValue())));
    }
    return spaces instanceof String text ? text.substring(0, Math.min(10, text.length())) : "";
  }
}
