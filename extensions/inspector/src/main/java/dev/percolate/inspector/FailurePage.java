package dev.percolate.inspector;

import dev.percolate.core.ErrorResponse;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.http.JsonText;
import dev.percolate.inspector.reload.CompileException;
import dev.percolate.inspector.reload.SourceError;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The response while an application does not compile or start: HTML, JSON or text. */
final class FailurePage implements Handler {

  private static final String TITLE = "The sources do not compile";
  private static final String HIDDEN =
      "The application has an error. The console of the development loop shows it.\n";

  private final Throwable error;

  private FailurePage(Throwable error) {
    this.error = error;
  }

  /** Creates a service that responds to all requests with an error. */
  static Service of(Throwable error) {
    return new App().use(new FailurePage(error));
  }

  @Override
  public void handle(Request req, Response res) {
    RequestTrace.Page page = ErrorResponse.showsTraces(req) ? page(req) : text(HIDDEN);
    res.status(500)
        .set("Cache-Control", "no-store")
        .set("X-Content-Type-Options", "nosniff")
        .set("Content-Type", page.type())
        .end(page.text());
  }

  private RequestTrace.Page page(Request req) {
    if (error instanceof CompileException failure) {
      List<SourceError> errors = failure.errors();
      RequestTrace.Page page = Page.accepted(req, () -> html(errors, req), () -> json(errors));
      return page == null
          ? text(errors.stream().map(FailurePage::text).collect(Collectors.joining("\n")))
          : page;
    }
    RequestTrace.Page page = ErrorPage.of(error, 500, req, List.of());
    return page == null ? text(ErrorResponse.text(error) + "\n") : page;
  }

  private static String html(List<SourceError> errors, Request req) {
    Page page = new Page(req, 500, TITLE);
    for (SourceError error : errors) {
      page.section(error.place())
          .html("<pre tabindex=\"0\">")
          .text(error.message())
          .html("</pre>\n");
      ErrorPage.source(page, lines(error));
      page.end();
    }
    return page.request(req).ended(req.response());
  }

  private static String json(List<SourceError> errors) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("message", TITLE);
    value.put("status", 500);
    value.put("errors", errors.stream().map(FailurePage::value).toList());
    return JsonText.of(Map.of("error", value)) + "\n";
  }

  private static Map<String, Object> value(SourceError error) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("file", error.name());
    value.put("line", error.line());
    value.put("column", error.column());
    value.put("message", error.message());
    value.put("source", lines(error).stream().map(SourceLines.Line::text).toList());
    return value;
  }

  private static RequestTrace.Page text(String text) {
    return new RequestTrace.Page("text/plain; charset=utf-8", text);
  }

  private static String text(SourceError error) {
    return lines(error).stream()
        .map(line -> "%s%5d  %s\n".formatted(line.here() ? ">" : " ", line.number(), line.text()))
        .collect(Collectors.joining("", error + "\n", ""));
  }

  private static List<SourceLines.Line> lines(SourceError error) {
    Path file = error.file();
    return file == null ? List.of() : SourceLines.of(file, error.line());
  }
}
