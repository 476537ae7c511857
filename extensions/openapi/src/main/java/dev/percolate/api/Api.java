package dev.percolate.api;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.http.CheckReturnValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Says what a route takes and answers, as one of its steps; checks that requests are so, and that
 * answers are; {@link OpenApi} makes a document of all.
 *
 * <pre>{@code
 * app.post("/users",
 *     Api.of("Adds a user").body(NewUser.class).answers(201, User.class).answers(409),
 *     (req, res) -> res.json(201, users.add(req.body(NewUser.class))));
 * }</pre>
 *
 * <p>It may come before or after a body parser: it reads a body of a declared type that has not
 * been read. A request that does not match is an {@link dev.percolate.http.HttpError} with all
 * faults, see {@link dev.percolate.core.InputFault}:
 *
 * <pre>
 *   400   parameters and bodies that do not have the declared form, bodies that are missing
 *   413   a body above the limit
 *   415   a body of another media type
 *   422   constraints that do not hold, see {@link Validation}
 * </pre>
 *
 * <p>The error goes to the application's error handlers. If none responds, the client gets it as
 * {@code application/problem+json} (RFC 9457), unless it prefers HTML. Query parameters that are
 * not declared pass, unless {@link #strictQuery} says otherwise.
 *
 * <p>Given to {@code use}, what it says holds for all routes behind it and below its path: tags,
 * security, headers, answers.
 *
 * <p>Outside of production each answer is compared with what is declared: a status that is not, a
 * field that is missing or of another type is a complaint ({@link Request#complain}), by which
 * calls in tests fail. Applications choose by {@link #CHECK_ANSWERS}.
 *
 * <p>It keeps nothing of a request; each option gives a changed copy.
 */
@CheckReturnValue
public final class Api implements Middleware {

  /** Whether answers are compared with what is declared; by default all but in production. */
  public static final Key<Boolean> CHECK_ANSWERS = AnswerCheck.CHOSEN;

  private final Description said;

  /** Made by the first request under a codec. */
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

  /** Says more, in CommonMark. */
  public Api description(String text) {
    return changed(copy -> copy.description = text);
  }

  /**
   * Names the operation, for generated clients; by default the name is made of verb and path. It is
   * for a route of one verb.
   */
  public Api operationId(String id) {
    return changed(copy -> copy.operationId = id);
  }

  /** Says that it should not be used any more. */
  public Api deprecated() {
    return changed(copy -> copy.deprecated = true);
  }

  /** Leaves the route out of documents; it is checked all the same. */
  public Api hidden() {
    return changed(copy -> copy.hidden = true);
  }

  /** Puts the route into groups of the document. */
  public Api tags(String... names) {
    return changed(copy -> copy.tags = Description.plus(copy.tags, List.of(names)));
  }

  /**
   * Says how a client has to show who it is; of several calls one has to hold. Nothing is checked.
   *
   * @param scheme a scheme of {@link OpenApi#security}
   * @param scopes what it has to be allowed to do
   */
  public Api security(String scheme, String... scopes) {
    return changed(
        copy ->
            copy.security =
                Description.plus(copy.security, List.of(Map.of(scheme, List.of(scopes)))));
  }

  /** Declares a parameter of the path; those that are not declared are texts. */
  public Api path(String name, Class<?> type) {
    return path(name, type, null);
  }

  /** Declares a parameter of the path, with a description. */
  public Api path(String name, Class<?> type, @Nullable String description) {
    return parameter(Parameter.Kind.PATH, name, type, false, true, description);
  }

  /** Declares a parameter of the query that may be absent. */
  public Api query(String name, Class<?> type) {
    return query(name, type, null);
  }

  /**
   * Declares a parameter of the query that may be absent.
   *
   * @param name its name
   * @param type its type, by the {@link dev.percolate.core.Conversions} of the application
   * @param description for people; null for none
   */
  public Api query(String name, Class<?> type, @Nullable String description) {
    return parameter(Parameter.Kind.QUERY, name, type, false, false, description);
  }

  /** Declares a parameter of the query that has to be there. */
  public Api queryRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.QUERY, name, type, false, true, null);
  }

  /** Declares a parameter of the query that may come several times, or not at all. */
  public Api queryAll(String name, Class<?> type) {
    return parameter(Parameter.Kind.QUERY, name, type, true, false, null);
  }

  /**
   * Declares the parameters of a query as the components of a record, which the handler reads by
   * {@link Request#query(Class)}. Components that are records are sent as {@code page[number]=1}.
   *
   * @throws IllegalArgumentException if it is no record
   */
  public Api query(Class<? extends Record> type) {
    return record(Parameter.Kind.QUERY, type);
  }

  /** Refuses parameters of the query that are not declared. */
  public Api strictQuery() {
    return changed(copy -> copy.strictQuery = true);
  }

  /** Declares a header that may be absent. */
  public Api header(String name, Class<?> type) {
    return parameter(Parameter.Kind.HEADER, name, type, false, false, null);
  }

  /** Declares a header that has to be there. */
  public Api headerRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.HEADER, name, type, false, true, null);
  }

  /** Declares a cookie that may be absent. */
  public Api cookie(String name, Class<?> type) {
    return parameter(Parameter.Kind.COOKIE, name, type, false, false, null);
  }

  /** Declares a cookie that has to be there. */
  public Api cookieRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.COOKIE, name, type, false, true, null);
  }

  /** Declares a field of a form that may be absent. */
  public Api form(String name, Class<?> type) {
    return parameter(Parameter.Kind.FORM, name, type, false, false, null);
  }

  /** Declares a field of a form that has to be there. */
  public Api formRequired(String name, Class<?> type) {
    return parameter(Parameter.Kind.FORM, name, type, false, true, null);
  }

  /**
   * Declares the fields of a form as the components of a record, which the handler reads by {@link
   * Request#form(Class)}. With a file among them ({@link dev.percolate.core.FormFile}) the form is
   * {@code multipart/form-data}.
   *
   * @throws IllegalArgumentException if it is no record
   * @throws IllegalStateException if it has files, and {@code percolate-multipart} is not there
   */
  public Api form(Class<? extends Record> type) {
    return record(Parameter.Kind.FORM, type);
  }

  /**
   * Declares a file of a form that has to be there; the form is {@code multipart/form-data} then.
   *
   * @throws IllegalStateException if {@code percolate-multipart} is not there
   */
  public Api file(String name) {
    FileForms.check("file(\"" + name + "\")");
    return parameter(Parameter.Kind.FILE, name, byte[].class, false, true, null);
  }

  /** Declares a body in JSON. */
  public Api body(Class<?> type) {
    return body(Content.JSON, BodyType.of(type));
  }

  /** Declares a body in JSON, of a type with arguments. */
  public Api body(TypeRef<?> type) {
    return body(Content.JSON, BodyType.of(type));
  }

  /**
   * Declares a body; of several declared ones a client sends one.
   *
   * @param mediaType its media type, such as {@code text/plain} or {@code image/*}
   * @param type its type: that of JSON, {@code String} for text, {@code byte[]} for others
   * @throws IllegalArgumentException if it is no media type
   */
  public Api body(String mediaType, Class<?> type) {
    return body(mediaType, BodyType.of(type));
  }

  private Api body(String mediaType, BodyType type) {
    Content content = Content.of(mediaType, type);
    FoundValidation.prepare();
    return changed(copy -> copy.bodies = Description.plus(copy.bodies, List.of(content)));
  }

  /** Says that the body may be absent. */
  public Api bodyOptional() {
    return changed(copy -> copy.bodyRequired = false);
  }

  /** Shows a body as an example. */
  public Api bodyExample(Object value) {
    return changed(copy -> copy.bodyExample = value);
  }

  /**
   * Limits the bodies that it reads, as {@code limit} of a body parser does; 100 KB by default.
   *
   * @param size a size such as {@code 1mb}
   * @throws IllegalArgumentException if it is none
   */
  public Api limit(String size) {
    Middleware checked = Content.of(Content.JSON, null).parser(size);
    return changed(copy -> copy.limit = checked == null ? "" : size);
  }

  /** Declares a status, and says nothing of its body; an error is a problem (RFC 9457). */
  public Api answers(int status) {
    return answer(status, answer -> answer);
  }

  /** Declares a status with a body in JSON. */
  public Api answers(int status, Class<?> type) {
    return answer(status, answer -> answer.with(Content.of(Content.JSON, BodyType.of(type))));
  }

  /** Declares a status with a body in JSON, of a type with arguments. */
  public Api answers(int status, TypeRef<?> type) {
    return answer(status, answer -> answer.with(Content.of(Content.JSON, BodyType.of(type))));
  }

  /** Declares a status with a body of a media type. */
  public Api answers(int status, String mediaType, Class<?> type) {
    return answer(status, answer -> answer.with(Content.of(mediaType, BodyType.of(type))));
  }

  /** Declares a header of the answer with a status. */
  public Api answerHeader(int status, String name, Class<?> type) {
    return answer(status, answer -> answer.withHeader(name, type));
  }

  /** Shows a body of the answer with a status as an example. */
  public Api example(int status, Object value) {
    return answer(status, answer -> answer.withExample(value));
  }

  /** Says what the answer with a status means; by default it is the phrase of the status. */
  public Api meaning(int status, String text) {
    return answer(status, answer -> answer.withDescription(text));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    new RequestCheck(said, compiled(req.settings()), req, res, next).start();
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
    FoundValidation.prepare();
    return changed(copy -> copy.records = Description.plus(copy.records, List.of(one)));
  }

  private Api answer(int status, UnaryOperator<Answer> change) {
    Map<Integer, Answer> more = new LinkedHashMap<>(said.answers());
    Answer known = more.get(status);
    more.put(status, change.apply(known == null ? Answer.of(status) : known));
    return changed(copy -> copy.answers = more);
  }

  private Api changed(Consumer<Description> change) {
    return new Api(said.changed(change));
  }

  Description said() {
    return said;
  }
}
