package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A body of a type that no parser accepts gets a 415 (RFC 9110 section 15.5.16), and an empty body
 * counts as missing, however a handler reads it. Public like its record, which another module
 * creates.
 */
public final class UnacceptedBodyTest {

  private static final String MULTIPART = "multipart/form-data; boundary=X";

  /** Creates the test. */
  public UnacceptedBodyTest() {}

  /**
   * A record to read.
   *
   * @param name a text
   */
  public record User(String name) {}

  private static final Map<String, Handler> READS = new LinkedHashMap<>();

  static {
    READS.put("record", (req, res) -> res.json(req.body(User.class)));
    READS.put("map", (req, res) -> res.json(req.body(Map.class)));
    READS.put("list", (req, res) -> res.json(req.body(new TypeRef<List<User>>() {})));
    READS.put("form", (req, res) -> res.json(req.form(User.class)));
    READS.put("field", (req, res) -> res.send("" + req.form("name")));
    READS.put("required", (req, res) -> res.send(req.formRequired("name", String.class)));
    READS.put("all", (req, res) -> res.json(req.formAll("name", String.class)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/vnd.api+json",
        "application/problem+json; charset=utf-8",
        "application/x-www-form-urlencoded",
        MULTIPART,
        "text/plain",
        "application/xml",
        "image/png",
        "nonsense",
        "application/",
        ""
      })
  void typeThatTheJsonParserDoesNotAcceptIs415(String type) {
    for (String read : READS.keySet()) {
      assertUnsupported(type, read, BodyParsers.json());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "application/vnd.api+json", MULTIPART, "text/plain", ""})
  void typeThatTheFormParserDoesNotAcceptIs415(String type) {
    for (String read : READS.keySet()) {
      assertUnsupported(type, read, BodyParsers.urlencoded());
    }
  }

  @ParameterizedTest
  @CsvSource({"application/vnd.api+json,record", "multipart/form-data; boundary=X,form"})
  void bodyThatWasReadAsSomethingElseIs415(String type, String read) {
    assertUnsupported(
        type, read, BodyParsers.json(), BodyParsers.urlencoded(), BodyParsers.text().type("*/*"));
  }

  @Test
  void theMessageNamesTheType() {
    Reply reply = send("application/vnd.api+json", "{}", "record", BodyParsers.json());
    assertTrue(reply.text().contains("no parser accepts the type application/vnd.api+json"));
    reply = send("text/plain", "x", "record", BodyParsers.json());
    assertTrue(reply.text().contains("the body is text/plain, but JSON or a form was expected"));
  }

  @Test
  void developersGetTheNameOfTheParser() {
    Reply reply = send("multipart/form-data; boundary=X", "x", "form", BodyParsers.urlencoded());
    String cure = "Add app.use(Multipart.files()), of percolate-multipart, before this handler.";
    assertTrue(reply.text().contains(cure), reply.text());
    reply = send("application/vnd.api+json", "{}", "record", BodyParsers.json());
    cure =
        "Add app.use(BodyParsers.json().type(\"application/vnd.api+json\")) before this handler.";
    assertTrue(reply.text().contains(cure), reply.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/vnd.api+json", "application/problem+json", "application/json"})
  void suffixOfAnotherTypeIsReadIfTheParserSaysSo(String type) {
    Reply reply =
        send(type, "{\"name\":\"Ann\"}", "record", BodyParsers.json().type("json", "+json"));
    assertEquals("200 {\"name\":\"Ann\"}", reply.status() + " " + reply.text());
  }

  @Test
  void aMissingParserIsAnErrorOfTheApplication() {
    assertEquals(500, send("application/json", "{}", "record").status());
    assertEquals(500, send("application/x-www-form-urlencoded", "a=b", "field").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "application/octet-stream", "application/xml"})
  void emptyBodyIsAMissingBodyWhateverItsType(String type) {
    Middleware[] parsers = {BodyParsers.json(), BodyParsers.urlencoded()};
    for (String read : List.of("record", "map", "list")) {
      Reply reply = send(type, "", read, parsers);
      assertEquals("400 entity.absent", brief(reply), read);
    }
    assertEquals("200 null", brief(send(type, "", "field", parsers)));
    assertEquals("200 []", brief(send(type, "", "all", parsers)));
    assertEquals("400 value.missing", brief(send(type, "", "required", parsers)));
    assertEquals("400 value.invalid", brief(send(type, "", "form", parsers)));
  }

  private static void assertUnsupported(String type, String read, Middleware... parsers) {
    Reply reply = send(type, "x", read, parsers);
    assertEquals("415 entity.type.unsupported", brief(reply), () -> type + " as " + read);
  }

  private static String brief(Reply reply) {
    return reply.status() + " " + reply.text().split(":", 2)[0];
  }

  private static Reply send(String type, String body, String read, Middleware... parsers) {
    List<Middleware> steps = new ArrayList<>(List.of(parsers));
    steps.add(READS.get(read));
    ErrorHandler errors =
        (error, req, res, next) -> {
          if (error instanceof HttpError known) {
            res.status(known.status()).send(known.type() + ":" + known.getMessage());
          } else {
            res.status(500).send("fault:" + error);
          }
        };
    steps.add(errors);
    Settings settings = new Settings().set("env", "test").set("json spaces", 0);
    Service service = Chain.service(settings, steps.toArray(Middleware[]::new));
    Call call = Call.post("/");
    if (!type.isEmpty()) {
      call = call.header("Content-Type", type);
    }
    return (body.isEmpty() ? call.header("Content-Length", "0") : call.body(body)).to(service);
  }
}
