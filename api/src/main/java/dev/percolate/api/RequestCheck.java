package dev.percolate.api;

import dev.percolate.core.Conversions;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import dev.percolate.middleware.Problems;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One request on its way through a description: parameters, then the body, then the next step. */
final class RequestCheck {

  private static final System.Logger LOG = System.getLogger("dev.percolate.api");
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /** All are in {@code errors}. */
  private static final int MOST_IN_DETAIL = 3;

  private final Description api;
  private final CompiledApi compiled;
  private final Request req;
  private final Response res;
  private final Next next;

  RequestCheck(Description api, CompiledApi compiled, Request req, Response res, Next next) {
    this.api = api;
    this.compiled = compiled;
    this.req = req;
    this.res = res;
    this.next = next;
  }

  void start() {
    AnswerCheck.watch(api, compiled, req, res);
    List<Fault> faults = new ArrayList<>();
    checkParameters(faults, false);
    if (api.isStrict()) {
      addUnknown(faults);
    }
    if (isRefused(faults, Parameter.Kind.QUERY)) {
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

  private void checkParameters(List<Fault> faults, boolean ofTheForm) {
    Conversions conversions = req.settings().conversions();
    for (Parameter one : api.parameters()) {
      boolean field = one.kind() == Parameter.Kind.FORM;
      if (field == ofTheForm && one.kind() != Parameter.Kind.FILE) {
        one.check(req, conversions, faults);
      }
    }
  }

  private void addUnknown(List<Fault> faults) {
    Set<String> known =
        api.parameters().stream()
            .filter(one -> one.kind() == Parameter.Kind.QUERY)
            .map(Parameter::name)
            .collect(Collectors.toCollection(HashSet::new));
    api.records().stream()
        .filter(one -> one.kind() == Parameter.Kind.QUERY)
        .flatMap(one -> one.components().stream())
        .forEach(one -> known.add(one.getName()));
    for (String name : req.query().keySet()) {
      if (!known.contains(name)) {
        faults.add(new Fault("query", Fault.beginning(name), "is not known"));
      }
    }
  }

  private void withoutBody() {
    if (api.isBodyRequired()) {
      refuse(400, "entity.absent", List.of(Fault.at("", "is missing")));
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
    String wanted =
        bodies.stream().map(one -> one.content().media()).collect(Collectors.joining(" or "));
    refuse(415, "entity.type.unsupported", List.of(Fault.at("", "expected " + wanted)));
  }

  private void read(CompiledApi.Body body) {
    try {
      body.parser().handle(req, res, new Parsed(body.content()));
    } catch (Exception e) {
      next.fail(e);
    }
  }

  private void checkBody(Content content) {
    List<Fault> faults = new ArrayList<>();
    if (content.isJson() && content.type() != null) {
      checkJson(content.type(), faults);
      return;
    }
    if (content.type() != null) {
      next.run(); // a text, or bytes
      return;
    }
    checkParameters(faults, true);
    if (content.media().equals(Content.FILES)) {
      checkFiles(faults);
    }
    if (!isRefused(faults, Parameter.Kind.FORM)) {
      next.run();
    }
  }

  /** Reads the records of a kind, and refuses the request if they or anything else does not fit. */
  private boolean isRefused(List<Fault> faults, Parameter.Kind kind) {
    List<Fault> violations = new ArrayList<>();
    for (RecordInput one : api.records()) {
      if (one.kind() == kind) {
        try {
          violations.addAll(violations(one, one.read(req)));
        } catch (HttpError e) {
          if (e.status() != 400) {
            problem(e);
            return true;
          }
          faults.addAll(Fault.of(e, kind.word(), "name"));
        }
      }
    }
    if (faults.isEmpty() && violations.isEmpty()) {
      return false;
    }
    goOn(faults.isEmpty() ? 422 : 400, faults.isEmpty() ? violations : faults);
    return true;
  }

  private List<Fault> violations(RecordInput input, Record value) {
    String place = input.kind().word();
    return violations(
        input.type(), value, (path, detail) -> new Fault(place, RecordInput.nameOf(path), detail));
  }

  private void checkFiles(List<Fault> faults) {
    for (Parameter one : api.parameters()) {
      if (one.kind() == Parameter.Kind.FILE && !FileForms.has(req, one.name())) {
        faults.add(new Fault("form", one.name(), "is missing"));
      }
    }
  }

  private void checkJson(BodyType type, List<Fault> faults) {
    ValueRule rule = compiled.requests().get(type.type());
    if (rule != null) {
      faults.addAll(rule.faults(req.body()));
    }
    if (!faults.isEmpty()) {
      goOn(400, faults);
      return;
    }
    Object value;
    try {
      value = type.read(req);
    } catch (HttpError e) {
      if (e.status() == 400) {
        goOn(400, Fault.of(e, "pointer", "pointer"));
      } else {
        problem(e);
      }
      return;
    }
    Type root = type.type();
    goOn(
        422,
        value == null
            ? List.of()
            : violations(
                root, value, (path, detail) -> Fault.at(compiled.names().of(root, path), detail)));
  }

  private List<Fault> violations(
      Type type, Object value, BiFunction<List<Object>, String, Fault> fault) {
    Validation validation = FoundValidation.get();
    if (validation == null) {
      if (compiled.isConstrained() && !WARNED.getAndSet(true)) {
        LOG.log(
            Level.WARNING,
            "constraints such as those of "
                + type.getTypeName()
                + " are described, but not checked: add org.hibernate.validator:hibernate-validator,"
                + " or a dev.percolate.api.Validation of your own");
      }
      return List.of();
    }
    List<Validation.Violation> violations = validation.check(value, language());
    if (violations.isEmpty()) {
      return List.of();
    }
    return violations.stream()
        .map(one -> fault.apply(one.path(), one.detail()))
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  private Locale language() {
    if (req.get("Accept-Language") == null) {
      return Locale.ENGLISH;
    }
    List<String> languages = req.acceptedLanguages();
    return languages.isEmpty() || languages.get(0).equals("*")
        ? Locale.ENGLISH
        : Locale.forLanguageTag(languages.get(0));
  }

  private void goOn(int status, List<Fault> faults) {
    if (faults.isEmpty()) {
      next.run();
    } else {
      refuse(status, status == 422 ? "entity.invalid" : "request.invalid", faults);
    }
  }

  private void refuse(int status, String type, List<Fault> faults) {
    String first =
        faults.stream()
            .limit(MOST_IN_DETAIL)
            .map(Fault::toString)
            .collect(Collectors.joining("; "));
    int more = faults.size() - MOST_IN_DETAIL;
    String detail = more > 0 ? first + "; and " + more + " more" : first;
    problem(
        new HttpError(status, detail, type, null)
            .with("errors", faults.stream().map(Fault::members).toList()));
  }

  private void problem(Throwable error) {
    AnswerCheck.refused(req);
    try {
      Problems.json().handle(error, req, res, next);
    } catch (Exception e) {
      next.fail(e);
    }
  }

  /** Stands behind the parser. */
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
        if (http.field("errors") == null) {
          String detail = String.valueOf(http.getMessage());
          http.with("errors", List.of(Fault.at("", detail).members()));
        }
        problem(http);
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
