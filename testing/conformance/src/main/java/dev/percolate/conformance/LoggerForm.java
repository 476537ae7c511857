package dev.percolate.conformance;

import dev.percolate.logger.LineFormat;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.logger.Tokens;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates request loggers, and defines tokens and formats. */
final class LoggerForm {

  private LoggerForm() {}

  static RequestLogger make(
      @Nullable Object given, Map<String, @Nullable Object> givenOptions, Variables scope) {
    Object format = given;
    Map<String, @Nullable Object> options = givenOptions;
    if (given instanceof Map) {
      options = ScriptValues.map(given);
      format = options.get("format");
    }
    RequestLogger logger = destined(format, options, scope);
    if (options.get("skip") instanceof Routine skip) {
      logger = logger.skip((req, res) -> ScriptValues.isTrue(skip.invoke(req, res)));
    }
    return logger.immediate(ScriptValues.isTrue(options.get("immediate")));
  }

  static void defineFormat(String name, @Nullable Object format) {
    if (format instanceof Routine function) {
      RequestLogger.format(name, lineFormat(function, value -> value));
    } else {
      RequestLogger.format(name, ScriptValues.text(format));
    }
  }

  static void defineToken(String name, Routine token) {
    RequestLogger.token(
        name,
        (req, res, args) -> {
          @Nullable Object[] all = new @Nullable Object[args.length + 2];
          all[0] = req;
          all[1] = res;
          System.arraycopy(args, 0, all, 2, args.length);
          return tokenValue(token.invoke(all));
        });
  }

  /** Returns the value of a token. As in the originals, the first arguments are req and res. */
  static @Nullable Object token(Tokens tokens, String name, @Nullable Object[] args) {
    int first = Math.min(2, args.length);
    return ScriptValues.orUndefined(tokens.get(name, Arrays.copyOfRange(args, first, args.length)));
  }

  /** Creates a logger that writes to a stream of the scenario, or to its log. */
  private static RequestLogger destined(
      @Nullable Object format, Map<String, @Nullable Object> options, Variables scope) {
    Object stream = options.get("stream");
    Object buffer = options.get("buffer");
    Map<String, @Nullable Object> given =
        stream instanceof Map ? ScriptValues.map(stream) : Map.of();
    if (!(given.get("write") instanceof Routine write)) {
      return of(format, value -> value).to(sink(line -> scope.world().log(cut(line)), buffer));
    }
    RequestLogger logger = of(format, value -> value);
    if (ScriptValues.isTrue(given.get("writableObjectMode"))) {
      // An object bypasses the logger, whose lines are strings.
      logger =
          of(
              format,
              value -> {
                boolean object = PlainValues.typeOf(value).equals("object");
                return object ? ScriptValues.orNull(written(write, value)) : value;
              });
    }
    return logger.to(
        sink(
            line -> {
              Object ignored = write.invoke(line);
            },
            buffer));
  }

  private static LogSink sink(Consumer<String> lines, @Nullable Object buffer) {
    if (!ScriptValues.isTrue(buffer)) {
      return LogSink.direct(lines);
    }
    long millis = buffer instanceof Number time ? time.longValue() : 1000;
    return LogSink.of(lines).batchDelay(Duration.ofMillis(millis));
  }

  private static Object written(Routine write, @Nullable Object value) {
    Object ignored = write.invoke(value);
    return ScriptValues.UNDEFINED;
  }

  /** Converts the result of a format function. */
  @FunctionalInterface
  private interface Change {

    @Nullable Object of(@Nullable Object value);
  }

  private static RequestLogger of(@Nullable Object format, Change change) {
    if (format instanceof Routine function) {
      return RequestLogger.of(lineFormat(function, change));
    } else if (ScriptValues.isAbsent(format) || format instanceof String) {
      return RequestLogger.of((String) ScriptValues.orNull(format));
    }
    throw Errors.of("argument format must be a string");
  }

  private static LineFormat lineFormat(Routine function, Change change) {
    return (tokens, req, res) -> lineValue(change.of(function.invoke(tokens, req, res)));
  }

  private static @Nullable Object lineValue(@Nullable Object value) {
    return value == ScriptValues.UNDEFINED ? null : value;
  }

  /** Converts lists and maps to text as JavaScript does. */
  private static @Nullable Object tokenValue(@Nullable Object value) {
    return value instanceof List || value instanceof Map
        ? ScriptValues.text(value)
        : lineValue(value);
  }

  private static String cut(String line) {
    return line.endsWith("\n") ? line.substring(0, line.length() - 1) : line;
  }
}
