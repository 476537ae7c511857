package dev.percolate.api;

import dev.percolate.core.Conversions;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import dev.percolate.middleware.Problems;
import dev.percolate.multipart.Multipart;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One request on its way through a description: parameters, then the body, then the next step. */
final class RequestCheck {

  private static final System.Logger LOG = System.getLogger("dev.percolate.api");
  private static final AtomicBoolean WARNED = new AtomicBoolean();

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
    if (!faults.isEmpty()) {
      refuse(400, "request.invalid", faults);
      return;
    }
    List<Content> bodies = api.bodies();
    if (bodies.isEmpty()) {
      next.run();
    } else if (!req.hasBody()) {
      withoutBody();
    } else {
      readBody(bodies);
    }
  }

  private void checkParameters(List<Fault> faults, boolean ofTheForm) {
    Conversions conversions = Conversions.of(req.settings());
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
            .collect(Collectors.toSet());
    for (String name : req.query().keySet()) {
      if (!known.contains(name)) {
        faults.add(new Fault("query", name, "is not known"));
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

  private void readBody(List<Content> bodies) {
    String sent = MediaType.parse(req.get("Content-Type")).type();
    for (Content content : bodies) {
      if (content.takes(sent)) {
        read(content);
        return;
      }
    }
    String wanted = bodies.stream().map(Content::media).collect(Collectors.joining(" or "));
    refuse(415, "entity.type.unsupported", List.of(Fault.at("", "expected " + wanted)));
  }

  private void read(Content content) {
    try {
      content.parser(api.limit()).handle(req, res, new Parsed(content));
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
    checkParameters(faults, true);
    if (content.media().equals(Content.FILES)) {
      checkFiles(faults);
    }
    goOn(400, faults);
  }

  private void checkFiles(List<Fault> faults) {
    var files = req.attrOrNull(Multipart.FILES);
    for (Parameter one : api.parameters()) {
      if (one.kind() == Parameter.Kind.FILE
          && (files == null || files.stream().noneMatch(file -> file.field().equals(one.name())))) {
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
        goOn(400, misfits(e));
      } else {
        problem(e);
      }
      return;
    }
    goOn(422, value == null ? List.of() : violations(type, value));
  }

  private static List<Fault> misfits(HttpError error) {
    List<Fault> faults = new ArrayList<>();
    if (error.field("errors") instanceof List<?> all) {
      for (Object one : all) {
        if (one instanceof Map<?, ?> fault) {
          faults.add(Fault.at(String.valueOf(fault.get("pointer")), misfit(fault)));
        }
      }
    }
    return faults.isEmpty() ? List.of(Fault.at("", "does not fit")) : faults;
  }

  private static String misfit(Map<?, ?> fault) {
    if ("value.missing".equals(fault.get("code"))) {
      return "is missing";
    }
    Object wanted = fault.get("expected");
    return wanted == null ? String.valueOf(fault.get("detail")) : "expected " + wanted;
  }

  private List<Fault> violations(BodyType type, Object value) {
    Validation validation = FoundValidation.get();
    if (validation == null) {
      if (compiled.isConstrained() && !WARNED.getAndSet(true)) {
        LOG.log(
            Level.WARNING,
            "constraints such as those of "
                + type.type().getTypeName()
                + " are described, but not checked: add org.hibernate.validator:hibernate-validator,"
                + " or a dev.percolate.api.Validation of your own");
      }
      return List.of();
    }
    return validation.check(value, language()).stream()
        .map(one -> Fault.at(compiled.names().of(type.type(), one.path()), one.detail()))
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  private Locale language() {
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
    String all = faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    problem(
        new HttpError(status, all, type, null)
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
