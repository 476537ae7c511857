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

/** Sends files, and creates the middleware for static files. */
final class FileForm {

  private FileForm() {}

  /** Runs {@code sendfile(path, options?, callback?)}. */
  static Object sendFile(Response res, @Nullable Object[] args, Variables scope) {
    Map<String, @Nullable Object> given = Map.of();
    for (Object arg : args) {
      given = arg instanceof Map ? ScriptValues.map(arg) : given;
    }
    res.sendFile(ScriptValues.text(args[0]), options(given), next(res, args, scope));
    return ScriptValues.UNDEFINED;
  }

  /** Runs {@code download(path, filename?, callback?)}. */
  static Object download(Response res, @Nullable Object[] args, Variables scope) {
    String filename = args.length > 1 && args[1] instanceof String name ? name : null;
    res.download(ScriptValues.text(args[0]), filename, FileOptions.none(), next(res, args, scope));
    return ScriptValues.UNDEFINED;
  }

  static Middleware middleware(@Nullable Object[] args) {
    if (args.length == 0 || !ScriptValues.isTrue(args[0])) {
      throw Errors.of("root path required");
    }
    Map<String, @Nullable Object> given =
        args.length > 1 && args[1] instanceof Map ? ScriptValues.map(args[1]) : Map.of();
    StaticFiles files = StaticFiles.of(Path.of(ScriptValues.text(args[0])));
    try {
      for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
        files = with(files, option.getKey(), option.getValue());
      }
    } catch (IllegalArgumentException e) {
      // The originals validate options only when a request arrives.
      return (req, res, next) -> next.fail(e);
    }
    return files;
  }

  private static StaticFiles with(StaticFiles files, String option, @Nullable Object value) {
    return switch (option) {
      case "dotfiles" -> files.dotfiles(ScriptValues.text(value));
      case "end" -> files.end(number(value));
      case "etag" -> files.etag(ScriptValues.isTrue(value));
      case "extensions" -> files.extensions(names(value));
      case "fallthrough" -> files.fallthrough(ScriptValues.isTrue(value));
      case "hidden" -> files.hidden(ScriptValues.isTrue(value));
      case "immutable" -> files.immutable(ScriptValues.isTrue(value));
      case "index" -> files.index(names(value));
      case "lastModified" -> files.lastModified(ScriptValues.isTrue(value));
      case "maxAge", "maxage" -> files.maxAge(age(value));
      case "redirect" -> files.redirect(ScriptValues.isTrue(value));
      case "setHeaders" -> files.headers(hook((Routine) ScriptValues.orUndefined(value)));
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
      case "dotfiles" -> options.dotfiles(ScriptValues.text(value));
      case "end" -> options.end(number(value));
      case "etag" -> options.etag(ScriptValues.isTrue(value));
      case "extensions" -> options.extensions(names(value));
      case "headers" -> options.headers(fixed(ScriptValues.map(value)));
      case "hidden" -> options.hidden(ScriptValues.isTrue(value));
      case "immutable" -> options.immutable(ScriptValues.isTrue(value));
      case "index" -> options.index(names(value));
      case "lastModified" -> options.lastModified(ScriptValues.isTrue(value));
      case "maxAge", "maxage" -> options.maxAge(age(value));
      case "root" -> options.root(Path.of(ScriptValues.text(value)));
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
        headers.forEach((name, value) -> sent.set(name, ScriptValues.text(value)));
  }

  /** Returns the scenario's next. A callback argument is called instead, as in the originals. */
  private static Next next(Response res, @Nullable Object[] args, Variables scope) {
    Next next = (Next) ScriptValues.orUndefined(scope.get("next"));
    if (!(args[args.length - 1] instanceof Routine callback)) {
      return next;
    }
    CallbackNext told = new CallbackNext(callback, next);
    res.onFinish(
        () -> {
          boolean read = res.status() < 300 && !res.req().method().equals("HEAD");
          Object ignored = read && !told.over && res.finished() ? callback.invoke() : null;
        });
    return told;
  }

  /** Passes errors to a callback. */
  private static final class CallbackNext extends WrappedNext {

    private final Routine callback;
    private boolean over;

    CallbackNext(Routine callback, Next next) {
      super(next);
      this.callback = callback;
    }

    @Override
    public void run() {
      over = true;
      super.run();
    }

    @Override
    public void fail(Throwable error) {
      over = true;
      Object ignored = callback.invoke(Errors.value(error));
    }
  }

  /** Returns an age as the originals read it: 0 if it is negative or invalid. */
  private static long age(@Nullable Object value) {
    return (long) Math.max(0, Quantities.millis(value)); // NaN becomes 0
  }

  private static long number(@Nullable Object value) {
    return ((Number) ScriptValues.orUndefined(value)).longValue();
  }

  private static String[] names(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(ScriptValues::text).toArray(String[]::new);
    }
    return ScriptValues.isTrue(value) ? new String[] {ScriptValues.text(value)} : new String[0];
  }
}
