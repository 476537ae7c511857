package dev.percolate.framework;

import dev.percolate.core.AppCounters;
import dev.percolate.core.AppState;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TraitsProvider;
import dev.percolate.core.Validation;
import dev.percolate.engine.CallSite;
import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.framework.path.PathSyntax;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An application. Handles requests with an ordered list of layers: middleware at mount paths, and
 * routes.
 *
 * <p>Layers are tried in the order of their definition. An application is a {@link Middleware}, so
 * it can be mounted in another one. It then sees the URL without its mount path, and inherits the
 * settings that it does not set. It passes on requests that it does not respond to. Layers can be
 * added while the application serves requests; requests in progress keep the layers that they
 * started with. Thread-safe.
 *
 * <pre>{@code
 * App app = new App();
 * app.use(RequestLogger.of("combined"));
 * app.get("/users/:user", members, (req, res) -> res.json(req.attr(USER)));
 * app.use("/admin", admin);
 * app.use((error, req, res, next) -> res.status(500).send("sorry"));
 * Server server = app.listen(3000);
 * }</pre>
 */
public final class App implements Middleware, Service, StartCheck, RouteMethods<App> {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** Classes to skip when finding the caller's source line. */
  private static final Set<String> CALLED =
      Set.of(
          App.class.getName(),
          RouteMethods.class.getName(),
          RouteBuilder.class.getName(),
          SettingOrigins.class.getName());

  private final Settings settings = AppSettings.create();
  private final SettingOrigins settingOrigins = new SettingOrigins();
  private final Map<String, @Nullable Object> locals =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Views views = new Views(this);
  private final AppState state = new AppState(settings);
  private final Stack stack = new Stack();
  private final ParamCallbacks params = new ParamCallbacks();
  private final MountPoint mounting = new MountPoint(this);
  private final CloseActions closing = new CloseActions();
  private final List<RequiredStep> rules = new CopyOnWriteArrayList<>();
  private boolean caseSensitive;
  private boolean strict;

  /** Creates an application without layers, with the default settings of the environment. */
  public App() {
    locals.put("settings", settings);
  }

  /**
   * Returns the application that currently handles a request.
   *
   * @param req the request
   * @return the innermost application that handles the request; null if there is none
   */
  public static @Nullable App of(Request req) {
    return StackDispatch.appOf(req);
  }

  /**
   * Sets a setting of the library or of the application. A name that resembles one of the library
   * is reported when a server starts; see {@link #lint}.
   *
   * @param name the name of the setting
   * @param value the value
   * @throws IllegalArgumentException if a known setting does not accept the value, or the name
   *     starts with a slash like the path of a route
   */
  public App set(String name, @Nullable Object value) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "set(\"" + name + "\", …): setting name must not start with \"/\"");
    }
    settings.set(name, value);
    settingOrigins.set(name, CALLED);
    return this;
  }

  /**
   * Sets a setting by its typed key.
   *
   * @param key the key of the setting
   * @param value the value
   * @param <V> the type of the value
   */
  public <V> App set(Key<V> key, V value) {
    settings.set(key, value);
    settingOrigins.set(key.name(), CALLED);
    return this;
  }

  /**
   * Sets all values of other settings, such as {@link AppSettings#express}.
   *
   * @param settings the other settings
   */
  public App set(Settings settings) {
    this.settings.set(settings);
    return this;
  }

  /**
   * Returns a setting of this application, or of the applications that it is mounted in.
   *
   * @param name the name of the setting
   * @return the value; null if it is not set
   * @throws IllegalArgumentException if the name starts with a slash, since a route needs a handler
   */
  public @Nullable Object get(String name) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "get(\""
              + name
              + "\"): a route needs a handler, and a setting name must not start with \"/\"");
    }
    return valueOf(name);
  }

  private @Nullable Object valueOf(String name) {
    Object value = settings.get(name);
    if (value == null) {
      settingOrigins.read(name, CALLED);
    }
    return value;
  }

  /**
   * Returns a setting by its typed key.
   *
   * @param key the key of the setting
   * @param <V> the type of the value
   * @return the value, else the default value of the key, else null
   */
  public <V> @Nullable V get(Key<V> key) {
    return settings.get(key);
  }

  /** Sets a setting to true. */
  public App enable(String name) {
    return set(name, true);
  }

  /** Sets a setting to false. */
  public App disable(String name) {
    return set(name, false);
  }

  /** Returns true if the value of a setting counts as true; see {@link Settings#enabled}. */
  public boolean enabled(String name) {
    return Settings.truthy(valueOf(name));
  }

  /** Returns true if a setting is absent or its value does not count as true. */
  public boolean disabled(String name) {
    return !enabled(name);
  }

  /**
   * Returns the settings of this application, which inherit from the applications that it is
   * mounted in.
   */
  public Settings settings() {
    return settings;
  }

  /** Runs a block in all environments; see {@link #configure(String, Runnable)}. */
  public App configure(Runnable block) {
    block.run();
    return this;
  }

  /**
   * Runs a block if the setting {@code env} has a given value.
   *
   * @param env the value; {@code all} for any value
   * @param block the block
   */
  public App configure(String env, Runnable block) {
    return env.equals("all") ? configure(block) : configure(List.of(env), block);
  }

  /**
   * Runs a block if the setting {@code env} has one of several values.
   *
   * @param envs the values; empty, or only {@code all}, for any value
   * @param block the block
   */
  public App configure(List<String> envs, Runnable block) {
    Object env = settings.get("env");
    if (envs.isEmpty() || envs.equals(List.of("all")) || (env != null && envs.contains(env))) {
      block.run();
    }
    return this;
  }

  /**
   * Returns the values that all templates of this application can read, such as {@code settings}.
   */
  public Map<String, @Nullable Object> locals() {
    return locals;
  }

  /**
   * Adds values that all templates of this application can read.
   *
   * @param values the values by name
   */
  public App locals(Map<String, ?> values) {
    locals.putAll(values);
    return this;
  }

  /**
   * Registers the template engine for views with a file extension; a later engine replaces it.
   * Mounted applications inherit it unless they register their own.
   *
   * @param extension the extension, such as {@code html}, with or without its dot
   * @param engine the engine
   * @throws IllegalArgumentException if the engine is null or the extension is invalid
   */
  public App engine(String extension, TemplateEngine engine) {
    views.engine(extension, engine);
    return this;
  }

  /**
   * Renders a view; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @return the rendered text
   * @throws Exception if the view does not exist or its template fails
   */
  public String render(String name) throws Exception {
    return render(name, Map.of());
  }

  /**
   * Renders a view outside a request.
   *
   * <p>A name without an extension gets the extension in the setting {@code view engine}. The
   * template is the file with that name in the directory of the setting {@code views}, or else the
   * file {@code index} in the subdirectory with that name.
   *
   * <p>The setting is a path, or {@code classpath:/views} for the folder {@code views} on the class
   * path, in directories and jars. The context class loader of the thread finds it; a named module
   * must open the folder. With the setting {@code view cache}, each name is looked up once.
   *
   * <p>A name may be absolute, or leave the directory with {@code ..}. Never build a name from
   * external input.
   *
   * @param name the name of the view, with or without extension
   * @param locals values for the template, which override {@link #locals()}
   * @return the rendered text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} selects a
   *     template engine
   * @throws java.io.FileNotFoundException if the view does not exist
   * @throws Exception if the template fails
   */
  public String render(String name, Map<String, ?> locals) throws Exception {
    return views.render(name, List.of(locals));
  }

  /**
   * Renders a view for a callback; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @param locals values for the template
   * @param callback receives the error, or null and the rendered text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} selects a
   *     template engine; the callback is not called
   */
  public void render(
      String name,
      Map<String, ?> locals,
      BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    views.render(name, List.of(locals), callback);
  }

  /**
   * Adds middleware for all requests.
   *
   * @param steps the middleware and handlers, each as its own layer; applications are mounted at
   *     {@code /}
   */
  public App use(Middleware... steps) {
    return use("/", steps);
  }

  /** Adds middleware for all requests; an application is mounted at {@code /}. */
  public App use(Middleware step) {
    return use("/", step);
  }

  /**
   * Adds a middleware and then a handler for all requests. To use several middleware before the
   * handler, combine them: {@code Chain.of(a, b)}.
   */
  public App use(Middleware step, Handler last) {
    return use("/", step, last);
  }

  /** Adds a handler for all requests that reach it. */
  public App use(Handler handler) {
    return use("/", (Middleware) handler);
  }

  /** Adds an error handler for all requests. */
  public App use(ErrorHandler handler) {
    return use("/", (Middleware) handler);
  }

  /**
   * Adds middleware at a mount path. It handles requests for the path itself, and for longer paths
   * that continue with a slash or a dot.
   *
   * <p>The comparison with {@link Request#path()} ignores the case of ASCII letters and
   * percent-encoding: {@code /mé} covers {@code /m%C3%A9/x}. The middleware sees the URL without
   * the mount path.
   *
   * <p>If the comparison depends on the meaning of an escape, the request gets 400; see {@link
   * dev.percolate.core.Settings#AMBIGUOUS_TARGETS}. So a guard protects all spellings of its path.
   *
   * @param path the mount path, which starts with a slash; empty for the root
   * @param steps the middleware and handlers, each as its own layer; applications are mounted
   * @throws IllegalArgumentException if the path does not start with a slash, a middleware is
   *     missing or null, or an application would be mounted in itself
   */
  public App use(String path, Middleware... steps) {
    return mount(path, Arrays.asList(steps));
  }

  /** Adds a middleware at a mount path; see {@link #use(String, Middleware...)}. */
  public App use(String path, Middleware step) {
    return mount(path, Arrays.asList(step));
  }

  /**
   * Adds a middleware and then a handler at a mount path; see {@link #use(String, Middleware...)}.
   */
  public App use(String path, Middleware step, Handler last) {
    return mount(path, Arrays.asList(step, last));
  }

  private App mount(String path, List<Middleware> steps) {
    if (path == null) {
      throw new IllegalArgumentException("use(null, …): mount path must not be null");
    }
    String call = "use(\"" + path + "\", …)";
    if (!path.isEmpty() && path.charAt(0) != '/') {
      throw new IllegalArgumentException(call + ": path must start with \"/\"");
    }
    if (steps.isEmpty()) {
      throw new IllegalArgumentException(call + " needs at least one middleware or handler");
    }
    PathSyntax.checkMount(call, path);
    String origin = CallSite.here(CALLED);
    for (Middleware step : checked(call, steps)) {
      if (step instanceof App app) {
        app.mounting.mountedIn(this, path);
      }
      stack.use(path, step, origin);
      if (step instanceof App app) {
        app.mounting.tell(this);
      }
    }
    return this;
  }

  /** Adds a handler at a mount path; see {@link #use(String, Middleware...)}. */
  public App use(String path, Handler handler) {
    return use(path, (Middleware) handler);
  }

  /** Adds an error handler at a mount path; see {@link #use(String, Middleware...)}. */
  public App use(String path, ErrorHandler handler) {
    return use(path, (Middleware) handler);
  }

  @Override
  public synchronized App define(String verb, PathPattern path, List<Middleware> steps) {
    String name = RequestMethod.checked(verb);
    String call = name + "(\"" + path + "\", …)";
    PathSyntax.check(call, path.compiled(), isNormalised());
    List<Middleware> flat = checked(call, steps);
    if (stack.awaitsFirstRoute()) {
      readRouting();
    }
    PathPattern pattern = path.under(caseSensitive, strict);
    stack.route(RouteLayer.of(name, pattern, flat, CallSite.here(CALLED)));
    return this;
  }

  /**
   * Creates a builder for the routes of one path; see {@link RouteBuilder}.
   *
   * @param path the path; see {@link PathPattern}
   * @throws IllegalArgumentException if the path is empty or can never match
   */
  public RouteBuilder route(String path) {
    PathPattern pattern = PathPattern.of(path);
    PathSyntax.check("route(\"" + path + "\")", pattern.compiled(), isNormalised());
    return new RouteBuilder(this, pattern);
  }

  /**
   * Adds layers whose paths share a prefix. Creates an application, mounts it at the prefix, and
   * passes it to a block.
   *
   * <pre>{@code
   * app.group("/admin", admin -> {
   *   admin.use(members);
   *   admin.get("/users", (req, res) -> res.json(users.all()));  // handles /admin/users
   * });
   * }</pre>
   *
   * <p>Like every mounted application, it inherits the settings that it does not set. Parameter
   * callbacks are not inherited.
   *
   * @param prefix the mount path, which starts with a slash
   * @param block adds the layers
   * @throws IllegalArgumentException if the path does not start with a slash
   */
  public App group(String prefix, Consumer<App> block) {
    Objects.requireNonNull(block, "group(…, null): block must not be null");
    App inner = new App();
    use(prefix, inner);
    block.accept(inner);
    return this;
  }

  /**
   * Adds a callback for a path parameter. It runs once before the middleware and handlers of each
   * route of this application that has a parameter with this name. Callbacks run in the order of
   * the parameters in the path.
   *
   * @param name the name of the parameter, with or without its colon
   * @param callback receives the decoded value
   * @throws IllegalArgumentException if the name is not valid for a parameter
   */
  public App param(String name, ParamHandler callback) {
    return param(name, (Object) callback);
  }

  /** Adds callbacks for a parameter; see {@link #param(String, ParamHandler)}. */
  public App param(String name, ParamCallback... callbacks) {
    return param(Arrays.asList(name), callbacks);
  }

  /** Adds a callback for several parameters; see {@link #param(String, ParamHandler)}. */
  public App param(List<String> names, ParamHandler callback) {
    return param(names, (Object) callback);
  }

  /** Adds callbacks for several parameters; see {@link #param(String, ParamHandler)}. */
  public App param(List<String> names, ParamCallback... callbacks) {
    if (callbacks.length == 0) {
      throw new IllegalArgumentException(
          ParamCallbacks.call(names) + " needs at least one callback");
    }
    for (ParamCallback callback : callbacks) {
      param(names, (Object) callback);
    }
    return this;
  }

  /** Adds a callback, or a value for the parameter factories, for several parameters. */
  public App param(List<String> names, Object value) {
    String origin = CallSite.here(CALLED);
    names.forEach(name -> params.add(name, value, origin));
    return this;
  }

  /**
   * Restricts the values of a parameter with a regular expression. If the expression is found in
   * the value, the value becomes the list of captures, the whole match first. Otherwise the route
   * is skipped.
   *
   * @param name the name of the parameter
   * @param expression the expression
   */
  public App param(String name, Pattern expression) {
    return param(name, (Object) expression);
  }

  /**
   * Adds the callback that the functions of {@link #param(ParamFactory)} create from a value.
   *
   * @param name the name of the parameter
   * @param value the value
   * @throws IllegalArgumentException if they do not create a callback from the value
   */
  public App param(String name, Object value) {
    params.add(name, value, CallSite.here(CALLED));
    return this;
  }

  /**
   * Adds a function that converts the values of later {@code param} calls to callbacks. Each value
   * passes through the functions in the order of their definition.
   *
   * @param factory returns the replacement for a value
   */
  public App param(ParamFactory factory) {
    params.add(factory);
    return this;
  }

  /**
   * Returns the routes by verb in lower case, each list in the order of definition.
   *
   * @return a live view; routes that are removed from it, or from its lists, no longer handle
   *     requests. A verb without routes is absent
   */
  public Map<String, List<Route>> routes() {
    return new RouteTable(stack);
  }

  /**
   * Visits all layers of this application in order. Routes that run in {@link #router} come last.
   *
   * @param visitor called for each layer, on the calling thread
   */
  public void visit(LayerVisitor visitor) {
    Stack.Snapshot layers = stack.snapshot();
    Set<Layer> shown = new HashSet<>();
    layers.chain().stream()
        .filter(shown::add)
        .forEach(
            layer -> {
              if (layer instanceof Mount mount) {
                visitor.visitMiddleware(mount.prefix(), mount.step());
              } else if (layer instanceof RouteLayer route) {
                visitor.visitRoutes(route.records());
              }
            });
    layers.routes().stream()
        .filter(shown::add)
        .forEach(route -> visitor.visitRoutes(route.records()));
  }

  /**
   * Returns a middleware that runs all routes of this application, including those defined later.
   *
   * <p>If this is called before the first route is defined, the routes run only there. Otherwise
   * they also run at their own positions. The call reads the settings {@code case sensitive
   * routing} and {@code strict routing} for the routes that are defined after it.
   */
  public synchronized Middleware router() {
    readRouting();
    stack.place();
    return new RouterPosition(
        () -> stack.snapshot().place(),
        (req, res, next) ->
            new StackDispatch(this, stack.snapshot().place(), req, res, next).advance(null));
  }

  /** Returns all layers in order, including those of mounted applications. */
  public AppMap map() {
    return AppMap.of(stack.snapshot().chain(), App::inside);
  }

  /**
   * Explains which layers match a request, and why the others do not, without running any of them.
   *
   * <pre>{@code
   * System.out.println(app.explain("GET", "/u/new"));
   * }</pre>
   *
   * @param method the method, such as {@code GET}
   * @param target the request target as sent by a client, with or without a query
   */
  public Explanation explain(String method, String target) {
    return MatchRecorder.of(settings, method, target, stack.snapshot().chain(), App::inside);
  }

  /**
   * Detects mistakes in the definition of this application and of mounted ones. In development,
   * {@link #listen} and {@link #checkStart()} log them; in other environments, they log only those
   * of options.
   *
   * <pre>
   *   unreachable-route       a route after a layer that handles all its requests
   *   unreachable-middleware  middleware after a layer that handles all its requests
   *   idle-error-handler      an error handler without any layer before it
   *   KIND-below-routes       middleware after a route that must be before it: a logger, or
   *                           authentication of a path
   *   KIND-twice              repeated middleware, such as a body parser or Cors
   *   KIND-below-reader       middleware, such as sessions, after a layer that needs its attribute
   *   KIND-options            middleware with doubtful options, such as an empty password
   *   doubtful-path           a path in the syntax of another framework, or with text that clients
   *                           do not send
   *   unused-param            a parameter callback whose parameter is in no path
   *   unknown-setting         a setting whose name resembles one of the library
   * </pre>
   *
   * <p>{@link dev.percolate.core.TraitsProvider} declares the kind of a middleware. The setting
   * {@link Settings#LINT_IGNORE} turns off warnings.
   *
   * @return one line for each mistake, with its name and the source lines of the layers
   */
  public List<String> lint() {
    return linter().all();
  }

  private AppLint linter() {
    Object ignored = settings.get(Settings.LINT_IGNORE);
    return new AppLint(this, ignored, App::inside, App::misspelledSettings, isNormalised());
  }

  private static List<SettingOrigins.Misspelling> misspelledSettings(Middleware step) {
    return step instanceof App app ? app.settingOrigins.misspelled(app.settings) : List.of();
  }

  /**
   * Requires that each route below a path has a middleware before its handler, in the route itself
   * or in an earlier layer that covers it. Otherwise {@link #listen} throws, and so does {@link
   * #checkStart()} in a test. Use it for guards that must not be forgotten.
   *
   * <pre>{@code
   * app.require("/admin", BasicAuth.class);
   * app.use("/admin", BasicAuth.of("admin", password));
   * app.get("/admin/users", (req, res) -> res.json(users.all()));
   * }</pre>
   *
   * <p>The rule covers the routes of this application and of those mounted in it, and handlers that
   * are added with {@code use}. Other middleware, such as static files, is not checked. A guard in
   * another route counts only if it is the first step there, and if the parameters of that route
   * have no callbacks. A path without routes is an error.
   *
   * @param path a path as for {@link #use(String, Middleware...)}; {@code /} for all routes
   * @param kind the class of the middleware, or a superclass or interface of it
   * @throws IllegalArgumentException if the path is not valid for a mount
   */
  public App require(String path, Class<? extends TraitsProvider> kind) {
    String call = "require(\"" + path + "\", " + kind.getSimpleName() + ".class)";
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(call + ": path must start with \"/\"");
    }
    PathSyntax.checkMount(call, path);
    rules.add(new RequiredStep(call, path, kind, CallSite.here(CALLED)));
    return this;
  }

  /** Returns the application that this one is mounted in. */
  public @Nullable App parent() {
    return mounting.parent();
  }

  /** Returns the mount path. */
  public String mountPath() {
    return mounting.path();
  }

  /** Returns the joined mount paths, from the outermost application to this one. */
  public String path() {
    App above = parent();
    return above == null ? "" : above.path() + mountPath();
  }

  /** Registers a listener that is called when this application is mounted. */
  public App onMount(Consumer<App> listener) {
    mounting.onMount(listener);
    return this;
  }

  /** Returns the counters of open connections, and of errors that are not visible in responses. */
  public AppCounters counters() {
    return state.counters();
  }

  /**
   * Starts a server on a free port.
   *
   * @throws IOException if no port can be bound
   */
  public Server listen() throws IOException {
    return listen(0);
  }

  /**
   * Starts a server on a port.
   *
   * @param port 0 to 65535; 0 for any free port
   * @throws IOException if the port cannot be bound
   */
  public Server listen(int port) throws IOException {
    return listen(ListenOptions.ofPort(port));
  }

  /**
   * Starts a server on a port of one local address.
   *
   * @param host the IP address or host name
   * @param port 0 to 65535; 0 for any free port
   * @throws IOException if the port cannot be bound
   */
  public Server listen(String host, int port) throws IOException {
    return listen(ListenOptions.ofPort(port).host(host));
  }

  /**
   * Starts a server. If the last argument of the program is {@code --routes}, prints {@link #map}
   * and ends the process instead. In production, only the system property {@code
   * -Dpercolate.routes=true} does that.
   *
   * @param options the options of the server
   * @throws IOException if the port cannot be bound
   * @throws IllegalStateException if there is no engine or more than one, if a configured directory
   *     of views or files does not exist, or if a route lacks a middleware; see {@link StartCheck}
   *     and {@link #require}
   * @throws IllegalArgumentException if an option conflicts with a middleware, for example event
   *     loops with a blocking session store
   */
  public Server listen(ListenOptions options) throws IOException {
    checkStart(options, List.of());
    if (RouteListing.isRequested()) {
      RouteListing.printAndExit(map());
    }
    Validation ignored = settings.validation(); // loads it, so that no request waits
    Server server = Engine.find().listen(this, options);
    mounting.watch(server);
    state.add(server);
    return server;
  }

  private void logMistakes() {
    boolean development = "development".equals(settings.get(Settings.ENV));
    List<String> mistakes = development ? lint() : linter().ofOptions();
    mistakes.forEach(line -> LOG.log(Level.WARNING, line));
    String environment = SettingOrigins.environment(settings);
    if (environment != null) {
      LOG.log(Level.WARNING, environment);
    }
  }

  /**
   * Registers an action that runs at shutdown: after the last server of this application, or of the
   * applications that it is mounted in, has closed. It runs before the process exits at the latest.
   * Actions run once, in reverse order of registration. If an action throws, the error is logged
   * and the others still run.
   */
  public App onClose(AutoCloseable action) {
    closing.add(action);
    return this;
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    new StackDispatch(this, stack.snapshot().chain(), req, res, next).enter();
  }

  @Override
  public void serve(Exchange exchange) {
    Request req = RequestControl.admit(exchange, state, this);
    if (req != null) {
      new StackDispatch(this, stack.snapshot().chain(), req, req.response(), null).enter();
    }
  }

  @Override
  public void checkStart() {
    checkStart(ListenOptions.ofPort(0), List.of());
  }

  @Override
  public void checkStart(ListenOptions options, List<Middleware> before) {
    RequirementCheck.check(this, before, App::inside, isNormalised());
    new StartChecks(options, App::inside, isNormalised(), this::checkViews)
        .check(this, stack.snapshot().chain(), before);
    logMistakes();
  }

  /** Checks the views of an application; returns false for other middleware. */
  private boolean checkViews(Middleware step) {
    if (step instanceof App app) {
      app.views().checkStart(app == this);
      return true;
    }
    return false;
  }

  @Override
  public void onShutdown() {
    state.notifyShutdown();
  }

  @Override
  public void onRejected(Exchange exchange, int status, Headers headers) {
    Middleware[] listeners =
        stack.snapshot().chain().stream()
            .filter(layer -> layer instanceof Mount mount && mount.prefix().isEmpty())
            .map(layer -> ((Mount) layer).step())
            .filter(RejectionListener.class::isInstance)
            .toArray(Middleware[]::new);
    Chain.service(settings, listeners).onRejected(exchange, status, headers);
  }

  ParamCallbacks paramCallbacks() {
    return params;
  }

  MountPoint mounting() {
    return mounting;
  }

  CloseActions closing() {
    return closing;
  }

  private static InnerLayers.@Nullable Inner inside(Middleware step) {
    if (step instanceof App app) {
      return new InnerLayers.Inner(app.stack.snapshot().chain(), app.params, app.rules);
    }
    return step instanceof RouterPosition place
        ? new InnerLayers.Inner(place.routes().get(), null, List.of())
        : null;
  }

  private boolean isNormalised() {
    return !"pass".equals(settings.get(Settings.AMBIGUOUS_TARGETS));
  }

  private void readRouting() {
    caseSensitive = settings.enabled(AppSettings.CASE_SENSITIVE_ROUTING.name());
    strict = settings.enabled(AppSettings.STRICT_ROUTING.name());
  }

  private static List<Middleware> checked(String call, List<Middleware> steps) {
    if (steps.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException(call + ": middleware must not be null");
    }
    return Chain.flat(steps);
  }

  Views views() {
    return views;
  }

  SettingOrigins settingOrigins() {
    return settingOrigins;
  }
}
