package dev.percolate.openapi;

import dev.percolate.core.RecordComponents;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parameters and form fields of a document.
 *
 * @param schemas the schemas of the document
 */
record InputWriter(Schemas schemas) {

  /** Returns the parameters of a route, without form fields. */
  List<Object> parameters(RouteWalk.Found route) {
    Map<String, Object> all = new LinkedHashMap<>();
    route
        .path()
        .patterns()
        .forEach(
            (name, pattern) -> {
              Map<String, Object> schema = JsonObject.of("type", "string");
              addPattern(schema, pattern);
              all.put(
                  "path " + name,
                  JsonObject.of("name", name, "in", "path", "required", true, "schema", schema));
            });
    for (Description api : route.apis()) {
      for (Parameter one : api.parameters) {
        boolean elsewhere =
            one.kind() == Parameter.Kind.PATH && !route.path().patterns().containsKey(one.name());
        if (!one.kind().isField() && !elsewhere) {
          all.put(one.kind().word() + " " + one.name(), parameter(one, route.path()));
        }
      }
      api.records.stream()
          .filter(one -> one.kind() == Parameter.Kind.QUERY)
          .flatMap(one -> one.components().stream())
          .forEach(one -> all.put("query " + one.getName(), parameter(one)));
    }
    return List.copyOf(all.values());
  }

  private static void addPattern(Map<String, Object> schema, String pattern) {
    if (!pattern.isEmpty()) {
      schema.put("pattern", "^(?:" + pattern + ")$");
    }
  }

  private Map<String, Object> parameter(Parameter one, PathTemplate path) {
    Map<String, Object> schema = schema(one);
    if (one.kind() == Parameter.Kind.PATH && "string".equals(schema.get("type"))) {
      addPattern(schema, path.patterns().getOrDefault(one.name(), ""));
    }
    return parameter(one.kind().word(), one.name(), one.description(), one.required(), schema);
  }

  private Map<String, Object> parameter(RecordComponent one) {
    Map<String, Object> schema = schemas.field(one);
    Map<String, Object> parameter =
        parameter("query", one.getName(), null, isRequired(one), schema);
    if (schemas.isObject(schema)) {
      parameter.put("style", "deepObject"); // name[inner]=value
      parameter.put("explode", true);
    }
    return parameter;
  }

  private static Map<String, Object> parameter(
      String in,
      String name,
      @Nullable String description,
      boolean required,
      Map<String, Object> schema) {
    Map<String, Object> parameter = JsonObject.of("name", name, "in", in);
    JsonObject.add(parameter, "description", description);
    JsonObject.add(parameter, "required", required);
    parameter.put("schema", schema);
    return parameter;
  }

  private Map<String, Object> schema(Parameter one) {
    Map<String, Object> item = schemas.of(one.type());
    return one.list() ? JsonObject.of("type", "array", "items", item) : item;
  }

  private static boolean isRequired(RecordComponent one) {
    Class<?> type = one.getType();
    List<Annotation> annotations = List.of(one.getAccessor().getAnnotations());
    if (type.isArray() || Iterable.class.isAssignableFrom(type)) {
      return Constraints.rejectsEmpty(annotations); // an absent list is empty
    }
    boolean mayLack = RecordComponents.isNullable(one) || type == Optional.class;
    return !mayLack || Constraints.rejectsNull(annotations);
  }

  /**
   * Returns the media type object of a form: its fields, and the encodings of fields that are
   * objects.
   */
  Map<String, Object> form(Description api) {
    Form form = new Form();
    for (Parameter one : api.parameters) {
      if (one.kind().isField()) {
        form.add(
            one.name(), one.kind() == Parameter.Kind.FILE ? file() : schema(one), one.required());
      }
    }
    for (RecordInput record : api.records) {
      if (record.kind() == Parameter.Kind.FORM) {
        record.components().forEach(one -> form.add(one.getName(), field(one), isRequired(one)));
      }
    }
    return form.media();
  }

  private Map<String, Object> field(RecordComponent one) {
    if (RecordInput.isFile(one.getType())) {
      return file();
    }
    boolean files = RecordInput.isFile(RecordInput.argument(one.getGenericType()));
    if (!files) {
      return schemas.field(one);
    }
    return one.getType() == Optional.class
        ? file()
        : JsonObject.of("type", "array", "items", file());
  }

  private static Map<String, Object> file() {
    return JsonObject.of("type", "string", "contentMediaType", "application/octet-stream");
  }

  /** The fields of one form. */
  private final class Form {

    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();
    private final Map<String, Object> encoding = new LinkedHashMap<>();

    void add(String name, Map<String, Object> schema, boolean needed) {
      properties.put(name, schema);
      if (needed) {
        required.add(name);
      }
      if (schemas.isObject(schema)) {
        encoding.put(name, JsonObject.of("style", "deepObject", "explode", true));
      }
    }

    Map<String, Object> media() {
      Map<String, Object> schema = JsonObject.of("type", "object", "properties", properties);
      JsonObject.add(schema, "required", required);
      Map<String, Object> media = JsonObject.of("schema", schema);
      JsonObject.add(media, "encoding", encoding);
      return media;
    }
  }
}
