package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Target;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MountTest {

  private static final Handler SHOW = (req, res) -> res.send(req.url() + " " + req.originalUrl());

  @ParameterizedTest
  @CsvSource({
    "/apple, /apple, /",
    "/apple, /apple/, /",
    "/apple, /apple/images, /images",
    "/apple, /apple.html, /.html",
    "/apple, /apple?x=1, /?x=1",
    "/apple, /APPLE/x, /x",
    "/apple/, /apple/x, /x",
    "/d, /d//x, //x",
    "/s//, /s//x, /x",
    "/s//, /s/, /",
    "/s//, /s, ",
    "/a/b, /a/b.c/d, /.c/d",
    "/apple, /apples, ",
    "/apple, /pear/apple, ",
    "/apple, /?/apple, ",
    "/two words, /two%20words, ",
    "/two%20words, /two%20WORDS/x, /x",
    "/, /x?y, /x?y",
    "'', /x, /x",
    "/proxy, /proxy/http://h/a, /http://h/a",
    "/blog, http://h:1/blog/x?y, http://h:1/x?y",
    "/blog, http://h:1/blog?y, http://h:1?y",
    "/blog, http://h:1/blog, http://h:1",
    "/, *, ",
  })
  void aMountPathCoversItselfAndLongerPathsAfterSlashOrDot(String path, String url, String seen) {
    App app = new App();
    app.set("ambiguous targets", "pass").disable("server options").use(path, SHOW);
    String expected = seen == null ? "Cannot GET " + url + "\n" : seen + " " + url;
    assertEquals(expected, play(Call.get(url), app).text());
  }

  @ParameterizedTest
  @CsvSource({
    "/apple, /apple, /, /",
    "/apple, /apple/?x=1, /?x=1, /",
    "/apple, /apple.html?x, /.html?x, /.html",
    "/apple, /APPLE/x, /x, /x",
    "/d, /d//x, //x, /x",
    "/d, //d//x?y=//, //x?y=//, /x",
    "/s//, /s/x, /x, /x",
    "//s/./t, /s/t/x, /x, /x",
    "/a/b, /a/./c/../b/d/.., /d/.., /",
    "/admin, /x/../%61dmin/%78?%61, /%78?%61, /x",
    "/proxy, /proxy/http://h/a, /http://h/a, /http:/h/a",
    "/blog, http://h:1/y/../blog/x?y, http://h:1/x?y, /x",
    "/blog, http://h:1/blog?y, http://h:1?y, /",
    "/blog, http://h:1/blog.x/z?y, http://h:1/.x/z?y, /.x/z",
    "/, //x/../y, //x/../y, /y",
  })
  void belowAMountPathTheUrlIsTheRestOfWhatWasSent(
      String mount, String target, String url, String path) {
    App app = new App();
    app.use(
        mount,
        (req, res, next) -> {
          res.set("X-Path", req.path());
          res.set("X-Url", req.url());
          next.run();
        });
    app.use((req, res) -> res.send(req.url() + " " + req.originalUrl() + " " + req.path()));
    Reply reply = play(Call.get(target), app);
    assertEquals(path + " " + url, reply.header("X-Path") + " " + reply.header("X-Url"));
    String whole = NormalPath.of(Target.path(target));
    String later = mount.equals("/apple") ? target.replace("APPLE", "apple") : target;
    assertEquals(later + " " + target + " " + whole.replace("APPLE", "apple"), reply.text());
  }

  @ParameterizedTest
  @CsvSource({
    "/MiXed, /mixed/Sub, /MiXed/Sub",
    "/m, /m, /m",
    "/m, /m?x, /m?x",
    "/m, /m.x, /m.x",
    "/m, http://h/m?x, http://h/m?x",
    "/m, http://h/M/x, http://h/m/x",
  })
  void theUrlIsRestoredForLaterLayers(String path, String url, String later) {
    App app = new App();
    app.use(path, (req, res, next) -> next.run());
    app.use(path, (req, res, next) -> next.fail(new IllegalStateException("x")));
    app.use((error, req, res, next) -> next.run());
    app.use(SHOW);
    assertEquals(later + " " + url, play(Call.get(url), app).text());
  }

  @Test
  @DisplayName("RTE-08: the URL is restored after an exception")
  void theUrlIsRestoredAfterAnException() {
    App app = new App();
    app.use(
        "/m",
        (req, res, next) -> {
          throw new IllegalStateException("x");
        });
    app.use((error, req, res, next) -> res.send(req.url()));
    assertEquals("/m/x", play(Call.get("/m/x"), app).text());
  }

  @Test
  void aRewriteUnderAMountPathKeepsTheMountPath() {
    App app = new App();
    app.use(
        "/m",
        (req, res, next) -> {
          req.url("/other");
          next.run();
        });
    app.use(SHOW);
    assertEquals("/m/other /m/x", play(Call.get("/m/x"), app).text());
    assertEquals("/m/other /m/", play(Call.get("/m/"), app).text());
  }

  @Test
  void layersMatchTheUrlAsRewritten() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          req.url("/new?x");
          next.run();
        });
    app.use("/old", (req, res) -> res.send("old"));
    app.use("/new", SHOW);
    assertEquals("/?x /old", play(Call.get("/old"), app).text());
  }
}
