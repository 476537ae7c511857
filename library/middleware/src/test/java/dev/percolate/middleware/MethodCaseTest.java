package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Middleware compares methods case-sensitively, as routes do (RFC 9110 section 9.1). */
final class MethodCaseTest {

  private static final Handler METHOD = (req, res) -> res.send(req.method());

  @Test
  void aFileIsServedToGetOnly(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), "file");
    StaticFiles files = StaticFiles.of(folder);
    assertEquals("file", Played.reply(Call.get("/a.txt"), files, METHOD).text());
    for (String method : new String[] {"get", "Get", "head", "Head"}) {
      assertEquals(method, Played.reply(Call.of(method, "/a.txt"), files, METHOD).text());
    }
  }

  @Test
  void onlyOptionsIsAPreflight() {
    Call call =
        Call.of("options", "/")
            .header("Origin", "https://a.test")
            .header("Access-Control-Request-Method", "PUT");
    Reply reply = Played.reply(call, Cors.any(), METHOD);
    assertEquals("200 options", reply.status() + " " + reply.text());
    assertNull(reply.header("Access-Control-Allow-Methods"));
  }

  @Test
  void aPreflightNamesMethodsAsBrowsersSendThem() {
    Call call =
        Call.options("/")
            .header("Origin", "https://a.test")
            .header("Access-Control-Request-Method", "PATCH");
    Reply reply = Played.reply(call, Cors.any().methods("get", "Patch", "Frob"), METHOD);
    assertEquals("GET,PATCH,Frob", reply.header("Access-Control-Allow-Methods"));
    assertEquals(
        "methods \"a b\" must be a method name", Played.rejection(() -> Cors.any().methods("a b")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "Head", "options", "post"})
  void onlyTheNamedMethodsNeedNoCsrfToken(String method) {
    Sessions sessions = Sessions.of("a secret of some length");
    Csrf csrf = Csrf.of();
    assertEquals(403, Played.reply(Call.of(method, "/"), sessions, csrf, METHOD).status());
    assertEquals(200, Played.reply(Call.get("/"), sessions, csrf, METHOD).status());
    Csrf own = csrf.ignoreMethods(method);
    String known = method.toUpperCase(Locale.ROOT);
    assertEquals(200, Played.reply(Call.of(known, "/"), sessions, own, METHOD).status());
  }

  @Test
  void anIdempotencyKeyIsUsedForPostButNotForLowerCasePost() {
    AtomicInteger runs = new AtomicInteger();
    Handler counting = (req, res) -> res.send("" + runs.incrementAndGet());
    Idempotency once = Idempotency.of(MemoryIdempotency.of()).anonymous().methods("post");
    for (String method : new String[] {"POST", "POST", "post", "post"}) {
      Reply ignored =
          Played.reply(Call.of(method, "/").header("Idempotency-Key", "k"), once, counting);
    }
    assertEquals(3, runs.get());
  }
}
