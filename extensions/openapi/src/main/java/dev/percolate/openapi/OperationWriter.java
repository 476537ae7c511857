package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import dev.percolate.json.JacksonCodec;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes an operation of a document: a verb at a path. */
final class OperationWriter {

  private static final String PROBLEM = "application/problem+json";
  private static final String PROBLEM_SCHEMA =
      """
      {"type": "object",
       "description": "Problem details (RFC 9457)",
       "properties": {
         "title": {"type": "string"},
         "status": {"type": "integer"},
         "detail": {"type": "string"},
         "code": {"type": "string"},
         "errors": {"type": "array", "items": {
           "type": "object",
           "properties": {
             "pointer": {"type": "string"},
             "parameter": {"type": "string"},
             "code": {"type": "string"},
             "detail": {"type": "string"}},
           "required": ["code", "detail"]}}},
       "required": ["title", "status"]}
      """;

  private static final Pattern WORD = Pattern.compile("[^A-Za-z0-9]+");

  private final Schemas schemas;
  private final JsonCodec codec;
  private final InputWriter inputs;
  private final Set<String> ids = new HashSet<>();

  OperationWriter(Schemas schemas, JsonCodec codec) {
    this.schemas = schemas;
    this.codec = codec;
    this.inputs = new InputWriter(schemas);
  }

  Map<String, Object> operation(RouteWalk.Found route) {
    List<Description> apis = route.apis();
    Map<String, Object> operation = new LinkedHashMap<>();
    Description last = route.described() ? apis.get(apis.size() - 1) : null;
    List<String> tags = apis.stream().flatMap(one -> one.tags.stream()).distinct().toList();
    JsonObject.add(operation, "tags", tags);
    if (last != null) {
      operation.put("summary", last.summary);
      JsonObject.add(operation, "description", last.description);
    }
    operation.put("operationId", id(route, last));
    JsonObject.add(operation, "parameters", inputs.parameters(route));
    for (Description api : apis) {
      if (!api.allBodies().isEmpty()) {
        operation.put("requestBody", body(api));
      }
    }
    operation.put("responses", answers(route));
    JsonObject.add(operation, "deprecated", apis.stream().anyMatch(api -> api.deprecated));
    List<?> security = apis.stream().flatMap(api -> api.security.stream()).toList();
    JsonObject.add(
        operation, "security", security.isEmpty() ? route.security().alternatives() : security);
    return operation;
  }

  private String id(RouteWalk.Found route, @Nullable Description api) {
    String given = api == null ? null : api.operationId;
    StringBuilder made = new StringBuilder(given == null ? route.verb() : given);
    if (given == null) {
      for (String word : WORD.split(route.path().text().replace("{", "by-"), -1)) {
        if (!word.isEmpty()) {
          made.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
      }
    }
    String id = made.toString();
    for (int i = 2; !ids.add(id); i++) {
      id = made + String.valueOf(i);
    }
    return id;
  }

  private Map<String, Object> body(Description api) {
    Map<String, Object> contents = new LinkedHashMap<>();
    for (Content content : api.allBodies()) {
      Map<String, Object> media = content(content, api);
      if (api.bodyExample != null && content.isJson()) {
        media.put("example", plain(api.bodyExample));
      }
      contents.put(content.media(), media);
    }
    return JsonObject.of("required", api.bodyRequired, "content", contents);
  }

  private Map<String, Object> content(Content content, @Nullable Description form) {
    if (form != null && content.type() == null) {
      return inputs.form(form);
    }
    if (content.jsonType() != null) {
      return JsonObject.of("schema", schemas.of(content.jsonType().type()));
    }
    return content.isText()
        ? JsonObject.of("schema", JsonObject.of("type", "string"))
        : new LinkedHashMap<>();
  }

  private Map<String, Object> answers(RouteWalk.Found route) {
    Map<Integer, Map<String, Object>> all = new TreeMap<>();
    for (Description api : route.apis()) {
      api.answers.forEach((status, response) -> all.put(status, answer(response)));
    }
    Set<Integer> rejections = rejections(route.apis());
    rejections.addAll(route.security().rejections());
    for (int status : rejections) {
      all.putIfAbsent(status, answer(DescribedResponse.of(status)));
    }
    Map<String, Object> answers = new LinkedHashMap<>();
    all.forEach((status, response) -> answers.put(String.valueOf(status), response));
    if (answers.isEmpty()) {
      answers.put("default", JsonObject.of("description", "Not described"));
    }
    return answers;
  }

  /** Returns the status codes of the errors that a description itself causes. */
  private static Set<Integer> rejections(List<Description> apis) {
    Set<Integer> all = new LinkedHashSet<>();
    for (Description api : apis) {
      boolean body = !api.allBodies().isEmpty();
      if (body || api.strictQuery || !api.parameters.isEmpty() || !api.records.isEmpty()) {
        all.add(400);
      }
      if (body) {
        all.add(413);
        all.add(415);
      }
      boolean json = api.allBodies().stream().anyMatch(one -> one.jsonType() != null);
      if (json || !api.records.isEmpty()) {
        all.add(422);
      }
    }
    return all;
  }

  private Map<String, Object> answer(DescribedResponse response) {
    Map<String, Object> written = JsonObject.of("description", response.description());
    Map<String, Object> headers = new LinkedHashMap<>();
    response
        .headers()
        .forEach((name, type) -> headers.put(name, JsonObject.of("schema", schemas.of(type))));
    JsonObject.add(written, "headers", headers);
    Map<String, Object> contents = new LinkedHashMap<>();
    for (Content content : response.contents()) {
      Map<String, Object> media = content(content, null);
      if (response.example() != null) {
        media.put("example", plain(response.example()));
      }
      contents.put(content.media(), media);
    }
    if (contents.isEmpty() && response.status() >= 400) {
      contents.put(PROBLEM, JsonObject.of("schema", problem()));
    }
    JsonObject.add(written, "content", contents);
    return written;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> problem() {
    Object schema = Objects.requireNonNull(new JacksonCodec().read(PROBLEM_SCHEMA));
    schemas.component("Problem", (Map<String, Object>) schema);
    return Schemas.ref("Problem");
  }

  /** Returns a value as plain JSON: maps, lists, strings and numbers. */
  private @Nullable Object plain(@Nullable Object value) {
    return codec.read(codec.write(value, JsonCodec.WriteOptions.COMPACT));
  }
}
