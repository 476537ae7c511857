package dev.percolate.openapi;

import dev.percolate.core.BodyFilter;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.LogText;
import dev.percolate.http.MediaType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares a response with the descriptions that its request has passed. */
final class AnswerCheck {

  /** Whether the application enables the check. */
  static final Key<Boolean> CHOSEN = Key.of("check answers", Boolean.class);

  private static final Key<AnswerCheck> OF_THE_REQUEST =
      Key.of("api answer check", AnswerCheck.class);

  /** The status codes that descriptions cause themselves, or servers for any request. */
  private static final Set<Integer> OF_ANY_ROUTE = Set.of(304, 400, 413, 415, 422);

  private static final int MOST_CHECKED = 1 << 20;
  private static final int MOST_SHOWN = 500;

  private final Request req;
  private final Response res;
  private final List<Description> apis = new ArrayList<>();
  private final List<CompiledApi> compiled = new ArrayList<>();
  private boolean refused;

  private AnswerCheck(Request req, Response res) {
    this.req = req;
    this.res = res;
  }

  /** Checks the response, unless the application runs in production. */
  static void watch(Description api, CompiledApi compiled, Request req, Response res) {
    Settings settings = req.settings();
    Boolean chosen = settings.get(CHOSEN);
    if (chosen == null ? "production".equals(settings.get(Settings.ENV)) : !chosen) {
      return;
    }
    AnswerCheck check = req.attrOrNull(OF_THE_REQUEST);
    if (check == null) {
      check = new AnswerCheck(req, res);
      req.attr(OF_THE_REQUEST, check);
      res.onHeaders(check::begin);
    }
    check.apis.add(api);
    check.compiled.add(compiled);
  }

  /** Records that a description rejected the request. It need not declare the error response. */
  static void refused(Request req) {
    AnswerCheck check = req.attrOrNull(OF_THE_REQUEST);
    if (check != null) {
      check.refused = true;
    }
  }

  private void begin() {
    int status = res.status();
    // A description without a success status is only a part of the whole description.
    boolean whole =
        apis.stream().anyMatch(api -> api.answers().keySet().stream().anyMatch(one -> one < 400));
    if (!whole || refused || status >= 500 || req.method().equals("OPTIONS")) {
      return;
    }
    List<Answer> with = new ArrayList<>();
    for (Description api : apis) {
      Answer answer = api.answers().get(status);
      if (answer != null) {
        with.add(answer);
      }
    }
    if (with.isEmpty()) {
      if (!OF_ANY_ROUTE.contains(status)) {
        complain("status " + status + " is not declared", declared(), "status " + status);
      }
      return;
    }
    checkType(status, with);
  }

  private void checkType(int status, List<Answer> with) {
    List<Content> contents = new ArrayList<>();
    with.forEach(answer -> contents.addAll(answer.contents()));
    boolean bodyless = status < 200 || status == 204 || status == 304;
    if (contents.isEmpty() || bodyless || req.method().equals("HEAD")) {
      return;
    }
    String sent = res.get("Content-Type");
    String media = MediaType.parse(sent).type();
    for (Content content : contents) {
      if (content.takes(media)) {
        if (content.isJson() && content.type() != null) {
          res.filter(new Recorder(status, content.type()));
        }
        return;
      }
    }
    String types = contents.stream().map(Content::media).collect(Collectors.joining(" or "));
    complain("media type of the body is not declared", status + " " + types, status + " " + sent);
  }

  private void checkBody(int status, BodyType type, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    for (CompiledApi one : compiled) {
      ValueRule rule = one.answers().get(type.type());
      if (rule != null) {
        checkBody(status, type, one, rule, text);
        return;
      }
    }
  }

  private void checkBody(int status, BodyType type, CompiledApi api, ValueRule rule, String text) {
    List<Fault> faults;
    try {
      faults = rule.faults(text.isEmpty() ? null : api.codec().read(text));
    } catch (IllegalArgumentException e) {
      faults = List.of(new Fault("", String.valueOf(e.getMessage())));
    }
    if (!faults.isEmpty()) {
      complain(
          faults.stream().map(Fault::toString).collect(Collectors.joining("; ")),
          status + " " + type.type().getTypeName() + " " + shown(api, type),
          status + " " + cut(text));
    }
  }

  private static String shown(CompiledApi api, BodyType type) {
    Object schema = api.schemas().get(type.type());
    String name = schema instanceof Map<?, ?> map ? component(map) : null;
    Object whole = name == null ? schema : api.components().get(name);
    return cut(api.codec().write(whole, JsonCodec.Style.COMPACT));
  }

  @SuppressWarnings("unchecked")
  private static @Nullable String component(Map<?, ?> schema) {
    return Schemas.component((Map<String, ?>) schema);
  }

  private String declared() {
    Set<Integer> all = new TreeSet<>();
    apis.forEach(api -> all.addAll(api.answers().keySet()));
    return all.stream().map(String::valueOf).collect(Collectors.joining(", ", "status ", ""));
  }

  private void complain(String what, String declared, String answered) {
    String route = req.routePath() == null ? "" : " (" + req.routePath() + ")";
    RequestControl.complain(
        req,
        req.method()
            + " "
            + LogText.escape(req.originalUrl())
            + route
            + ": the response does not match its description: "
            + what
            + "\n  declared: "
            + declared
            + "\n  sent:     "
            + answered);
  }

  private static String cut(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }

  /** Copies the body and checks it at the end. */
  private final class Recorder implements BodyFilter {

    private final int status;
    private final BodyType type;
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean tooLong;

    Recorder(int status, BodyType type) {
      this.status = status;
      this.type = type;
    }

    @Override
    public ByteBuffer write(ByteBuffer piece) {
      if (copy.size() + piece.remaining() > MOST_CHECKED) {
        tooLong = true;
        copy.reset();
      }
      if (!tooLong) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        copy.writeBytes(bytes);
      }
      return piece;
    }

    @Override
    public ByteBuffer flush(ByteBuffer piece) {
      return write(piece);
    }

    @Override
    public ByteBuffer end(ByteBuffer last) {
      ByteBuffer same = write(last);
      if (!tooLong) {
        checkBody(status, type, copy.toByteArray());
      }
      return same;
    }
  }
}
