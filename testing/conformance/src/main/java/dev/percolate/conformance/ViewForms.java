package dev.percolate.conformance;

import dev.percolate.framework.TemplateEngine;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates template engines, and callbacks for rendered views. */
final class ViewForms {

  private static final Pattern FIELD = Pattern.compile("\\{\\{([^}]+)}}");
  private static final long DEADLINE_SECONDS = 3;

  private ViewForms() {}

  /** Creates an engine from a function, or the test engine from the string {@code template}. */
  static TemplateEngine engine(@Nullable Object given) {
    if ("template".equals(given)) {
      return (file, locals) ->
          FIELD
              .matcher(Files.readString(file))
              .replaceAll(found -> Matcher.quoteReplacement(field(found.group(1), locals)));
    } else if (given instanceof Routine function) {
      return (file, locals) -> rendered(function, file.toString(), locals);
    }
    throw Errors.of("callback function required");
  }

  /** Converts a function to a callback for an error or a rendered view. */
  static BiConsumer<@Nullable Throwable, @Nullable String> callback(Routine function) {
    return (error, text) -> {
      Object seen = error == null ? null : Errors.value(error);
      Object ignored = function.invoke(seen, ScriptValues.orUndefined(text));
    };
  }

  private static String field(String name, Map<String, @Nullable Object> locals) {
    if (name.equals("!throw")) {
      throw Errors.of("template failed");
    }
    Object value = locals;
    for (String part : Arrays.asList(name.split("\\.", -1))) {
      value = ValueMembers.read(value, part);
    }
    return ScriptValues.isAbsent(value) ? "" : ScriptValues.text(value);
  }

  private static String rendered(
      Routine function, String file, Map<String, @Nullable Object> locals) throws Exception {
    CompletableFuture<String> text = new CompletableFuture<>();
    Routine next =
        args -> {
          boolean failed = args.length > 0 && ScriptValues.isTrue(args[0]);
          boolean changed =
              failed
                  ? text.completeExceptionally(Errors.raised(args[0]))
                  : text.complete(ScriptValues.text(args[1]));
          return changed;
        };
    Object ignored = function.call(file, locals, next);
    try {
      return text.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
