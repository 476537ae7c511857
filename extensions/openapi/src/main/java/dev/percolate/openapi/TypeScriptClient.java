package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** The part of the module that is the same for each document. */
  private static final String RUNTIME =
      """
      /** The problem details of an error (RFC 9457). */
      export interface Problem {
        title?: string
        status?: number
        detail?: string
        code?: string
        errors?: Array<{ pointer?: string, parameter?: string, code: string, detail: string }>
      }

      /** Thrown for responses with a status code of 400 and above. */
      export class ApiError extends Error {
        readonly status: number
        readonly problem: Problem

        constructor (status: number, problem: Problem) {
          super(problem.detail ?? problem.title ?? `status ${status}`)
          this.status = status
          this.problem = problem
        }
      }

      /** base is the URL of the server; headers are added to each request. */
      export interface Options {
        base?: string
        headers?: { [name: string]: string }
        fetch?: typeof fetch
      }

      type Fields = { [name: string]: unknown }

      interface Input {
        path?: object
        query?: object
        headers?: object
        body?: unknown
        form?: object
      }

      function append (target: URLSearchParams | FormData, name: string, value: unknown): void {
        if (value === undefined || value === null) return
        if (value instanceof Blob) {
          (target as FormData).append(name, value)
        } else if (Array.isArray(value)) {
          value.forEach((one, i) => append(target, isPlain(one) ? `${name}[${i}]` : name, one))
        } else if (isPlain(value)) {
          for (const [key, one] of Object.entries(value)) {
            append(target, name === '' ? key : `${name}[${key}]`, one)
          }
        } else {
          target.append(name, String(value))
        }
      }

      function isPlain (value: unknown): value is object {
        return typeof value === 'object' && value !== null && !(value instanceof Blob)
      }

      function formOf (type: string, fields: object): BodyInit {
        const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
        append(form, '', fields)
        return form
      }

      class Base {
        private readonly options: Options

        constructor (options: Options = {}) {
          this.options = options
        }

        protected async send (
          method: string, path: string, type: string, input: Input, signal?: AbortSignal
        ): Promise<unknown> {
          const values = (input.path ?? {}) as Fields
          const query = new URLSearchParams()
          append(query, '', input.query)
          const url = path.replace(/\\{([^}]+)\\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
          const headers: { [name: string]: string } = { ...this.options.headers }
          for (const [name, value] of Object.entries((input.headers ?? {}) as Fields)) {
            if (value !== undefined && value !== null) headers[name] = String(value)
          }
          let body: BodyInit | undefined
          if (input.form !== undefined) {
            body = formOf(type, input.form)
          } else if (input.body !== undefined) {
            body = type.includes('json') ? JSON.stringify(input.body) : input.body as BodyInit
            if (type !== '' && !type.includes('*')) headers['Content-Type'] = type
          }
          const target = (this.options.base ?? '') + url + (query.toString() === '' ? '' : `?${query}`)
          const response = await (this.options.fetch ?? fetch)(target, { method, headers, body, signal })
          const sent = response.headers.get('Content-Type') ?? ''
          const isJson = sent.includes('json')
          if (!response.ok) {
            throw new ApiError(response.status, isJson ? await response.json() as Problem : {})
          }
          if (sent === '' || response.status === 204) return undefined
          return isJson ? response.json() : sent.startsWith('text/') ? response.text() : response.blob()
        }
      }

      """;

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
    client.text.append(RUNTIME);
    client.operations(map(document.get("paths")));
    return client.text.toString();
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
