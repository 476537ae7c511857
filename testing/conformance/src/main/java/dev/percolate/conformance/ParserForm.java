package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParser;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.parsers.JsonParser;
import dev.percolate.parsers.TextParser;
import dev.percolate.parsers.UrlencodedParser;
import dev.percolate.parsers.Verifier;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Creates body parsers. */
final class ParserForm {

  private ParserForm() {}

  static Middleware make(String kind, Map<String, @Nullable Object> options) {
    BodyParser<?> parser =
        switch (kind) {
          case "json" -> BodyParsers.json();
          case "raw" -> BodyParsers.raw();
          case "text" -> BodyParsers.text();
          case "urlencoded" -> BodyParsers.urlencoded();
          default -> throw new MissingFeature("parser " + kind);
        };
    for (Map.Entry<String, @Nullable Object> option : options.entrySet()) {
      if (option.getValue() != ScriptValues.UNDEFINED) {
        parser = with(parser, option.getKey(), option.getValue());
      }
    }
    return LimitForm.told(parser, options.get("limit"));
  }

  private static BodyParser<?> with(BodyParser<?> parser, String option, @Nullable Object value) {
    return switch (option) {
      case "inflate" -> parser.inflate(ScriptValues.isTrue(value));
      case "limit" -> LimitForm.limited(parser, value);
      case "type" -> typed(parser, value);
      case "verify" -> verified(parser, value);
      default -> {
        if (parser instanceof JsonParser json) {
          yield with(json, option, value);
        } else if (parser instanceof UrlencodedParser form) {
          yield with(form, option, value);
        } else if (parser instanceof TextParser text && option.equals("defaultCharset")) {
          yield text.defaultCharset(ScriptValues.text(value));
        }
        yield parser;
      }
    };
  }

  private static JsonParser with(JsonParser parser, String option, @Nullable Object value) {
    return switch (option) {
      case "defaultCharset" -> parser.defaultCharset(ScriptValues.text(value));
      case "reviver" ->
          parser.reviver(
              value instanceof Routine function ? (key, item) -> function.invoke(key, item) : null);
      case "strict" -> parser.strict(ScriptValues.isTrue(value));
      default -> parser;
    };
  }

  private static UrlencodedParser with(
      UrlencodedParser parser, String option, @Nullable Object value) {
    return switch (option) {
      case "charsetSentinel" -> parser.charsetSentinel(ScriptValues.isTrue(value));
      case "defaultCharset" -> parser.defaultCharset(ScriptValues.text(value));
      case "depth" -> parser.depth(value instanceof Number levels ? levels.intValue() : -1);
      case "extended" -> parser.extended(ScriptValues.isTrue(value));
      case "interpretNumericEntities" ->
          parser.interpretNumericEntities(ScriptValues.isTrue(value));
      case "parameterLimit" ->
          parser.parameterLimit(value instanceof Number limit ? limit.intValue() : 0);
      default -> parser;
    };
  }

  private static BodyParser<?> typed(BodyParser<?> parser, @Nullable Object value) {
    if (value instanceof Routine function) {
      Predicate<Request> predicate = req -> ScriptValues.isTrue(function.invoke(req));
      return parser.type(predicate);
    }
    List<?> types = value instanceof List<?> list ? list : List.of(ScriptValues.text(value));
    return parser.type(types.stream().map(String::valueOf).toArray(String[]::new));
  }

  private static BodyParser<?> verified(BodyParser<?> parser, @Nullable Object value) {
    if (value instanceof Routine function) {
      return parser.verify(verifier(function));
    } else if (ScriptValues.isTrue(value)) {
      throw Errors.of("option verify must be function");
    }
    return parser.verify(null);
  }

  private static Verifier verifier(Routine function) {
    return (req, res, bytes, charset) -> {
      try {
        Object ignored = function.call(req, res, bytes, charset);
      } catch (HttpError e) {
        throw Errors.complete(e);
      } catch (RuntimeException e) {
        // Errors without a status have no type in Java; in the originals they keep it.
        Object type = Errors.read(e, "type");
        int status = Errors.hasStatus(e) ? 500 : 403; // 500: a status that is not known
        throw new HttpError(
            status, e.getMessage(), type instanceof String text ? text : "entity.verify.failed", e);
      }
    };
  }
}
