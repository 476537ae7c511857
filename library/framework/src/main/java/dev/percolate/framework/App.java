package dev.percolate.framework;

import dev.percolate.core.AppContext;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorCounters;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.CallSite;
import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests by a list of layers: middleware at mount paths, and routes.
 *
 * <p>Layers are tried in the order in which they were defined; nothing else decides. An application
 * is a {@link Middleware}, so it can be mounted in another one: it then sees the url without its
 * mount path, takes the settings of the other one where it has none of its own, and passes on what
 * it does not answer. It may be changed while it serves: requests under way keep the layers that
 * they began with. Any thread may use it.
 *
 * <pre>{@code
 * App app = new App();
 * app.use(RequestLogger.of("combined"));
 * app.get("/users/:user", Auth::required, (req, res) -> res.json(req.attr(USER)));
 * app.use("/admin", admin);
 * app.use((error, req, res, next) -> res.status(500).send("sorry"));
 * Server server = app.listen(3000);
 * }</pre>
 */
public final class App implements Middleware, Service, StartCheck, Verbs<App> {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** Whom users call when they define a layer. */
  private static final Set<String> CALLED =
      Set.of(App.class.getName(), Verbs.class.getName(), RouteVerbs.class.getName());

  private static final InnerLayers INSIDE =
      new InnerLayers() {

        @Override
        public Stack.@Nullable Layers of(Middleware step) {
          if (step instanceof App app) {
            return app.stack.snapshot().chain();
          }
          return step instanceof RouterPlace place ? place.routes().get() : null;
        }

        @Override
        public @Nullable ParamCallbacks params(Middleware step) {
          return step instanceof App app ? app.params : null;
        }
      };

  private final Settings settings = AppSettings.create();
  private final Map<String, @Nullable Object> locals =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Views views = new Views(this);
  private final ErrorCounters faults = new ErrorCounters(settings);
  private final AppContext outside = AppContext.of(settings);
  private final Stack stack = new Stack();
  private final ParamCallbacks params = new ParamCallbacks();
  private final MountPoint mounting = new MountPoint(this);
  private final CloseActions closing = new CloseActions();
  private boolean caseSensitive;
  private boolean strict;

  /** Creates an application without layers, with the default settings of the environment. */
  public App() {
    locals.put("settings", settings);
  }

  /**
   * Returns the application at work for a request.
   *
   * @param req the request
   * @return the innermost application that the request is in; null outside of any
   */
  public static @Nullable App of(Request req) {
    return StackDispatch.appOf(req);
  }

  /**
   * Sets a setting.
   *
   * @param name its name
   * @param value its value
   * @throws IllegalArgumentException if the setting is a known one and the value none of its
   *     values, or if the name begins with a slash as the path of a route does
   */
  public App set(String name, @Nullable Object value) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "set(\"" + name + "\", …): a setting's name does not begin with \"/\"");
    }
    settings.set(name, value);
    return this;
  }

  /**
   * Sets a setting by its typed name.
   *
   * @param key its key
   * @param value its value
   * @param <V> its type
   */
  public <V> App set(Key<V> key, V value) {
    settings.set(key, value);
    return this;
  }

  /**
   * Sets all that other settings hold, such as {@link AppSettings#express}.
   *
   * @param settings the other settings
   */
  public App set(Settings settings) {
    this.settings.set(settings);
    return this;
  }

  /**
   * Returns a setting, of this application or of those that it is mounted in.
   *
   * @param name its name
   * @return its value; null where none was set
   * @throws IllegalArgumentException for the path of a route, which needs a handler
   */
  public @Nullable Object get(String name) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "get(\""
              + name
              + "\"): a route needs a handler, and a setting's name does not begin with \"/\"");
    }
    return settings.get(name);
  }

  /**
   * Returns a setting by its typed name.
   *
   * @param key its key
   * @param <V> its type
   * @return its value, else the key's fallback, else null
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

  /** Tells whether a setting counts as true; see {@link Settings#enabled}. */
  public boolean enabled(String name) {
    return settings.enabled(name);
  }

  /** Tells whether a setting is absent or does not count as true. */
  public boolean disabled(String name) {
    return !settings.enabled(name);
  }

  /** Returns the settings of this application, which ask those that it is mounted in. */
  public Settings settings() {
    return settings;
  }

  /** Runs a block, for a uniform look beside {@link #configure(String, Runnable)}. */
  public App configure(Runnable block) {
    block.run();
    return this;
  }

  /**
   * Runs a block if the setting {@code env} has a value.
   *
   * @param env the value; {@code all} for any
   * @param block the block
   */
  public App configure(String env, Runnable block) {
    return env.equals("all") ? configure(block) : configure(List.of(env), block);
  }

  /**
   * Runs a block if the setting {@code env} has one of some values.
   *
   * @param envs the values; none, or {@code all} alone, for any
   * @param block the block
   */
  public App configure(List<String> envs, Runnable block) {
    Object env = settings.get("env");
    if (envs.isEmpty() || envs.equals(List.of("all")) || (env != null && envs.contains(env))) {
      block.run();
    }
    return this;
  }

  /** Returns the values that all templates of this application see; {@code settings} is one. */
  public Map<String, @Nullable Object> locals() {
    return locals;
  }

  /**
   * Adds values that all templates of this application see.
   *
   * @param values the values by name
   */
  public App locals(Map<String, ?> values) {
    locals.putAll(values);
    return this;
  }

  /**
   * Registers the template engine of the views with an extension; a later one replaces it. Mounted
   * applications use it, too, where they have none of their own.
   *
   * @param extension the extension, such as {@code html}, with or without its dot
   * @param engine the engine
   * @throws IllegalArgumentException if the engine is null, or if no view can have that extension
   */
  public App engine(String extension, TemplateEngine engine) {
    views.engine(extension, engine);
    return this;
  }

  /**
   * Renders a view; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @return the text
   * @throws Exception if there is no such view, or its template fails
   */
  public String render(String name) throws Exception {
    return render(name, Map.of());
  }

  /**
   * Renders a view, outside of any request.
   *
   * <p>A name without extension gets that of the setting {@code view engine}. The template is the
   * file of that name in the directory of the setting {@code views}, else the file {@code index} in
   * the directory of that name. The setting is a path, or {@code classpath:/views} for the folder
   * {@code views} of the class path, in directories and in jars, as the thread that renders finds
   * it; a named module must open the folder. A name may also be absolute, or leave the directory by
   * {@code ..}: so never make one of text from outside. With the setting {@code view cache} each
   * name is looked up once.
   *
   * @param name the name of the view, with or without extension
   * @param locals values for the template, which win over {@link #locals()}
   * @return the text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} leads to
   *     a template engine
   * @throws java.io.FileNotFoundException if there is no such view
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
   * @param callback gets the error, or null and the text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} leads to
   *     a template engine; the callback is not called then
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
   * @param steps the steps, each a layer of its own; applications among them are mounted at {@code
   *     /}
   */
  public App use(Middleware... steps) {
    return use("/", steps);
  }

  /** Adds a middleware for all requests; an application is mounted at {@code /}. */
  public App use(Middleware step) {
    return use("/", step);
  }

  /**
   * Adds a middleware, and behind it a handler, for all requests that come so far. More steps in
   * front of a handler are one, {@code Chain.of(a, b)}.
   */
  public App use(Middleware step, Handler last) {
    return use("/", step, last);
  }

  /** Adds a handler for all requests that come so far. */
  public App use(Handler handler) {
    return use("/", (Middleware) handler);
  }

  /** Adds an error handler for all requests. */
  public App use(ErrorHandler handler) {
    return use("/", (Middleware) handler);
  }

  /**
   * Adds middleware at a mount path: for the path itself, and for paths that continue with a slash
   * or a dot. Letter case (of ASCII letters) does not matter, and neither does percent-encoding:
   * {@code /mé} covers {@code /m%C3%A9/x}. The steps see the url without it.
   *
   * <p>It is compared with {@link Request#path()}, so a guard sees its path however it is written.
   * Where that is not clear, since it depends on what an escape stands for, the answer is 400; see
   * {@link dev.percolate.core.Settings#AMBIGUOUS_TARGETS}.
   *
   * @param path the mount path, which begins with a slash; the empty one is the root
   * @param steps the steps, each a layer of its own; applications among them are mounted
   * @throws IllegalArgumentException if the path does not begin with a slash, if there is no step,
   *     if one is null, or if an application would be mounted in itself
   */
  public App use(String path, Middleware... steps) {
    return mount(path, Arrays.asList(steps));
  }

  /** Adds a middleware at a mount path; see {@link #use(String, Middleware...)}. */
  public App use(String path, Middleware step) {
    return mount(path, Arrays.asList(step));
  }

  /**
   * Adds a middleware, and behind it a handler, at a mount path; see {@link #use(String,
   * Middleware...)}.
   */
  public App use(String path, Middleware step, Handler last) {
    return mount(path, Arrays.asList(step, last));
  }

  private App mount(String path, List<Middleware> steps) {
    if (path == null) {
      throw new IllegalArgumentException("use(null, …): the mount path is null");
    }
    String call = "use(\"" + path + "\", …)";
    if (!path.isEmpty() && path.charAt(0) != '/') {
      throw new IllegalArgumentException(call + ": a path starts with \"/\"");
    }
    if (steps.isEmpty()) {
      throw new IllegalArgumentException(call + ": nothing to use");
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
  public synchronized App on(String verb, PathPattern path, List<Middleware> steps) {
    String name = RequestMethod.checked(verb);
    String call = name + "(\"" + path + "\", …)";
    PathSyntax.check(call, path, isNormalised());
    List<Middleware> flat = checked(call, steps);
    if (stack.awaitsFirstRoute()) {
      readRouting();
    }
    PathPattern pattern = path.under(caseSensitive, strict);
    stack.route(RouteLayer.of(name, pattern, flat, CallSite.here(CALLED)));
    return this;
  }

  /**
   * Names a path for which several verbs are defined, one after the other; see {@link RouteVerbs}.
   *
   * @param path the path, as {@link PathPattern} says
   * @throws IllegalArgumentException if it is empty or can never match
   */
  public RouteVerbs route(String path) {
    PathPattern pattern = PathPattern.of(path);
    PathSyntax.check("route(\"" + path + "\")", pattern, isNormalised());
    return new RouteVerbs(this, pattern);
  }

  /**
   * Adds layers whose paths all begin with a prefix: a new application, mounted there and then
   * given to a block.
   *
   * <pre>{@code
   * app.group("/admin", admin -> {
   *   admin.use(Auth::required);
   *   admin.get("/users", (req, res) -> res.json(users.all()));  // answers /admin/users
   * });
   * }</pre>
   *
   * <p>As any application that is mounted it takes the settings of this one where it has none of
   * its own; callbacks of {@code param} are its own.
   *
   * @param prefix the mount path, which begins with a slash
   * @param block defines the layers
   * @throws IllegalArgumentException if the path does not begin with a slash
   */
  public App group(String prefix, Consumer<App> block) {
    Objects.requireNonNull(block, "group(…, null): no block");
    App inner = new App();
    use(prefix, inner);
    block.accept(inner);
    return this;
  }

  /**
   * Adds callbacks that run before the steps of each route of this application whose path has a
   * parameter of this name, once for each such route. They run in the order of the parameters in
   * the path.
   *
   * @param name the name of the parameter, with or without colon
   * @param callback gets the decoded value
   * @throws IllegalArgumentException if no parameter can have that name
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
      throw new IllegalArgumentException(ParamCallbacks.call(names) + ": nothing to call");
    }
    for (ParamCallback callback : callbacks) {
      param(names, (Object) callback);
    }
    return this;
  }

  /** Adds a callback, or what makes one, for several parameters. */
  public App param(List<String> names, Object value) {
    names.forEach(name -> params.add(name, value));
    return this;
  }

  /**
   * Says by an expression what a parameter may be: if the expression is found in the value, the
   * value becomes the list of captures, the whole match first; otherwise the route is left.
   *
   * @param name the name of the parameter
   * @param expression the expression
   */
  public App param(String name, Pattern expression) {
    return param(name, (Object) expression);
  }

  /**
   * Adds whatever the functions given to {@link #param(ParamFactory)} make of a value.
   *
   * @param name the name of the parameter
   * @param value the value
   * @throws IllegalArgumentException if they do not make a callback of it
   */
  public App param(String name, Object value) {
    params.add(name, value);
    return this;
  }

  /**
   * Changes what later calls of {@code param} take: each value goes through the functions in the
   * order of their definition.
   *
   * @param factory gives what stands in the place of a value
   */
  public App param(ParamFactory factory) {
    params.add(factory);
    return this;
  }

  /**
   * Returns the routes by verb in lower case, each list in the order of definition.
   *
   * @return a live view: what is removed from it, or from a list in it, answers no more; a verb
   *     without routes is absent
   */
  public Map<String, List<Route>> routes() {
    return new RouteTable(stack);
  }

  /**
   * Shows all layers of this application: what was used, and the routes, in their order. Routes
   * that were placed by {@link #router} come last.
   *
   * @param visitor is shown each layer, on this thread
   */
  public void visit(LayerVisitor visitor) {
    Stack.Snapshot layers = stack.snapshot();
    Set<Layer> shown = new HashSet<>();
    layers.chain().stream()
        .filter(shown::add)
        .forEach(
            layer -> {
              if (layer instanceof Mount mount) {
                visitor.mounted(mount.prefix(), mount.step());
              } else if (layer instanceof RouteLayer route) {
                visitor.routed(route.records());
              }
            });
    layers.routes().stream().filter(shown::add).forEach(route -> visitor.routed(route.records()));
  }

  /**
   * Returns a middleware that runs all routes of this application, also those defined later.
   *
   * <p>Asked for before the first route, it is their only place; asked for later, a further one.
   * The settings {@code case sensitive routing} and {@code strict routing} are read by this call
   * for the routes defined after it.
   */
  public synchronized Middleware router() {
    readRouting();
    stack.place();
    return new RouterPlace(
        () -> stack.snapshot().place(),
        (req, res, next) ->
            new StackDispatch(this, stack.snapshot().place(), req, res, next).start());
  }

  /** Returns all layers in their order, those of mounted applications inside of them. */
  public AppMap map() {
    return AppMap.of(stack.snapshot().chain(), INSIDE);
  }

  /**
   * Says which layers a request would meet, and why not the others, without running any step.
   *
   * <pre>{@code
   * System.out.println(app.explain("GET", "/u/new"));
   * }</pre>
   *
   * @param method the method, such as {@code GET}
   * @param target the target as a client sends it, with or without a query
   */
  public Explanation explain(String method, String target) {
    return Explaining.of(settings, method, target, stack.snapshot().chain(), INSIDE);
  }

  /**
   * Finds what the order of the layers cannot mean, in mounted applications, too. In development
   * {@link #listen} logs it.
   *
   * <pre>
   *   unreachable-route     a route whose paths another one above answers
   *   idle-error-handler    an error handler that no step stands above
   *   KIND-below-routes     a step that should see all routes, such as a logger, below one
   *   KIND-twice            a step that does again what one above has done: a parser, Cors
   *   KIND-below-reader     a step, such as sessions, below one that needs what it gives
   * </pre>
   *
   * <p>{@link dev.percolate.core.StepKind} says of a step what its kind is; {@link
   * Settings#LINT_IGNORE} silences warnings.
   *
   * @return a line for each, which begins with its name and says both places
   */
  public List<String> lint() {
    return AppLint.of(settings.get(Settings.LINT_IGNORE), stack.snapshot().chain(), params, INSIDE);
  }

  /** Returns the application that this one is mounted in. */
  public @Nullable App parent() {
    return mounting.parent();
  }

  /** Returns the mount path. */
  public String mountPath() {
    return mounting.path();
  }

  /** Returns the mount paths from the outermost application down, put together. */
  public String path() {
    App above = parent();
    return above == null ? "" : above.path() + mountPath();
  }

  /** Registers a listener that is called when this application has been mounted. */
  public App onMount(Consumer<App> listener) {
    mounting.onMount(listener);
    return this;
  }

  /** Returns the counters of what goes wrong behind an answer, or before a request. */
  public ErrorCounters faults() {
    return faults;
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
   * @param port 0 to 65535
   * @throws IOException if the port cannot be bound
   */
  public Server listen(int port) throws IOException {
    return listen(ListenOptions.ofPort(port));
  }

  /**
   * Starts a server on a port of one local address.
   *
   * @param host the address, or its name
   * @param port 0 to 65535
   * @throws IOException if the port cannot be bound
   */
  public Server listen(String host, int port) throws IOException {
    return listen(ListenOptions.ofPort(port).host(host));
  }

  /**
   * Starts a server.
   *
   * @param options where and how
   * @throws IOException if the port cannot be bound
   * @throws IllegalStateException if there is no engine, or more than one; or if a directory of
   *     views or files that was set is not there, see {@link StartCheck}
   * @throws IllegalArgumentException if an option does not go with a step, such as event loops with
   *     a store that waits
   */
  public Server listen(ListenOptions options) throws IOException {
    checkStart(options, List.of());
    if ("development".equals(settings.get(Settings.ENV))) {
      lint().forEach(line -> LOG.log(Level.WARNING, line));
    }
    LoggingCheck.warn();
    Server server = Engine.find().listen(this, options);
    mounting.watch(server);
    faults.add(server);
    return server;
  }

  /**
   * Registers what is to be done in the end: when the last server of this application, or of those
   * that it is mounted in, has closed, and at the latest when the process ends. The action
   * registered last runs first, each runs once. If one throws, the exception is logged and the
   * others run.
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
    Request req = Request.admit(exchange, outside, faults, this);
    if (req != null) {
      handle(req, req.response(), new FinalHandler(req, req.response()));
    }
  }

  @Override
  public void checkStart() {
    checkStart(ListenOptions.ofPort(0), List.of());
  }

  @Override
  public void checkStart(ListenOptions options, List<Middleware> before) {
    new StartChecks(options, INSIDE, this::checkViews)
        .check(this, stack.snapshot().chain(), before);
  }

  /** Checks the views of an application; returns false for other steps. */
  private boolean checkViews(Middleware step) {
    if (step instanceof App app) {
      app.views().checkStart(app == this);
      return true;
    }
    return false;
  }

  @Override
  public void draining() {
    faults.drain();
  }

  @Override
  public void refused(Exchange exchange, int status, Headers headers) {
    Middleware[] witnesses =
        stack.snapshot().chain().stream()
            .filter(layer -> layer instanceof Mount mount && mount.prefix().isEmpty())
            .map(layer -> ((Mount) layer).step())
            .filter(RefusalListener.class::isInstance)
            .toArray(Middleware[]::new);
    Chain.service(settings, witnesses).refused(exchange, status, headers);
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

  private boolean isNormalised() {
    return !"pass".equals(settings.get(Settings.AMBIGUOUS_TARGETS));
  }

  private void readRouting() {
    caseSensitive = settings.enabled(AppSettings.CASE_SENSITIVE_ROUTING.name());
    strict = settings.enabled(AppSettings.STRICT_ROUTING.name());
  }

  private static List<Middleware> checked(String call, List<Middleware> steps) {
    for (Middleware step : steps) {
      if (step == null) {
        throw new IllegalArgumentException(call + ": a step is null");
      }
    }
    return Chain.flat(steps);
  }

  Views views() {
    return views;
  }
}
