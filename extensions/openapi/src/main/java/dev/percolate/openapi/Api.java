package dev.percolate.openapi;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.core.Validation;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.json.JacksonCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes the input and the responses of a route. As middleware of the route, it validates
 * requests and checks responses. {@link OpenApi} creates an OpenAPI document from all descriptions.
 *
 * <pre>{@code
 * app.post("/users",
 *     Api.of("Adds a user").body(NewUser.class).response(201, User.class).response(409),
 *     (req, res) -> res.json(201, users.add(req.body(NewUser.class))));
 * }</pre>
 *
 * <p>It may come before or after a body parser: it parses bodies that have not been parsed. A
 * request that does not match fails with an {@link dev.percolate.http.HttpError} that lists all
 * faults; see {@link dev.percolate.core.InputError}:
 *
 * <pre>
 *   400   missing or malformed parameters and bodies
 *   413   a body larger than the limit
 *   415   a body with another media type
 *   422   violated constraints, see {@link Validation}
 * </pre>
 *
 * <p>The error goes to the application's error handlers. If none responds, the client gets it as
 * {@code application/problem+json} (RFC 9457), unless it prefers HTML. Undeclared query parameters
 * are allowed, unless {@link #strictQuery} rejects them.
 *
 * <p>If passed to {@code use}, the description applies to all later routes below its path. Use this
 * for tags, security, headers and common responses.
 *
 * <p>Outside production, each response is compared with its description. An undeclared status code,
 * or a property that is missing or has another type, is reported with {@link
 * dev.percolate.core.RequestControl#warn}, so that calls in tests fail. {@link #CHECK_RESPONSES}
 * overrides this.
 *
 * <p>Immutable and thread-safe; each option returns a changed copy.
 */
@CheckReturnValue
public final class Api implements Middleware {

  /**
   * Whether responses are compared with their descriptions. Default: true, except in production.
   */
  public static final Key<Boolean> CHECK_RESPONSES = ResponseCheck.CHOSEN;

  private final Description said;

  /** Created by the first request with a codec. */
  private volatile @Nullable CompiledApi compiled;

  private Api(Description said) {
    this.said = said;
  }

  /**
   * Creates a description.
   *
   * @param summary what the route does, in a few words: {@code Adds a user}
   */
  public static Api of(String summary) {
    return new Api(new Description(Objects.requireNonNull(summary, "Api.of(null)")));
  }

  /** Sets a longer description, in CommonMark. */
  public Api description(String text) {
    return changed(copy -> copy.description = text);
  }

  /**
   * Sets the operation id, which generated clients use as a name. Default: a name built from verb
   * and path. Use it only for routes with one verb.
   */
  public Api operationId(String id) {
    return changed(copy -> copy.operationId = id);
  }

  /** Marks the operation as deprecated. */
  public Api deprecated() {
    return changed(copy -> copy.deprecated = true);
  }

  /** Omits the route from documents. Requests and responses are still checked. */
  public Api hidden() {
    return changed(copy -> copy.hidden = true);
  }

  /** Adds tags, which group the operations of a document. */
  public Api tags(String... names) {
    return changed(copy -> copy.tags = Description.plus(copy.tags, List.of(names)));
  }

  /**
   * Declares how clients authenticate. If called several times, one of the schemes suffices.
   * Nothing is checked. Default: the {@linkplain dev.percolate.core.SecurityScheme schemes} of
   * earlier middleware, if one of them requires a user.
   *
   * @param scheme the name of a scheme declared by {@link OpenApi#security}
   * @param scopes the required scopes
   */
  public Api security(String scheme, String... scopes) {
    return changed(
        copy ->
            copy.security =
                Description.plus(copy.security, List.of(Map.of(scheme, List.of(scopes)))));
  }

  /** Declares a path parameter. Undeclared path parameters are strings. */
  public Api path(String name, Class<?> type) {
    return path(name, type, null);
  }

  /** Declares a path parameter with a description. */
  public Api path(String name, Class<?> type, @Nullable String description) {
    return parameter(Parameter.Kind.PATH, name, type, false, true, description);
  }

  /** Declares an optional query parameter. */
  public Api query(String name, Class<?> type) {
    return query(name, type, null);
  }

  /**
   * Declares an optional query parameter.
   *
   * @param name the name of the parameter
   * @param type the type, converted by the {@link dev.percolate.core.Conversions} of the
   *     application
   * @param description the description in the document; null for none
   */
  public Api query(String name, Class<?> type, @Nullable String description) {
    return parameter(Parameter.Kind.QUERY, name, type, false, false, description);
  }

  /** Declares a required query parameter. */
  public Api queryRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.QUERY, name, type, false, true, null);
  }

  /** Declares a query parameter that may be repeated or absent. */
  public Api queryAll(String name, Class<?> type) {
    return parameter(Parameter.Kind.QUERY, name, type, true, false, null);
  }

  /**
   * Declares query parameters as the components of a record, which the handler reads with {@link
   * Request#query(Class)}. Components that are records are sent as {@code page[number]=1}.
   *
   * @throws IllegalArgumentException if the type is not a record
   */
  public Api query(Class<? extends Record> type) {
    return record(Parameter.Kind.QUERY, type);
  }

  /** Rejects undeclared query parameters. */
  public Api strictQuery() {
    return changed(copy -> copy.strictQuery = true);
  }

  /** Declares an optional header. */
  public Api header(String name, Class<?> type) {
    return parameter(Parameter.Kind.HEADER, name, type, false, false, null);
  }

  /** Declares a required header. */
  public Api headerRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.HEADER, name, type, false, true, null);
  }

  /** Declares an optional cookie. */
  public Api cookie(String name, Class<?> type) {
    return parameter(Parameter.Kind.COOKIE, name, type, false, false, null);
  }

  /** Declares a required cookie. */
  public Api cookieRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.COOKIE, name, type, false, true, null);
  }

  /** Declares an optional form field. */
  public Api form(String name, Class<?> type) {
    return parameter(Parameter.Kind.FORM, name, type, false, false, null);
  }

  /** Declares a required form field. */
  public Api formRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.FORM, name, type, false, true, null);
  }

  /**
   * Declares form fields as the components of a record, which the handler reads with {@link
   * Request#form(Class)}. If a component is a file ({@link dev.percolate.core.FormFile}), the form
   * is {@code multipart/form-data}.
   *
   * @throws IllegalArgumentException if the type is not a record
   * @throws IllegalStateException if it has files and {@code percolate-multipart} is missing
   */
  public Api form(Class<? extends Record> type) {
    return record(Parameter.Kind.FORM, type);
  }

  /**
   * Declares a required file in a form. The form is then {@code multipart/form-data}.
   *
   * @throws IllegalStateException if {@code percolate-multipart} is missing
   */
  public Api file(String name) {
    FileForms.check("file(\"" + name + "\")");
    return parameter(Parameter.Kind.FILE, name, byte[].class, false, true, null);
  }

  /** Declares a JSON body. */
  public Api body(Class<?> type) {
    return body(Content.JSON, BodyType.of(type));
  }

  /** Declares a JSON body of a generic type. */
  public Api body(TypeRef<?> type) {
    return body(Content.JSON, BodyType.of(type));
  }

  /**
   * Declares a body. If several are declared, clients send one of them.
   *
   * @param mediaType the media type, such as {@code text/plain} or {@code image/*}
   * @param type the type: any type for JSON, {@code String} for text, {@code byte[]} for others
   * @throws IllegalArgumentException if the media type is invalid
   */
  public Api body(String mediaType, Class<?> type) {
    return body(mediaType, BodyType.of(type));
  }

  private Api body(String mediaType, BodyType type) {
    Content content = Content.of(mediaType, type);
    loadValidation();
    return changed(copy -> copy.bodies = Description.plus(copy.bodies, List.of(content)));
  }

  /** Makes the body optional. */
  public Api bodyOptional() {
    return changed(copy -> copy.bodyRequired = false);
  }

  /** Adds an example of the body. */
  public Api bodyExample(Object value) {
    return changed(copy -> copy.bodyExample = value);
  }

  /**
   * Sets the maximum size of the bodies that it parses, like {@code limit} of a body parser.
   * Default: 100 KB.
   *
   * @param size a size such as {@code 1mb}
   * @throws IllegalArgumentException if the size is invalid
   */
  public Api limit(String size) {
    Middleware checked = Content.of(Content.JSON, null).parser(size);
    return changed(copy -> copy.limit = checked == null ? "" : size);
  }

  /** Declares a status code without a body type. For errors, the body is a problem (RFC 9457). */
  public Api response(int status) {
    return answer(status, answer -> answer);
  }

  /** Declares a status code with a JSON body. */
  public Api response(int status, Class<?> type) {
    return answer(status, answer -> answer.with(Content.of(Content.JSON, BodyType.of(type))));
  }

  /** Declares a status code with a JSON body of a generic type. */
  public Api response(int status, TypeRef<?> type) {
    return answer(status, answer -> answer.with(Content.of(Content.JSON, BodyType.of(type))));
  }

  /** Declares a status code with a body of a media type. */
  public Api response(int status, String mediaType, Class<?> type) {
    return answer(status, answer -> answer.with(Content.of(mediaType, BodyType.of(type))));
  }

  /** Declares a header of the response with a status code. */
  public Api responseHeader(int status, String name, Class<?> type) {
    return answer(status, answer -> answer.withHeader(name, type));
  }

  /** Adds an example body to the response with a status code. */
  public Api responseExample(int status, Object value) {
    return answer(status, answer -> answer.withExample(value));
  }

  /** Sets the description of the response with a status code. Default: its reason phrase. */
  public Api responseDescription(int status, String text) {
    return answer(status, answer -> answer.withDescription(text));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    new RequestCheck(compiled(req.settings()), req, res, next).start();
  }

  private CompiledApi compiled(Settings settings) {
    CompiledApi known = compiled;
    if (known == null || !known.isFor(settings)) {
      known = CompiledApi.of(said, settings);
      compiled = known;
    }
    return known;
  }

  private Api parameter(
      Parameter.Kind kind,
      String name,
      Class<?> type,
      boolean list,
      boolean required,
      @Nullable String description) {
    Parameter one = new Parameter(kind, name, type, list, required, description);
    return changed(copy -> copy.parameters = Description.plus(copy.parameters, List.of(one)));
  }

  private Api record(Parameter.Kind kind, Class<? extends Record> type) {
    RecordInput one = new RecordInput(kind, type);
    if (one.hasFiles()) {
      FileForms.check(kind.word() + "(" + type.getName() + ")");
    }
    loadValidation();
    return changed(copy -> copy.records = Description.plus(copy.records, List.of(one)));
  }

  /** Loads the library, which takes a second or more, so that no request waits for it. */
  private static void loadValidation() {
    Validation ignored = new JacksonCodec().validation();
  }

  private Api answer(int status, UnaryOperator<DescribedResponse> change) {
    Map<Integer, DescribedResponse> more = new LinkedHashMap<>(said.answers);
    DescribedResponse known = more.get(status);
    more.put(status, change.apply(known == null ? DescribedResponse.of(status) : known));
    return changed(copy -> copy.answers = more);
  }

  private Api changed(Consumer<Description> change) {
    return new Api(said.changed(change));
  }

  Description said() {
    return said;
  }
}
