package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.framework.ApiDocument;
import dev.percolate.framework.App;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves an OpenAPI 3.1 document of an application, including the applications mounted in it.
 *
 * <pre>{@code
 * app.use(OpenApi.of(app).title("Catalog").version("1.2").docs("/docs"));
 * }</pre>
 *
 * <pre>
 *   title               API            the title of the API
 *   version             1              the version of the API
 *   path                /openapi.json  the path of the document
 *   docs                none           the path of a page with Swagger UI
 *   typeScript          none           the path of a client, in development
 *   pathPrefix          all            only routes below a path, for one document per version
 *   includeUndescribed  false          whether routes without {@link Api} are included
 * </pre>
 *
 * <p>The document is created on the first request, and again after layers have changed. It omits
 * verbs that OpenAPI does not support, and paths that are regular expressions. Several applications
 * may use the same instance; each option returns a changed copy.
 */
@CheckReturnValue
public final class OpenApi extends Copyable<OpenApi> implements Middleware, ApiDocument {

  private final App app;
  private String title = "API";
  private String version = "1";
  private @Nullable String description;
  private String path = "/openapi.json";
  private @Nullable DocsPage docs;
  private @Nullable String typeScript;
  private String pathPrefix = "";
  private boolean includeUndescribed;
  private List<String> servers = List.of();
  private Map<String, Map<String, Object>> security = Map.of();
  private volatile @Nullable Made made;

  /** A document with the walk that it was created from. */
  private record Made(RouteWalk walk, JsonCodec codec, Object json) {}

  private OpenApi(App app) {
    this.app = app;
  }

  /**
   * Creates the document of an application.
   *
   * @param app the application whose routes are described
   */
  public static OpenApi of(App app) {
    return new OpenApi(Objects.requireNonNull(app, "OpenApi.of(null)"));
  }

  /** Sets the title of the API. */
  public OpenApi title(String title) {
    return changed(copy -> copy.title = title);
  }

  /** Sets the version of the API. */
  public OpenApi version(String version) {
    return changed(copy -> copy.version = version);
  }

  /** Sets the description of the API, in CommonMark. */
  public OpenApi description(String text) {
    return changed(copy -> copy.description = text);
  }

  /**
   * Sets the path of the document. Default: {@code /openapi.json}.
   *
   * @throws IllegalArgumentException if the path does not start with a slash
   */
  public OpenApi path(String path) {
    String checked = DocsPage.checked("path", path);
    return changed(copy -> copy.path = checked);
  }

  /**
   * Serves a page that shows the document and sends requests, with Swagger UI from {@code
   * org.webjars:swagger-ui}. The page loads nothing from other servers, has no inline scripts, and
   * is sent with this Content-Security-Policy: {@value DocsPage#POLICY}.
   *
   * @param path the path of the page
   * @throws IllegalArgumentException if the path does not start with a slash
   * @throws IllegalStateException if Swagger UI is not on the class path
   */
  public OpenApi docs(String path) {
    DocsPage page = DocsPage.at(path);
    return changed(copy -> copy.docs = page);
  }

  /**
   * Serves {@link #toTypeScript} in the environment {@code development}, so that a frontend can
   * download it while routes change. Default: not served.
   *
   * @param path the path, such as {@code /client.ts}
   * @throws IllegalArgumentException if the path does not start with a slash
   */
  public OpenApi typeScript(String path) {
    String checked = DocsPage.checked("typeScript", path);
    return changed(copy -> copy.typeScript = checked);
  }

  /**
   * Includes only routes below a path, such as {@code /v1}.
   *
   * @throws IllegalArgumentException if the path does not start with a slash
   */
  public OpenApi pathPrefix(String path) {
    String checked = DocsPage.checked("pathPrefix", path);
    return changed(copy -> copy.pathPrefix = checked);
  }

  /** Sets whether routes without a description are included, with path, verb and parameters. */
  public OpenApi includeUndescribed(boolean shown) {
    return changed(copy -> copy.includeUndescribed = shown);
  }

  /**
   * Adds the URL of a server. Default: the server of the document, with the mount path of the
   * application.
   */
  public OpenApi server(String url) {
    return changed(copy -> copy.servers = Description.plus(servers, List.of(url)));
  }

  /**
   * Adds a security scheme, in the format of OpenAPI. Schemes that middleware declares with {@link
   * dev.percolate.core.SecurityScheme} are added without this; this one replaces a scheme with the
   * same name.
   *
   * @param name the name for {@link Api#security}
   * @param scheme the scheme, such as {@code Map.of("type", "http", "scheme", "bearer")}
   */
  public OpenApi security(String name, Map<String, Object> scheme) {
    return changed(
        copy -> {
          Map<String, Map<String, Object>> more = new LinkedHashMap<>(security);
          more.put(name, scheme);
          copy.security = more;
        });
  }

  @Override
  public Map<String, Object> document() {
    return document(RouteWalk.of(app));
  }

  /**
   * Returns a module of TypeScript with the types of the document and a client that calls {@code
   * fetch}: the class {@code Client} has a method for each operation, named by its {@link
   * Api#operationId}. Errors are thrown as {@code ApiError}. Write it to a file in a test, so that
   * a changed route breaks the compilation of its callers:
   *
   * <pre>{@code
   * Path file = Path.of("web/client.ts");
   * String client = OpenApi.of(app).toTypeScript();
   * if (!client.equals(Files.readString(file))) {
   *   Files.writeString(file, client);
   *   fail(file + " was out of date");
   * }
   * }</pre>
   */
  public String toTypeScript() {
    return TypeScriptClient.of(document(), app.settings().jsonCodec());
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    boolean asked = req.method().equals("GET") || req.method().equals("HEAD");
    if (asked && req.path().equals(path)) {
      res.type("application/json").send(json());
    } else if (asked && req.path().equals(typeScript) && isDevelopment(req)) {
      res.type("text/plain").send(toTypeScript());
    } else if (asked && docs != null) {
      docs.handle(path, title, req, res, next);
    } else {
      next.run();
    }
  }

  private static boolean isDevelopment(Request req) {
    return "development".equals(req.settings().get(Settings.ENV));
  }

  private Object json() {
    RouteWalk walk = RouteWalk.of(app);
    JsonCodec codec = app.settings().jsonCodec();
    Made known = made;
    if (known == null || known.codec() != codec || !known.walk().isSame(walk)) {
      byte[] json = codec.writeBytes(document(walk), JsonCodec.WriteOptions.COMPACT);
      known = new Made(walk, codec, json);
      made = known;
    }
    return known.json();
  }

  private Map<String, Object> document(RouteWalk walk) {
    JsonCodec codec = app.settings().jsonCodec();
    Schemas schemas = new Schemas(CompiledApi.beans(app.settings()));
    OperationWriter writer = new OperationWriter(schemas, codec);
    PathItems paths = new PathItems();
    Map<String, Map<String, Object>> schemes = new LinkedHashMap<>();
    for (RouteWalk.Found route : walk.found()) {
      if (isShown(route) && paths.add(route, writer::operation)) {
        schemes.putAll(route.security().definitions());
      }
    }
    Map<String, Object> info = JsonObject.of("title", title, "version", version);
    JsonObject.add(info, "description", description);
    String own = PathTemplate.of(app.path(), "").get(0).text();
    List<String> urls = servers.isEmpty() ? List.of(own) : servers;
    Map<String, Object> document = JsonObject.of("openapi", "3.1.0", "info", info);
    document.put("servers", urls.stream().map(url -> JsonObject.of("url", url)).toList());
    document.put("paths", paths.items());
    Map<String, Object> components = new LinkedHashMap<>();
    JsonObject.add(components, "schemas", schemas.components());
    schemes.putAll(security);
    JsonObject.add(components, "securitySchemes", schemes);
    document.put("components", components);
    document.put("security", List.of());
    return document;
  }

  private boolean isShown(RouteWalk.Found route) {
    String path = route.path().text();
    boolean below =
        pathPrefix.isEmpty() || path.equals(pathPrefix) || path.startsWith(pathPrefix + "/");
    boolean hidden = route.apis().stream().anyMatch(api -> api.hidden);
    return below && !hidden && (route.described() || includeUndescribed);
  }

  private OpenApi changed(Consumer<OpenApi> change) {
    return with(
        copy -> {
          copy.made = null;
          change.accept(copy);
        });
  }
}
