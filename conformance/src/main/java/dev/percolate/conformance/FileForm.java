package dev.percolate.conformance;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Response;
import dev.percolate.middleware.StaticFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends files, and makes the middleware that does. */
final class FileForm {

  private FileForm() {}

  /** Plays {@code sendfile(path, options?, callback?)}. */
  static Object sendFile(Response res, @Nullable Object[] args, Names scope) {
    Map<String, @Nullable Object> given = Map.of();
    for (Object arg : args) {
      given = arg instanceof Map ? Values.map(arg) : given;
    }
    res.sendFile(Values.text(args[0]), options(given), next(res, args, scope));
    return Values.UNDEFINED;
  }

  /** Plays {@code download(path, filename?, callback?)}. */
  static Object download(Response res, @Nullable Object[] args, Names scope) {
    String filename = args.length > 1 && args[1] instanceof String name ? name : null;
    res.download(Values.text(args[0]), filename, FileOptions.none(), next(res, args, scope));
    return Values.UNDEFINED;
  }

  static Middleware middleware(@Nullable Object[] args) {
    if (args.length == 0 || !Values.isTrue(args[0])) {
      throw Errors.of("root path required");
    }
    Map<String, @Nullable Object> given =
        args.length > 1 && args[1] instanceof Map ? Values.map(args[1]) : Map.of();
    StaticFiles files = StaticFiles.of(Path.of(Values.text(args[0])));
    try {
      for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
        files = with(files, option.getKey(), option.getValue());
      }
    } catch (IllegalArgumentException e) {
      // The originals look at options only when a request comes.
      return (req, res, next) -> next.fail(e);
    }
    return files;
  }

  private static StaticFiles with(StaticFiles files, String option, @Nullable Object value) {
    return switch (option) {
      case "dotfiles" -> files.dotfiles(Values.text(value));
      case "end" -> files.end(number(value));
      case "etag" -> files.etag(Values.isTrue(value));
      case "extensions" -> files.extensions(names(value));
      case "fallthrough" -> files.fallthrough(Values.isTrue(value));
      case "hidden" -> files.hidden(Values.isTrue(value));
      case "immutable" -> files.immutable(Values.isTrue(value));
      case "index" -> files.index(names(value));
      case "lastModified" -> files.lastModified(Values.isTrue(value));
      case "maxAge", "maxage" -> files.maxAge(age(value));
      case "redirect" -> files.redirect(Values.isTrue(value));
      case "setHeaders" -> files.headers(hook((Routine) Values.orUndefined(value)));
      case "start" -> files.start(number(value));
      default -> files;
    };
  }

  private static FileOptions options(Map<String, @Nullable Object> given) {
    FileOptions options = FileOptions.none();
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      options = with(options, option.getKey(), option.getValue());
    }
    return options;
  }

  private static FileOptions with(FileOptions options, String option, @Nullable Object value) {
    return switch (option) {
      case "dotfiles" -> options.dotfiles(Values.text(value));
      case "end" -> options.end(number(value));
      case "etag" -> options.etag(Values.isTrue(value));
      case "extensions" -> options.extensions(names(value));
      case "headers" -> options.headers(fixed(Values.map(value)));
      case "hidden" -> options.hidden(Values.isTrue(value));
      case "immutable" -> options.immutable(Values.isTrue(value));
      case "index" -> options.index(names(value));
      case "lastModified" -> options.lastModified(Values.isTrue(value));
      case "maxAge", "maxage" -> options.maxAge(age(value));
      case "root" -> options.root(Path.of(Values.text(value)));
      case "start" -> options.start(number(value));
      default -> options;
    };
  }

  private static FileOptions.HeaderHook hook(Routine function) {
    return (sent, file, attributes) -> {
      Map<String, Object> stat = Map.of("size", attributes.size());
      Object ignored = function.invoke(sent, file.toString(), stat);
    };
  }

  private static FileOptions.HeaderHook fixed(Map<String, @Nullable Object> headers) {
    return (sent, file, attributes) ->
        headers.forEach((name, value) -> sent.set(name, Values.text(value)));
  }

  /** Gives the scenario's next; a callback in its place is called where the originals call one. */
  private static Next next(Response res, @Nullable Object[] args, Names scope) {
    Next next = (Next) Values.orUndefined(scope.get("next"));
    if (!(args[args.length - 1] instanceof Routine callback)) {
      return next;
    }
    Told told = new Told(callback, next);
    res.onFinish(
        () -> {
          boolean read = res.status() < 300 && !res.req().method().equals("HEAD");
          Object ignored = read && !told.over && res.finished() ? callback.invoke() : null;
        });
    return told;
  }

  /** Tells a callback of errors. */
  private static final class Told implements Next {

    private final Routine callback;
    private final Next next;
    private boolean over;

    Told(Routine callback, Next next) {
      this.callback = callback;
      this.next = next;
    }

    @Override
    public void run() {
      over = true;
      next.run();
    }

    @Override
    public void fail(Throwable error) {
      over = true;
      Object ignored = callback.invoke(Errors.value(error));
    }

    @Override
    public void route() {
      next.route();
    }
  }

  /** Gives an age as the originals count it: 0 for a negative one, and for what is none. */
  private static long age(@Nullable Object value) {
    return (long) Math.max(0, Quantities.millis(value)); // NaN becomes 0, too
  }

  private static long number(@Nullable Object value) {
    return ((Number) Values.orUndefined(value)).longValue();
  }

  private static String[] names(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Values::text).toArray(String[]::new);
    }
    return Values.isTrue(value) ? new String[] {Values.text(value)} : new String[0];
  }
}
