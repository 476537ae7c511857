package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the examples that are whole programs, and limits their length. */
final class ProgramsTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/percolate/examples");

  /** Returns the number of lines, without blank lines, imports and the comment before the class. */
  private static long lines(String name) throws Exception {
    return Files.readAllLines(SOURCES.resolve(name + ".java")).stream()
        .dropWhile(line -> !line.startsWith("final class"))
        .filter(line -> !line.isBlank())
        .count();
  }

  @ParameterizedTest
  @CsvSource({"BookApi,100", "PhotoSite,75", "PollingChat,40"})
  void programsAreShort(String name, int most) throws Exception {
    assertTrue(lines(name) <= most, () -> name + " is longer than " + most);
  }

  @Test
  void thePortIsAtMostAThirdLongerThanTheOriginal() throws Exception {
    long original =
        Files.readAllLines(Path.of("express/notes.js")).stream().filter(l -> !l.isBlank()).count();
    assertEquals(50, original);
    assertTrue(lines("Notes") * 3 <= original * 4, () -> "more than a third longer");
  }

  private static Map<?, ?> json(Reply reply) {
    return reply.json(Map.class);
  }

  @Test
  void bookApiRequiresAToken() throws Exception {
    App app = BookApi.app();
    Reply rejected = Call.get("/books").to(app);
    assertEquals("401 Bearer", rejected.status() + " " + rejected.header("WWW-Authenticate"));
    assertEquals("application/problem+json", rejected.header("Content-Type"));
    Reply wrong = login(app, "wrong");
    assertEquals("401 Bearer", wrong.status() + " " + wrong.header("WWW-Authenticate"));
    String token = login(app, "secret").json(String.class);
    String forged = token.substring(0, token.length() - 2) + "xx";
    for (String other : List.of(forged, "x.y.z", "", "eyJhbGciOiJub25lIn0.e30.")) {
      assertEquals(401, as(other, Call.get("/books")).to(app).status(), other);
    }
    Reply added =
        as(token, Call.post("/books")).json(Map.of("title", "Emma", "year", 1815)).to(app);
    assertEquals(201, added.status(), added::toString);
    String location = String.valueOf(added.header("Location"));
    assertEquals("Emma", json(as(token, Call.get(location)).to(app)).get("title"));
    assertTrue(as(token, Call.get("/books?from=1800&title=mm")).to(app).text().contains("Emma"));
    assertFalse(as(token, Call.get("/books?from=1816")).to(app).text().contains("Emma"));
    Call lower = Call.get("/books").header("Authorization", "bearer " + token);
    assertEquals(200, lower.to(app).status());
    assertEquals(200, as(token, Call.delete(location)).to(app).status());
    assertEquals(404, as(token, Call.delete(location)).to(app).status());
    assertEquals(404, as(token, Call.get("/nowhere")).to(app).status());
  }

  @Test
  void bookApiReportsAllInvalidValues() throws Exception {
    App app = BookApi.app();
    String token = login(app, "secret").json(String.class);
    Reply faulty = as(token, Call.post("/books")).json(Map.of("year", "soon")).to(app);
    assertEquals("400 value.invalid", faulty.status() + " " + json(faulty).get("code"));
    assertEquals(
        List.of("/title", "/year"),
        ((List<?>) json(faulty).get("errors"))
            .stream().map(error -> ((Map<?, ?>) error).get("pointer")).toList());
    assertFalse(faulty.text().contains("soon"), faulty::toString);
    Reply early = as(token, Call.post("/books")).json(Map.of("title", "x", "year", 7)).to(app);
    assertEquals(422, early.status());
    Reply query = as(token, Call.get("/books?from=x")).to(app);
    assertTrue(query.text().contains("query parameter \\\"from\\\""), query::toString);
    assertEquals(400, as(token, Call.get("/books/x")).to(app).status());
  }

  private static Reply login(Service app, String password) {
    return Call.post("/login").json(Map.of("name", "ann", "password", password)).to(app);
  }

  private static Call as(String token, Call call) {
    return call.header("Authorization", "Bearer " + token);
  }

  @Test
  void photoSiteRequiresALogin() throws Exception {
    App app = PhotoSite.app();
    CookieJar cookies = new CookieJar();
    assertEquals("/login", Call.get("/").to(app).header("Location"));
    String token = token(Call.get("/login").with(cookies).to(app));
    Call login = Call.post("/login").form("name", "ann").with(cookies);
    assertEquals(403, login.form("password", "secret").to(app).status());
    login = login.form("_csrf", token);
    assertEquals(401, login.form("password", "wrong").to(app).status());
    assertEquals("/", login.form("password", "secret").to(app).header("Location"));
    Reply page = Call.get("/").with(cookies).to(app);
    assertTrue(page.text().contains("multipart/form-data"), page::toString);
    Call photo = Call.post("/photos").form("_csrf", token(page)).form("title", "<Cat>");
    byte[] bytes = "png".getBytes(StandardCharsets.UTF_8);
    assertEquals(400, photo.with(cookies).to(app).status());
    assertEquals(
        415, photo.file("file", "a.svg", "image/svg+xml", bytes).with(cookies).to(app).status());
    Reply added =
        photo.file("file", "a.png", "image/png", bytes).with(cookies).followRedirects().to(app);
    assertTrue(added.text().contains("<p role=\"status\">&lt;Cat&gt; was saved"), added::toString);
    assertTrue(added.text().contains("&lt;Cat&gt;, by ann"), added::toString);
    assertFalse(Call.get("/").with(cookies).to(app).text().contains("was saved"));
    Reply shown = Call.get("/photos/0").with(cookies).to(app);
    assertEquals("image/png png", shown.header("Content-Type") + " " + shown.text());
    assertEquals(404, Call.get("/photos/1").with(cookies).to(app).status());
    Call logout = Call.post("/logout").form("_csrf", token(Call.get("/").with(cookies).to(app)));
    assertEquals("/login", logout.with(cookies).to(app).header("Location"));
    assertEquals(303, Call.get("/photos/0").with(cookies).to(app).status());
  }

  private static String token(Reply page) {
    Matcher field = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"").matcher(page.text());
    assertTrue(field.find(), page::toString);
    return field.group(1);
  }

  @Test
  void chatSendsMessagesToWaitingRequests() {
    App app = PollingChat.app();
    CompletableFuture<Reply> waiting =
        CompletableFuture.supplyAsync(() -> Call.get("/messages?after=0").to(app));
    Call hello = Call.post("/messages").form("name", "ann").form("text", "hello");
    assertEquals(204, hello.to(app).status());
    assertEquals("hello", ((Map<?, ?>) waiting.join().json(List.class).get(0)).get("text"));
    assertEquals(400, Call.post("/messages").form("name", "ann").to(app).status());
    assertEquals(400, Call.get("/messages?after=x").to(app).status());
    assertEquals(1, Call.get("/messages?after=-5").to(app).json(List.class).size());
  }

  @Test
  void notesBehaveLikeTheOriginal() {
    App app = Notes.app();
    assertEquals("/notes", Call.get("/").to(app).header("Location"));
    assertEquals(List.of("Tea"), titles(app, "?tag=drink"));
    Call rice = Call.post("/notes").form("title", "Rice").form("tag", "food").form("tag", "dry");
    Reply added = rice.to(app);
    assertEquals("201 /notes/2", added.status() + " " + added.header("Location"));
    assertEquals(List.of("food", "dry"), json(added).get("tags"));
    assertEquals(
        201, Call.post("/notes").json(Map.of("title", "Oil", "text", "x")).to(app).status());
    assertEquals(List.of("Rice"), titles(app, "?tag=dry"));
    assertEquals(List.of(), titles(app, "?page=2"));
    Call text = Call.get("/notes").header("Accept", "text/plain");
    assertEquals("Notes: Tea, Rice, Oil", text.to(app).text());
    assertEquals("Three minutes", Call.get("/notes/1/text").to(app).text());
    assertEquals(400, Call.post("/notes").form("text", "x").to(app).status());
    assertEquals(204, Call.post("/notes/1").form("_method", "delete").to(app).status());
    Reply gone = Call.get("/notes/1").to(app);
    assertEquals("404 There is no note 1", gone.status() + " " + json(gone).get("error"));
    assertEquals(200, Call.get("/notes.txt").to(app).status());
  }

  private static List<?> titles(App app, String query) {
    List<?> notes = Call.get("/notes" + query).to(app).json(List.class);
    return notes.stream().map(note -> ((Map<?, ?>) note).get("title")).toList();
  }
}
