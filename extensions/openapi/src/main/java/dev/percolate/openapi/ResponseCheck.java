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
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares a response with the descriptions that its request has passed. */
final class ResponseCheck {

  /** Whether the application enables the check. */
  static final Key<Boolean> CHOSEN = Key.of("check responses", Boolean.class);

  private static final Key<ResponseCheck> OF_THE_REQUEST =
      Key.of("api answer check", ResponseCheck.class);

  /** The status codes that descriptions cause themselves, or servers for any request. */
  private static final Set<Integer> OF_ANY_ROUTE = Set.of(304, 400, 413, 415, 422);

  private static final int MOST_CHECKED = 1 << 20;
  private static final int MOST_SHOWN = 500;

  private final Request req;
  private final Response res;
  private final List<CompiledApi> apis = new ArrayList<>();
  private boolean rejected;

  private ResponseCheck(Request req, Response res) {
    this.req = req;
    this.res = res;
  }

  /** Checks the response, unless the application runs in production. */
  static void watch(CompiledApi api, Request req, Response res) {
    Settings settings = req.settings();
    Boolean chosen = settings.get(CHOSEN);
    if (chosen == null ? "production".equals(settings.get(Settings.ENV)) : !chosen) {
      return;
    }
    ResponseCheck check = req.attrOrNull(OF_THE_REQUEST);
    if (check == null) {
      check = new ResponseCheck(req, res);
      req.attr(OF_THE_REQUEST, check);
      res.onHeaders(check::begin);
    }
    check.apis.add(api);
  }

  /** Records that a description rejected the request. It need not declare the error response. */
  static void rejected(Request req) {
    ResponseCheck check = req.attrOrNull(OF_THE_REQUEST);
    if (check != null) {
      check.rejected = true;
    }
  }

  private void begin() {
    int status = res.status();
    Set<Integer> declared = new TreeSet<>();
    List<DescribedResponse> with = new ArrayList<>();
    for (CompiledApi one : apis) {
      DescribedResponse response = one.api().answers.get(status);
      declared.addAll(one.api().answers.keySet());
      if (response != null) {
        with.add(response);
      }
    }
    // A description without a success status is only a part of the whole description.
    boolean whole = declared.stream().anyMatch(one -> one < 400);
    if (!whole || rejected || status >= 500 || req.method().equals("OPTIONS")) {
      return;
    }
    if ((status == 401 || status == 403) && res.get("WWW-Authenticate") != null) {
      return; // the response of a middleware that authenticates clients
    }
    if (!with.isEmpty()) {
      checkType(status, with);
    } else if (!OF_ANY_ROUTE.contains(status)) {
      String all = declared.stream().map(String::valueOf).collect(Collectors.joining(", "));
      complain("status " + status + " is not declared", "status " + all, "status " + status);
    }
  }

  private void checkType(int status, List<DescribedResponse> with) {
    List<Content> contents = with.stream().flatMap(one -> one.contents().stream()).toList();
    boolean bodyless = status < 200 || status == 204 || status == 304;
    if (contents.isEmpty() || bodyless || req.method().equals("HEAD")) {
      return;
    }
    String sent = res.get("Content-Type");
    String media = MediaType.parse(sent).type();
    for (Content content : contents) {
      if (content.takes(media)) {
        if (content.jsonType() != null && res.filterable()) {
          res.filter(new Recorder(status, content.jsonType().type()));
        }
        return;
      }
    }
    String types = contents.stream().map(Content::media).collect(Collectors.joining(" or "));
    complain("media type of the body is not declared", status + " " + types, status + " " + sent);
  }

  private void checkBody(int status, Type type, String body) {
    for (CompiledApi one : apis) {
      Map<String, Object> schema = one.schemas().get(type);
      if (schema != null) {
        List<String> faults = faults(schema, body, one);
        if (!faults.isEmpty()) {
          complain(
              String.join("; ", faults),
              status + " " + type.getTypeName() + " " + shown(schema, one),
              status + " " + cut(body));
        }
        return;
      }
    }
  }

  private static List<String> faults(Map<String, Object> schema, String body, CompiledApi api) {
    try {
      Object value = body.isEmpty() ? null : api.codec().read(body);
      return SchemaCheck.faults(schema, value, api.components());
    } catch (IllegalArgumentException e) {
      return List.of("the body: " + e.getMessage());
    }
  }

  private static String shown(Map<String, Object> schema, CompiledApi api) {
    String name = Schemas.component(schema);
    Object whole = name == null ? schema : api.components().get(name);
    return cut(api.codec().write(whole, JsonCodec.WriteOptions.COMPACT));
  }

  private void complain(String what, String declared, String answered) {
    String route = req.routePath() == null ? "" : " (" + req.routePath() + ")";
    RequestControl.warn(
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
    private final Type type;
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean tooLong;

    Recorder(int status, Type type) {
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
        checkBody(status, type, copy.toString(StandardCharsets.UTF_8));
      }
      return same;
    }
  }
}
