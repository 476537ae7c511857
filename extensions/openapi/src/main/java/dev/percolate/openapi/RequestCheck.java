package dev.percolate.openapi;

import dev.percolate.core.Conversions;
import dev.percolate.core.ErrorResponse;
import dev.percolate.core.InputError;
import dev.percolate.core.InputSource;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import dev.percolate.http.MediaType;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks one request: first the parameters, then the body. Then calls the next handler.
 *
 * @param compiled what the request must match
 * @param next the next handler
 */
record RequestCheck(CompiledApi compiled, Request req, Response res, Next next) {

  private static final System.Logger LOG = System.getLogger("dev.percolate.openapi");
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /** The type of the error for violated constraints. */
  private static final String VIOLATED = "entity.invalid";

  void start() {
    ResponseCheck.watch(compiled, req, res);
    List<InputError> errors = new ArrayList<>();
    checkParameters(errors, kind -> !kind.isField());
    if (compiled.api().strictQuery) {
      addUnknown(errors);
    }
    if (isRejected(errors, Parameter.Kind.QUERY)) {
      return;
    }
    List<CompiledApi.Body> bodies = compiled.bodies();
    if (bodies.isEmpty()) {
      next.run();
    } else if (!req.hasBody()) {
      withoutBody();
    } else {
      readBody(bodies);
    }
  }

  private void checkParameters(List<InputError> errors, Predicate<Parameter.Kind> kinds) {
    Conversions conversions = req.settings().conversions();
    for (Parameter one : compiled.api().parameters) {
      if (kinds.test(one.kind())) {
        one.check(req, conversions, errors);
      }
    }
  }

  private void addUnknown(List<InputError> errors) {
    Set<String> known =
        compiled.api().parameters.stream()
            .filter(one -> one.kind() == Parameter.Kind.QUERY)
            .map(Parameter::name)
            .collect(Collectors.toCollection(HashSet::new));
    compiled.api().records.stream()
        .filter(one -> one.kind() == Parameter.Kind.QUERY)
        .flatMap(one -> one.components().stream())
        .forEach(one -> known.add(one.getName()));
    for (String name : req.query().keySet()) {
      if (!known.contains(name)) {
        String shown = JsonPointers.beginning(name);
        errors.add(new InputError(InputSource.QUERY, shown, InputError.UNKNOWN, "is not known"));
      }
    }
  }

  private void withoutBody() {
    if (compiled.api().bodyRequired) {
      fail(missing());
    } else {
      next.run();
    }
  }

  private void readBody(List<CompiledApi.Body> bodies) {
    String sent = MediaType.parse(req.get("Content-Type")).type();
    for (CompiledApi.Body body : bodies) {
      if (body.content().takes(sent)) {
        read(body);
        return;
      }
    }
    if (ContentLength.parse(req.get("Content-Length")) == 0) {
      withoutBody();
      return;
    }
    String header = req.get("Content-Type");
    String what = header == null ? "the body has no type" : "the body is " + LogText.escape(header);
    fail(new HttpError(415, what + wanted(), "entity.type.unsupported", null));
  }

  private HttpError missing() {
    return new HttpError(400, "the body is missing" + wanted(), "entity.absent", null);
  }

  private String wanted() {
    return compiled.bodies().stream()
        .map(one -> one.content().words())
        .distinct()
        .collect(Collectors.joining(" or ", ", but ", " was expected"));
  }

  private void read(CompiledApi.Body body) {
    try {
      body.parser().handle(req, res, new Parsed(body.content()));
    } catch (Exception e) {
      next.fail(e);
    }
  }

  private void checkBody(Content content) {
    if (content.jsonType() != null) {
      checkJson(content.jsonType());
      return;
    }
    if (content.type() != null) {
      next.run(); // a text, or bytes
      return;
    }
    List<InputError> errors = new ArrayList<>();
    checkParameters(errors, kind -> kind == Parameter.Kind.FORM);
    checkParameters(errors, kind -> kind == Parameter.Kind.FILE);
    if (!isRejected(errors, Parameter.Kind.FORM)) {
      next.run();
    }
  }

  /** Reads the records of a kind. Fails the request if they or anything else is invalid. */
  private boolean isRejected(List<InputError> errors, Parameter.Kind kind) {
    List<InputError> violations = new ArrayList<>();
    for (RecordInput one : compiled.api().records) {
      if (one.kind() == kind) {
        warnIfUnchecked(one.type());
        try {
          Record ignored = one.read(req);
        } catch (HttpError e) {
          List<InputError> more = InputError.of(e);
          boolean violated = VIOLATED.equals(e.type());
          if (more.isEmpty() || (e.status() != 400 && !violated)) {
            fail(e);
            return true;
          }
          (violated ? violations : errors).addAll(more);
        }
      }
    }
    if (!errors.isEmpty()) {
      fail(InputError.error(400, InputError.INVALID, errors));
    } else if (!violations.isEmpty()) {
      fail(InputError.error(422, VIOLATED, violations));
    }
    return !errors.isEmpty() || !violations.isEmpty();
  }

  private void checkJson(BodyType type) {
    warnIfUnchecked(type.type());
    Object value;
    try {
      value = type.reading().apply(req);
    } catch (HttpError e) {
      fail(e);
      return;
    }
    if (value == null && req.body() == null) {
      fail(missing());
    } else {
      next.run();
    }
  }

  /** Warns once if types have constraints, but there is no library that checks them. */
  private void warnIfUnchecked(Type type) {
    if (req.settings().validation() == null
        && compiled.isConstrained()
        && !WARNED.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          "constraints such as those of "
              + type.getTypeName()
              + " are not checked: add org.hibernate.validator:hibernate-validator or a provider"
              + " of dev.percolate.core.Validation");
    }
  }

  /** Passes an error to the error handlers. If none responds, the response is its problem. */
  private void fail(HttpError error) {
    ResponseCheck.rejected(req);
    req.attr(ErrorResponse.AS_PROBLEM, true);
    next.fail(error);
  }

  /** Continues after the parser. */
  private final class Parsed implements Next {

    private final Content content;

    Parsed(Content content) {
      this.content = content;
    }

    @Override
    public void run() {
      try {
        checkBody(content);
      } catch (RuntimeException e) {
        next.fail(e);
      }
    }

    @Override
    public void fail(@Nullable Throwable error) {
      if (error instanceof HttpError http && http.status() < 500) {
        RequestCheck.this.fail(http);
      } else if (error != null) {
        next.fail(error);
      }
    }

    @Override
    public void route() {
      next.route();
    }
  }
}
