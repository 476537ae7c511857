package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes an OpenAPI document as a module of TypeScript: an interface with all types, and a class
 * with a method for each operation, which calls {@code fetch}.
 */
final class TypeScriptClient {

  /** The kinds of parameters that {@code fetch} can send, with their names in the input. */
  private static final Map<String, String> PARAMETERS =
      Map.of("path", "path", "query", "query", "header", "headers");

  private final TypeScriptType types;
  private final Set<String> names = new HashSet<>(Set.of("constructor", "options", "send"));
  private final StringBuilder text = new StringBuilder();

  private TypeScriptClient(JsonCodec codec) {
    this.types = new TypeScriptType(codec);
  }

  /**
   * Returns the source code of the module.
   *
   * @param document a document of {@link OpenApi}
   * @param codec writes names and constants
   */
  static String of(Map<String, Object> document, JsonCodec codec) {
    TypeScriptClient client = new TypeScriptClient(codec);
    Map<?, ?> info = map(document.get("info"));
    client.text.append("// The client of ").append(comment(info.get("title"))).append(", version ");
    client.text.append(comment(info.get("version"))).append(". Generated; do not edit.\n\n");
    client.types(map(map(document.get("components")).get("schemas")));
    client.text.append(base());
    client.operations(map(document.get("paths")));
    return client.text.toString();
  }

  /** Returns the part of the module that is the same for each document. */
  private static String base() {
    try (InputStream file = TypeScriptClient.class.getResourceAsStream("fetch.ts")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void types(Map<?, ?> schemas) {
    text.append("export interface Types {\n");
    schemas.forEach(
        (name, schema) ->
            text.append("  ")
                .append(types.literal(name))
                .append(": ")
                .append(types.of(schema, "  "))
                .append('\n'));
    text.append("}\n\n");
  }

  private void operations(Map<?, ?> paths) {
    text.append("export class Client extends Base {");
    paths.forEach(
        (path, verbs) ->
            map(verbs)
                .forEach(
                    (verb, operation) ->
                        operation(String.valueOf(verb), String.valueOf(path), map(operation))));
    text.append("}\n");
  }

  private void operation(String verb, String path, Map<?, ?> operation) {
    Map<String, String> input = parameters(operation.get("parameters"));
    Map<?, ?> body = map(operation.get("requestBody"));
    Map.Entry<?, ?> content = first(map(body.get("content")));
    String media = content == null ? "" : String.valueOf(content.getKey());
    if (content != null) {
      String key = isForm(media) ? "form" : "body";
      boolean required = Boolean.TRUE.equals(body.get("required"));
      input.put(key + (required ? "" : "?"), body(media, map(content.getValue())));
    }
    String result = result(map(operation.get("responses")));
    String deprecated = operation.containsKey("deprecated") ? " @deprecated" : "";
    text.append("\n  /** ").append(comment(operation.get("summary"))).append(deprecated);
    text.append(" */\n  ").append(name(String.valueOf(operation.get("operationId"))));
    text.append(" (").append(argument(input)).append("signal?: AbortSignal): Promise<");
    text.append(result).append("> {\n    return this.send(");
    text.append(types.literal(verb.toUpperCase(Locale.ROOT))).append(", ");
    text.append(types.literal(path)).append(", ").append(types.literal(media)).append(", ");
    text.append(input.isEmpty() ? "{}" : "input").append(", signal) as Promise<");
    text.append(result).append(">\n  }\n");
  }

  /** Returns the members of the input that contain parameters; optional ones end with "?". */
  private Map<String, String> parameters(@Nullable Object parameters) {
    Map<String, String> input = new LinkedHashMap<>();
    for (String kind : List.of("path", "query", "header")) {
      List<String> members = new ArrayList<>();
      boolean required = false;
      for (Object one : parameters instanceof List<?> all ? all : List.of()) {
        Map<?, ?> parameter = map(one);
        if (kind.equals(parameter.get("in"))) {
          boolean needed = Boolean.TRUE.equals(parameter.get("required"));
          required |= needed;
          String name = types.literal(parameter.get("name")) + (needed ? ": " : "?: ");
          members.add(name + types.of(parameter.get("schema"), "  "));
        }
      }
      if (!members.isEmpty()) {
        String name = PARAMETERS.get(kind) + (required ? "" : "?");
        input.put(name, "{ " + String.join(", ", members) + " }");
      }
    }
    return input;
  }

  private static String argument(Map<String, String> input) {
    if (input.isEmpty()) {
      return "";
    }
    List<String> members = new ArrayList<>();
    input.forEach((name, type) -> members.add(name + ": " + type));
    boolean optional = input.keySet().stream().allMatch(name -> name.endsWith("?"));
    return "input: { " + String.join(", ", members) + " }" + (optional ? " = {}, " : ", ");
  }

  private String body(String media, Map<?, ?> content) {
    boolean typed = isForm(media) || media.contains("json");
    return typed ? types.of(content.get("schema"), "  ") : "string | Blob";
  }

  /** Returns the types of the responses with a success status. */
  private String result(Map<?, ?> responses) {
    Set<String> results = new LinkedHashSet<>();
    responses.forEach(
        (status, response) -> {
          if (String.valueOf(status).startsWith("2")) {
            Map.Entry<?, ?> content = first(map(map(response).get("content")));
            results.add(content == null ? "undefined" : result(content));
          }
        });
    return results.isEmpty() ? "unknown" : String.join(" | ", results);
  }

  private String result(Map.Entry<?, ?> content) {
    String media = String.valueOf(content.getKey());
    if (media.contains("json")) {
      return types.of(map(content.getValue()).get("schema"), "  ");
    }
    return media.startsWith("text/") ? "string" : "Blob";
  }

  /** Returns a unique identifier for an operation. */
  private String name(String operationId) {
    String plain = operationId.replaceAll("[^A-Za-z0-9_$]", "_");
    String identifier = Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
    String name = identifier;
    for (int i = 2; !names.add(name); i++) {
      name = identifier + i;
    }
    return name;
  }

  private static boolean isForm(String media) {
    return media.equals("multipart/form-data") || media.equals("application/x-www-form-urlencoded");
  }

  private static String comment(@Nullable Object words) {
    return words == null ? "" : words.toString().replaceAll("\\R", " ").replace("*/", "* /");
  }

  private static Map.@Nullable Entry<?, ?> first(Map<?, ?> map) {
    return map.isEmpty() ? null : map.entrySet().iterator().next();
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
