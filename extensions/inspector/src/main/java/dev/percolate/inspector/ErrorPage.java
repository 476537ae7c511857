package dev.percolate.inspector;

import dev.percolate.core.ErrorResponse;
import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.http.HttpError;
import dev.percolate.http.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The error page: the exception, the lines of the application that threw it, and the request. */
final class ErrorPage {

  private static final int MOST_CAUSES = 20;
  private static final int MOST_FRAMES = 200;

  /** The packages of this library. Others with its prefix belong to an application. */
  private static final Set<String> OURS =
      Set.of(
          ("auth core engine framework http http2 inspector jdbc json logger middleware multipart"
                  + " nio observability openapi parsers redis servlet slf4j testkit views zstd")
              .split(" "));

  private static final List<String> LIBRARIES =
      List.of(
          "java. javax. jdk. sun. com.sun. kotlin. io.netty. org.junit. tools.jackson.".split(" "));

  private ErrorPage() {}

  /** Returns HTML or JSON, as the client accepts; null if it accepts neither. */
  static RequestTrace.@Nullable Page of(
      Throwable error, int status, Request req, List<Map<String, Object>> steps) {
    return Page.accepted(req, () -> html(error, status, req, steps), () -> json(error, status));
  }

  private static String html(
      Throwable error, int status, Request req, List<Map<String, Object>> steps) {
    Page page = new Page(req, status, error.getClass().getSimpleName());
    List<Throwable> chain = chain(error);
    StackTraceElement[] shown = {};
    for (Throwable one : chain) {
      page.section(one == error ? "Error" : "Caused by");
      page.html("<p class=\"message\"><code>").text(one.getClass().getName()).html("</code></p>\n");
      String message = Page.orEmpty(one.getMessage());
      if (!message.isBlank()) {
        page.html("<pre tabindex=\"0\">").text(message).html("</pre>\n");
      }
      StackTraceElement[] all = one.getStackTrace();
      frames(page, all, shared(all, shown));
      page.end();
      shown = all;
    }
    page.request(req).steps(steps);
    RequestText text = RequestText.of(req);
    page.copied("As curl", text.curl()).copied("As a test", text.java(200));
    return page.ended(req.response());
  }

  /** Returns the number of frames at the end of a stack trace that another one has, too. */
  private static int shared(StackTraceElement[] frames, StackTraceElement[] others) {
    int shared = 0;
    while (shared < Math.min(frames.length, others.length)
        && frames[frames.length - 1 - shared].equals(others[others.length - 1 - shared])) {
      shared++;
    }
    return shared;
  }

  /**
   * Adds stack frames. Frames from libraries are collapsed.
   *
   * @param shared the number of frames at the end that the error before has, too
   */
  private static void frames(Page page, StackTraceElement[] all, int shared) {
    List<StackTraceElement> folded = new ArrayList<>();
    int own = Math.min(all.length - shared, MOST_FRAMES);
    page.html("<ol class=\"frames\">\n");
    for (StackTraceElement frame : List.of(all).subList(0, own)) {
      if (isUsers(frame)) {
        fold(page, folded);
        page.html("<li><code>").text(frame.toString()).html("</code>\n");
        source(page, SourceLines.of(frame));
        page.html("</li>\n");
      } else {
        folded.add(frame);
      }
    }
    fold(page, folded);
    if (shared > 0) {
      page.html("<li>").text(shared + " frames as in the error above").html("</li>\n");
    }
    page.html("</ol>\n");
  }

  private static void fold(Page page, List<StackTraceElement> frames) {
    if (frames.isEmpty()) {
      return;
    }
    page.html("<li><details><summary>")
        .text(frames.size() + (frames.size() == 1 ? " frame" : " frames") + " from libraries")
        .html("</summary>\n<pre tabindex=\"0\">");
    frames.forEach(frame -> page.text(frame.toString()).html("\n"));
    page.html("</pre></details></li>\n");
    frames.clear();
  }

  /** Adds source lines, with a mark on the line of the error. */
  static void source(Page page, List<SourceLines.Line> lines) {
    if (lines.isEmpty()) {
      return;
    }
    page.html("<pre class=\"source\" tabindex=\"0\">");
    for (SourceLines.Line line : lines) {
      String text = "%5d  %s".formatted(line.number(), line.text());
      page.html(line.here() ? "<mark>" : "").text(text).html(line.here() ? "</mark>\n" : "\n");
    }
    page.html("</pre>\n");
  }

  static boolean isUsers(StackTraceElement frame) {
    String name = frame.getClassName();
    if (name.startsWith("dev.percolate.")) {
      String rest = name.substring("dev.percolate.".length());
      int dot = rest.indexOf('.');
      return !(dot > 0 && OURS.contains(rest.substring(0, dot)) && !name.contains("Test"));
    }
    return LIBRARIES.stream().noneMatch(name::startsWith);
  }

  private static List<Throwable> chain(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable one = error;
        one != null && !chain.contains(one) && chain.size() < MOST_CAUSES;
        one = one.getCause()) {
      chain.add(one);
    }
    return chain;
  }

  private static String json(Throwable error, int status) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("message", Page.orEmpty(error.getMessage()));
    value.put("class", error.getClass().getName());
    value.put("status", status);
    if (error instanceof HttpError http && http.type() != null) {
      value.put("type", http.type());
    }
    value.put("causes", chain(error).stream().skip(1).map(Throwable::toString).toList());
    value.put("stack", ErrorResponse.text(error));
    return JsonText.of(Map.of("error", value)) + "\n";
  }
}
