package dev.percolate.dev;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.framework.AppMap;
import dev.percolate.http.Headers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The steps of one request, as they run. Any thread may look at it meanwhile. */
final class TimeLine implements RequestTrace {

  /** How many characters of a header are kept, and how many steps. */
  private static final int LONGEST_HEADER = 300;

  private static final int MOST_STEPS = 500;
  private static final AtomicLong COUNT = new AtomicLong();

  final long id = COUNT.incrementAndGet();

  private final Request req;
  private final Response res;
  private final boolean visible;
  private final @Nullable App app;
  private final long startMillis = System.currentTimeMillis();
  private final long start = System.nanoTime();
  private final String method;
  private final String target;
  private final List<String> sent;
  private final List<Step> steps = new ArrayList<>();
  private final Map<Next, Step> running = new WeakHashMap<>();
  private final RequestEvent event = new RequestEvent();
  private Set<String> known = Set.of();
  private int depth;
  private int left;
  private boolean answered;
  private long end;
  private int status;
  private String line = "";
  private String error = "";
  private String asTest = "";

  /** One step. Times are in microseconds since the request came; 0 for not yet. */
  private static final class Step {

    final Map<String, Object> value = new LinkedHashMap<>();
    final List<String> changes = new ArrayList<>();
    final StepEvent event = new StepEvent();
  }

  TimeLine(Request req, boolean visible) {
    this.req = req;
    this.res = req.response();
    this.visible = visible;
    this.app = outermost(req);
    this.method = ShortText.cut(req.method());
    this.target = ShortText.cut(Secrets.target(req.originalUrl()));
    this.sent = visible ? RequestText.headers(req) : List.of();
    event.begin();
  }

  @Override
  public synchronized void begins(
      Next next, Class<?> type, String layer, @Nullable String origin, @Nullable Throwable thrown) {
    if (steps.size() >= MOST_STEPS) {
      left++;
      return;
    }
    Step step = new Step();
    Map<String, Object> value = step.value;
    value.put("step", AppMap.name(type));
    value.put("layer", ShortText.cut(layer));
    value.put("origin", origin == null ? "" : origin);
    value.put("depth", depth);
    value.put("thread", threadName());
    value.put("begin", now());
    if (thrown != null) {
      value.put("error", ShortText.cut(thrown.toString()));
      error = ShortText.cut(thrown.toString());
    }
    steps.add(step);
    running.put(next, step);
    step.event.begin();
    known = headers();
  }

  @Override
  public synchronized void passes(Next next, @Nullable Throwable thrown) {
    Step step = running.get(next);
    if (step != null) {
      note(step);
      step.value.putIfAbsent("passes", now());
      if (thrown != null && !step.value.containsKey("threw")) {
        step.value.put("passesError", ShortText.cut(thrown.toString()));
      }
      if (thrown != null) {
        error = ShortText.cut(thrown.toString());
      }
      depth++;
    }
  }

  @Override
  public synchronized void resumes(Next next) {
    Step step = running.get(next);
    if (step != null) {
      step.value.put("resumes", now());
      depth = Math.max(0, depth - 1);
      known = headers();
      noteAnswer(null);
    }
  }

  @Override
  public synchronized void threw(Next next, Throwable thrown) {
    Step step = running.get(next);
    error = ShortText.cut(thrown.toString());
    if (step != null) {
      step.value.put("threw", ShortText.cut(thrown.toString()));
    }
  }

  @Override
  public synchronized void returned(Next next) {
    Step step = running.get(next);
    if (step != null) {
      note(step);
      step.value.put("returns", now());
      commit(step);
    }
  }

  @Override
  public synchronized void logged(CharSequence logged) {
    line = ShortText.cut(logged.toString().stripTrailing());
  }

  @Override
  public @Nullable Page page(@Nullable Throwable thrown, int code) {
    if (!visible) {
      return null;
    }
    return thrown == null
        ? NotFoundPage.of(app, req, stepValues())
        : ErrorPage.of(thrown, code, req, stepValues());
  }

  /** Notes that the request is over. */
  synchronized void finish() {
    end = Math.max(1, now());
    status = res.headersSent() ? res.status() : 0;
    if (event.shouldCommit()) {
      event.request = id;
      event.method = method;
      event.route = String.valueOf(req.routePath());
      event.status = status;
      event.commit();
    }
    if (visible && (status >= 400 || !error.isEmpty())) {
      asTest = RequestText.java(req);
    }
    running.clear();
  }

  /** Returns roughly how many bytes this takes. */
  synchronized long weight() {
    long sum = 1000 + 2L * (target.length() + line.length() + asTest.length());
    for (String header : sent) {
      sum += 50 + 2L * header.length();
    }
    for (Step step : steps) {
      sum += 800;
      for (Object value : step.value.values()) {
        sum += value instanceof String text ? 2L * text.length() : 16;
      }
      for (String change : step.changes) {
        sum += 50 + 2L * change.length();
      }
    }
    return sum;
  }

  /** Returns what a list of requests shows. */
  synchronized Map<String, Object> summary() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("id", id);
    value.put("at", startMillis);
    value.put("method", method);
    value.put("target", target);
    value.put("status", end == 0 ? (res.headersSent() ? res.status() : 0) : status);
    value.put("open", end == 0);
    value.put("micros", end == 0 ? now() : end);
    value.put("error", error);
    return value;
  }

  /** Returns all that is known. */
  synchronized Map<String, Object> value() {
    Map<String, Object> value = summary();
    value.put("headers", sent);
    value.put("line", line);
    value.put("steps", stepValues());
    value.put("more", left);
    value.put("asTest", asTest);
    return value;
  }

  /** Returns the steps so far. */
  synchronized List<Map<String, Object>> stepValues() {
    return steps.stream()
        .map(
            step -> {
              Map<String, Object> one = new LinkedHashMap<>(step.value);
              one.put("headers", List.copyOf(step.changes));
              return one;
            })
        .toList();
  }

  /** Returns the outermost application of a request, which only its steps know. */
  static @Nullable App outermost(Request req) {
    App found = App.of(req);
    while (found != null && found.parent() != null) {
      found = found.parent();
    }
    return found;
  }

  /** Notes what a step has done to the headers, and whether it has answered. */
  private void note(Step step) {
    Set<String> now = headers();
    for (String header : now) {
      if (!known.contains(header)) {
        step.changes.add("+ " + header);
      }
    }
    for (String header : known) {
      if (!now.contains(header)) {
        step.changes.add("- " + header);
      }
    }
    known = now;
    noteAnswer(step);
  }

  private void noteAnswer(@Nullable Step step) {
    if (!answered && res.headersSent()) {
      answered = true;
      if (step != null) {
        step.value.put("answered", true);
      }
    }
  }

  private void commit(Step step) {
    StepEvent done = step.event;
    if (done.shouldCommit()) {
      done.request = id;
      done.layer = String.valueOf(step.value.get("layer"));
      done.origin = String.valueOf(step.value.get("origin"));
      done.step = String.valueOf(step.value.get("step"));
      done.commit();
    }
  }

  private Set<String> headers() {
    if (!visible) {
      return Set.of();
    }
    Set<String> lines = new LinkedHashSet<>();
    Headers headers = res.headers();
    for (int i = 0; i < Math.min(100, headers.size()); i++) {
      String name = headers.name(i);
      String value = ShortText.cut(Secrets.value(name, headers.value(i)), LONGEST_HEADER);
      lines.add(name + ": " + value);
    }
    return lines;
  }

  private long now() {
    return (System.nanoTime() - start) / 1000;
  }

  private static String threadName() {
    Thread thread = Thread.currentThread();
    String name = thread.getName();
    return name.isEmpty() ? thread.toString().replaceAll("@.*", "") : ShortText.cut(name);
  }
}
