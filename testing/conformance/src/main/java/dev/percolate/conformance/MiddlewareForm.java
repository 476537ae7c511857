package dev.percolate.conformance;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.http.KnownMethods;
import dev.percolate.http.MediaType;
import dev.percolate.middleware.BodyLimit;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.DirectoryListing;
import dev.percolate.middleware.ErrorPages;
import dev.percolate.middleware.Favicon;
import dev.percolate.middleware.MethodOverride;
import dev.percolate.middleware.ResponseTime;
import dev.percolate.middleware.Timeout;
import dev.percolate.middleware.VirtualHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the middleware that the originals' framework contains. */
final class MiddlewareForm {

  private MiddlewareForm() {}

  static Middleware make(String name, @Nullable Object[] args, Variables scope) {
    return switch (name) {
      case "basicAuth" -> AuthForm.make(args);
      case "bodyParser" -> bodyParser(options(args, 0));
      case "compress" -> compress(options(args, 0));
      case "cookieParser" -> cookieParser(args);
      case "cookieSession" -> SessionForm.cookieSession(options(args, 0));
      case "csrf" -> CsrfForm.make(options(args, 0));
      case "directory" -> directory(args);
      case "errorHandler" -> errorHandler(options(args, 0));
      case "favicon" -> favicon(args);
      case "json", "urlencoded" -> parser(name, options(args, 0));
      case "limit" -> limit(args);
      case "logger" -> LoggerForm.make(args.length == 0 ? "combined" : args[0], Map.of(), scope);
      case "methodOverride" -> methodOverride(args);
      // The query needs no middleware.
      case "query" -> (req, res, next) -> next.run();
      case "responseTime" -> responseTime(args);
      case "session" -> SessionForm.sessions(options(args, 0));
      case "static" -> FileForm.middleware(args);
      case "timeout" -> timeout(args);
      case "vhost" -> vhost(args);
      default -> throw scope.world().missing("middleware " + name);
    };
  }

  private static boolean isGiven(@Nullable Object[] args) {
    return args.length > 0 && !ScriptValues.isAbsent(args[0]);
  }

  private static Map<String, @Nullable Object> options(@Nullable Object[] args, int index) {
    boolean given = args.length > index && args[index] instanceof Map;
    return given ? ScriptValues.map(args[index]) : Map.of();
  }

  /** Creates a parser of the old form: it sets an empty map if it does not parse. */
  private static Middleware parser(String kind, Map<String, @Nullable Object> given) {
    Map<String, @Nullable Object> options = new LinkedHashMap<>(Map.of("limit", "1mb"));
    List<String> types = List.of("application/json", "application/*+json");
    if (kind.equals("json")) {
      options.put("type", types);
    } else {
      options.put("extended", true);
    }
    options.putAll(given);
    return Chain.of(ParserForm.make(kind, options), MiddlewareForm::emptyBody);
  }

  private static Middleware bodyParser(Map<String, @Nullable Object> given) {
    Middleware files =
        (req, res, next) -> {
          String type = MediaType.parse(req.get("Content-Type")).type();
          boolean parsed =
              type != null
                  && (type.equals("application/x-www-form-urlencoded")
                      || type.equals("application/json")
                      || type.endsWith("+json"));
          if (!parsed) {
            RequestMembers.put(req, "files", new LinkedHashMap<>());
          }
          next.run();
        };
    List<Middleware> steps = new ArrayList<>();
    steps.add(files);
    steps.add(parser("json", given));
    steps.add(parser("urlencoded", given));
    return Chain.of(steps.toArray(Middleware[]::new));
  }

  private static void emptyBody(Request req, Response res, Next next) {
    if (RequestMembers.read(req, "body") == ScriptValues.UNDEFINED) {
      RequestControl.body(req, new LinkedHashMap<>());
    }
    next.run();
  }

  private static Middleware compress(Map<String, @Nullable Object> given) {
    Compression compression = Compression.of();
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      Object value = option.getValue();
      if (option.getKey().equals("threshold")) {
        // Negative and invalid thresholds compress everything.
        compression = compression.threshold((long) Math.max(0, Math.ceil(Quantities.bytes(value))));
      } else if (option.getKey().equals("filter") && value instanceof Routine filter) {
        compression =
            compression.filter((req, res) -> ScriptValues.isTrue(filter.invoke(req, res)));
      }
    }
    return compression;
  }

  private static CookieParser cookieParser(@Nullable Object[] args) {
    boolean secret = args.length > 0 && ScriptValues.isTrue(args[0]);
    CookieParser parser = secret ? CookieParser.of(ScriptValues.text(args[0])) : CookieParser.of();
    return options(args, 1).get("decode") instanceof Routine decode
        ? parser.decode(value -> ScriptValues.text(decode.invoke(value)))
        : parser;
  }

  private static Middleware directory(@Nullable Object[] args) {
    if (args.length == 0 || !ScriptValues.isTrue(args[0])) {
      throw Errors.of("serveIndex() root path required");
    }
    DirectoryListing listing = DirectoryListing.of(Path.of(ScriptValues.text(args[0])));
    for (Map.Entry<String, @Nullable Object> option : options(args, 1).entrySet()) {
      Object value = option.getValue();
      listing =
          switch (option.getKey()) {
            case "filter" -> {
              Routine keeps = (Routine) ScriptValues.orUndefined(value);
              yield listing.filter(
                  (name, index, names, directory) ->
                      ScriptValues.isTrue(keeps.invoke(name, index, names, directory.toString())));
            }
            case "hidden" -> listing.hidden(ScriptValues.isTrue(value));
            case "icons" -> listing.icons(ScriptValues.isTrue(value));
            case "template" -> listing.template(ScriptValues.text(value));
            case "view" -> listing.view(ScriptValues.text(value));
            default -> listing;
          };
    }
    return listing;
  }

  private static ErrorHandler errorHandler(Map<String, @Nullable Object> given) {
    Object log = given.get("log");
    ErrorPages pages = ErrorPages.of();
    if (log instanceof Boolean on) {
      pages = pages.log(on);
    } else if (log instanceof Routine told) {
      pages =
          pages.log(
              (error, text, req, res) -> {
                Object ignored = told.invoke(error, text, req, res);
              });
    } else if (!ScriptValues.isAbsent(log)) {
      throw Errors.of("option log must be function or boolean");
    }
    ErrorPages made = pages;
    return (error, req, res, next) -> made.handle(Errors.shown(error, res), req, res, next);
  }

  private static Middleware favicon(@Nullable Object[] args) {
    Object icon = isGiven(args) ? args[0] : null;
    Favicon favicon =
        icon == null
            ? Favicon.of()
            : icon instanceof byte[] bytes
                ? Favicon.of(bytes)
                : Favicon.of(Path.of(ScriptValues.text(icon)));
    Object maxAge = options(args, 1).get("maxAge");
    double millis = Quantities.millis(maxAge);
    return Double.isNaN(millis) ? favicon : favicon.maxAge((long) Math.max(0, millis));
  }

  private static Middleware limit(@Nullable Object[] args) {
    if (!isGiven(args) || !(args[0] instanceof Number || args[0] instanceof String)) {
      throw Errors.of("limit() bytes required");
    }
    double bytes = Quantities.bytes(args[0]);
    return Double.isNaN(bytes) // an invalid limit limits nothing
        ? (req, res, next) -> next.run()
        : BodyLimit.of((long) Math.max(0, Math.floor(bytes)));
  }

  private static Middleware responseTime(@Nullable Object[] args) {
    if (args.length > 0 && args[0] instanceof Routine listener) {
      return ResponseTime.of(
          (req, res, millis) -> {
            Object ignored = listener.invoke(req, res, millis);
          });
    }
    ResponseTime time = ResponseTime.of();
    if (args.length > 0 && args[0] instanceof Number digits) {
      return time.digits(digits.intValue());
    }
    for (Map.Entry<String, @Nullable Object> option : options(args, 0).entrySet()) {
      Object value = option.getValue();
      time =
          switch (option.getKey()) {
            case "digits" -> time.digits(((Number) ScriptValues.orUndefined(value)).intValue());
            case "header" -> time.header(ScriptValues.text(value));
            case "suffix" -> time.suffix(ScriptValues.isTrue(value));
            default -> time;
          };
    }
    return time;
  }

  /** Creates a method override that accepts every HTTP method, as the original does. */
  private static MethodOverride methodOverride(@Nullable Object[] args) {
    MethodOverride every = MethodOverride.of().methods(KnownMethods.ALL.toArray(String[]::new));
    return isGiven(args) ? every.field(ScriptValues.text(args[0])) : every;
  }

  private static Middleware timeout(@Nullable Object[] args) {
    Timeout timeout = Timeout.of();
    if (isGiven(args)) {
      double millis = Quantities.millis(args[0]);
      timeout = Timeout.of(millis > 0 ? (long) millis : 1); // as JavaScript timers do
    }
    Object respond = options(args, 1).get("respond");
    return ScriptValues.isAbsent(respond) ? timeout : timeout.respond(ScriptValues.isTrue(respond));
  }

  private static Middleware vhost(@Nullable Object[] args) {
    Middleware step =
        args[1] instanceof Routine function
            ? function.step()
            : (Middleware) ScriptValues.orUndefined(args[1]);
    if (step instanceof App app) { // it is not mounted, so it inherits no settings
      App ignored = app.set(Settings.ETAG_HASH, "md5");
    }
    return args[0] instanceof Pattern expression
        ? VirtualHost.of(expression, step)
        : VirtualHost.of(ScriptValues.text(args[0]), step);
  }
}
