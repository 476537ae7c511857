package dev.percolate.openapi;

import dev.percolate.http.Copyable;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The description of a route. Immutable, and shared by all threads. */
final class Description extends Copyable<Description> {

  final String summary;

  // Only set in new copies.
  @Nullable String description;
  @Nullable String operationId;
  boolean deprecated;
  boolean hidden;
  List<String> tags = List.of();
  List<Map<String, List<String>>> security = List.of();
  List<Parameter> parameters = List.of();
  List<RecordInput> records = List.of();
  List<Content> bodies = List.of();
  boolean bodyRequired = true;
  @Nullable Object bodyExample;
  Map<Integer, DescribedResponse> answers = Map.of();
  boolean strictQuery;
  String limit = "100kb";

  Description(String summary) {
    this.summary = summary;
  }

  Description changed(Consumer<Description> change) {
    return with(change);
  }

  static <T> List<T> plus(List<T> list, List<T> more) {
    List<T> all = new ArrayList<>(list);
    all.addAll(more);
    return List.copyOf(all);
  }

  /** Returns the declared bodies, including forms. */
  List<Content> allBodies() {
    boolean files = has(Parameter.Kind.FILE) || records.stream().anyMatch(RecordInput::hasFiles);
    return files || has(Parameter.Kind.FORM)
        ? plus(bodies, List.of(new Content(files ? Content.FILES : Content.FORM, null)))
        : bodies;
  }

  private boolean has(Parameter.Kind kind) {
    return parameters.stream().anyMatch(one -> one.kind() == kind)
        || records.stream().anyMatch(one -> one.kind() == kind);
  }

  /** Returns the types of the JSON bodies in requests and responses. */
  List<Type> types() {
    List<Type> types = new ArrayList<>();
    bodies.forEach(one -> addType(types, one));
    answers.values().forEach(answer -> answer.contents().forEach(one -> addType(types, one)));
    return types;
  }

  private static void addType(List<Type> types, Content content) {
    if (content.jsonType() != null) {
      types.add(content.jsonType().type());
    }
  }
}
