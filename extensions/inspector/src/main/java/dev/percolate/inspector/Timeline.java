package dev.percolate.inspector;

import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.ErrorResponse;
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
import java.util.regex.Pattern;
import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of one request: the calls of its middleware and handlers, and the WebSocket that
 * follows, if any. Thread-safe.
 *
 * <pre>
 *   OPEN --responded or aborted--> OVER
 *     `----- switched -----------> SOCKET --closed--> OVER
 * </pre>
 */
final class Timeline implements RequestTrace {

  /** The maximum length of a stored header. */
  private static final int LONGEST_HEADER = 300;

  private static final int MOST_STEPS = 500;

  /** The maximum number of stored reports of each kind. */
  private static final int MOST_REPORTS = 20;

  /** The status code after which a connection continues with another protocol. */
  private static final int SWITCHED = 101;

  /** Colour codes that loggers write for terminals. */
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");

  private static final AtomicLong COUNT = new AtomicLong();

  final long id = COUNT.incrementAndGet();

  private final boolean visible;
  private final @Nullable App app;
  private final long startMillis = System.currentTimeMillis();
  private final long start = System.nanoTime();
  private final List<Step> steps = new ArrayList<>();
  private final Map<Next, Step> running = new WeakHashMap<>();
  private final RequestEvent event = new RequestEvent();

  /** The request as text; without its body until it has ended. */
  private RequestText text;

  /** Null after the end of the request, so that its body and connection can be freed. */
  private @Nullable Request req;

  private @Nullable Response res;
  private Set<String> known = Set.of();
  private int depth;
  private int left;
  private boolean responded;
  private long end;
  private int status;
  private String line = "";
  private String error = "";
  private long size = -1;
  private final List<String> hangs = new ArrayList<>();
  private final List<String> drifts = new ArrayList<>();
  private boolean socket;
  private @Nullable ConnectionSummary closing;
  private long closed;

  /** One call. Times are in microseconds since the start of the request. */
  private static final class Step {

    final Map<String, Object> value = new LinkedHashMap<>();
    final List<String> changes = new ArrayList<>();
    final StepEvent event = new StepEvent();
  }

  Timeline(Request req, boolean visible) {
    this.req = req;
    this.res = req.response();
    this.visible = visible;
    this.app = outermost(req);
    this.text =
        visible ? RequestText.of(req) : new RequestText(req.method(), "", "", List.of(), "");
    event.begin();
  }

  @Override
  public synchronized void onStart(
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
      error = masked(thrown);
      value.put("error", error);
    }
    steps.add(step);
    running.put(next, step);
    step.event.begin();
    known = headers();
  }

  @Override
  public synchronized void onNext(Next next, @Nullable Throwable thrown) {
    Step step = running.get(next);
    if (step != null) {
      note(step);
      step.value.putIfAbsent("passes", now());
      if (thrown != null && !step.value.containsKey("threw")) {
        step.value.put("passesError", masked(thrown));
      }
      if (thrown != null) {
        error = masked(thrown);
      }
      depth++;
    }
  }

  @Override
  public synchronized void onResume(Next next) {
    Step step = running.get(next);
    if (step != null) {
      step.value.put("resumes", now());
      depth = Math.max(0, depth - 1);
      known = headers();
      noteResponse(null);
    }
  }

  @Override
  public synchronized void onThrow(Next next, Throwable thrown) {
    Step step = running.get(next);
    error = masked(thrown);
    if (step != null) {
      step.value.put("threw", error);
    }
  }

  private static String masked(Throwable thrown) {
    return Secrets.text(ShortText.cut(thrown.toString()));
  }

  @Override
  public synchronized void onReturn(Next next) {
    Step step = running.get(next);
    if (step != null) {
      note(step);
      step.value.put("returns", now());
      commit(step);
    }
  }

  @Override
  public synchronized void onLog(CharSequence logged) {
    line = ShortText.cut(Secrets.text(COLOURS.matcher(logged).replaceAll("").stripTrailing()));
    if (visible) {
      LogTail.ofProcess().accessed(line);
    }
  }

  @Override
  public synchronized void onHang(String report) {
    add(hangs, report);
  }

  @Override
  public synchronized void onWarning(String warning) {
    add(drifts, warning);
  }

  private void add(List<String> reports, String report) {
    if (visible && reports.size() < MOST_REPORTS) {
      reports.add(ShortText.cut(Secrets.text(report)));
    }
  }

  @Override
  public @Nullable Page page(@Nullable Throwable thrown, int code) {
    Request request = req();
    if (!visible || request == null || !ErrorResponse.showsTraces(request)) {
      return null;
    }
    return thrown == null
        ? NotFoundPage.of(app, request, stepValues())
        : ErrorPage.of(thrown, code, request, stepValues());
  }

  private synchronized @Nullable Request req() {
    return req;
  }

  /** Records the end of the response, or that the client disconnected. */
  synchronized void finish() {
    Request request = req;
    Response response = res;
    if (request == null || response == null) {
      return;
    }
    end = Math.max(1, now());
    status = response.sentStatus();
    size = response.sentLength();
    if (event.shouldCommit()) {
      event.request = id;
      event.method = text.method();
      event.route = String.valueOf(request.routePath());
      event.status = status;
      event.commit();
    }
    if (visible) {
      text = text.withBody(request);
    }
    running.clear();
    socket = status == SWITCHED;
    req = null;
    res = socket && closing == null ? response : null;
  }

  /** Records the end of the WebSocket or stream. */
  synchronized void closed(ConnectionSummary how) {
    closing = how;
    closed = now();
    res = end == 0 ? res : null;
  }

  /** Returns true if the request or its WebSocket is still open. */
  synchronized boolean goesOn() {
    return end == 0 || (socket && closing == null);
  }

  /** Returns the approximate memory use in bytes. */
  synchronized long weight() {
    long sum = 1000 + 2L * line.length() + text.weight();
    for (List<String> reports : List.of(hangs, drifts)) {
      sum += reports.stream().mapToLong(report -> 50 + 2L * report.length()).sum();
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

  /** Returns the values for the list of requests. */
  synchronized Map<String, Object> summary() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("id", id);
    value.put("at", startMillis);
    value.put("method", text.method());
    value.put("target", text.target());
    value.put("status", end == 0 ? statusSoFar() : status);
    value.put("open", goesOn());
    value.put("micros", end == 0 ? now() : end);
    value.put("size", size);
    value.put("error", error);
    return value;
  }

  private int statusSoFar() {
    return res != null && res.headersSent() ? res.status() : 0;
  }

  /** Returns the state of a socket or an open stream; null for other requests. */
  synchronized @Nullable Map<String, Object> live() {
    Response response = res;
    if (!socket && (end != 0 || response == null || !response.headersSent())) {
      return null;
    }
    Map<String, Object> value = summary();
    value.put("kind", socket ? "socket" : "stream");
    value.put("micros", closing == null ? now() : closed);
    ConnectionSummary known =
        closing != null || response == null ? closing : response.connectionSummary();
    if (known != null) {
      value.put("messagesIn", known.messagesIn());
      value.put("messagesOut", known.messagesOut());
      value.put("bytesIn", known.bytesIn());
      value.put("bytesOut", known.bytesOut());
      value.put("code", known.code());
      value.put("reason", ShortText.cut(known.reason()));
    }
    return value;
  }

  /** Returns the values for the details of a request. */
  synchronized Map<String, Object> value() {
    Map<String, Object> value = summary();
    Map<String, Object> conversation = live();
    if (conversation != null) {
      value.put("live", conversation);
    }
    value.put("headers", text.headers());
    value.put("body", text.body());
    value.put("line", line);
    value.put("steps", stepValues());
    value.put("hangs", hangs());
    value.put("drifts", drifts());
    value.put("more", left);
    value.put("asTest", text.java(status));
    value.put("asRecording", text.recording(id, status));
    value.put("asCurl", text.curl());
    return value;
  }

  /** Returns the times of the calls so far, as the value of {@link ServerTiming#HEADER}. */
  String serverTiming() {
    return ServerTiming.of(stepValues(), now());
  }

  /** Returns the messages about a missing response. */
  synchronized List<String> hangs() {
    return List.copyOf(hangs);
  }

  /** Returns the messages about errors that the client does not see, such as wrong responses. */
  synchronized List<String> drifts() {
    return List.copyOf(drifts);
  }

  /** Returns true if the request had an error, or a status code of 400 or more. */
  synchronized boolean hasFailed() {
    return status >= 400 || !error.isEmpty();
  }

  /**
   * Returns a test that sends the request again.
   *
   * @throws IllegalArgumentException if the request has not ended
   */
  synchronized String test() {
    if (end == 0) {
      throw new IllegalArgumentException("request " + id + " has not ended yet; try again later");
    }
    return text.test(id, status);
  }

  /** Returns the method, target and status code. */
  @Override
  public synchronized String toString() {
    return text.method() + " " + text.target() + " " + (end == 0 ? statusSoFar() : status);
  }

  /** Returns the calls so far. */
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

  /** Returns the outermost application of a request. */
  static @Nullable App outermost(Request req) {
    App found = App.of(req);
    while (found != null && found.parent() != null) {
      found = found.parent();
    }
    return found;
  }

  /** Records the header changes of a call, and whether it has sent the response. */
  private void note(Step step) {
    if (res == null) {
      return;
    }
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
    noteResponse(step);
  }

  private void noteResponse(@Nullable Step step) {
    if (!responded && res != null && res.headersSent()) {
      responded = true;
      if (step != null) {
        step.value.put("responded", true);
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
    if (!visible || res == null) {
      return Set.of();
    }
    Set<String> lines = new LinkedHashSet<>();
    Headers headers = res.headers();
    for (int i = 0; i < Math.min(100, headers.size()); i++) {
      String name = headers.name(i);
      if (name.equals(ServerTiming.HEADER)) {
        continue;
      }
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
    return name.isEmpty() ? "virtual " + thread.getId() : ShortText.cut(name);
  }

  /** The Flight Recorder event of a request. */
  @Name("dev.percolate.Request")
  @Label("Request")
  @Category("Percolate")
  @Enabled(false)
  @StackTrace(false)
  static final class RequestEvent extends Event {

    private static final EventType TYPE = EventType.getEventType(RequestEvent.class);

    @Label("Request")
    long request;

    @Label("Method")
    String method = "";

    @Label("Route")
    String route = "";

    @Label("Status")
    int status;

    /** Returns true if a recording has enabled these events. */
    static boolean isOn() {
      return TYPE.isEnabled();
    }
  }
}
