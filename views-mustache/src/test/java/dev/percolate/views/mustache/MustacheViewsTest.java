package dev.percolate.views.mustache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.mustachejava.MustacheException;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MustacheViewsTest {

  /** An entry. */
  public record Entry(String name, int stars) {

    public String secret() {
      return "no component";
    }
  }

  /** A bean. */
  public static final class Author {

    public String getName() {
      return "Ann";
    }

    public boolean isKnown() {
      return true;
    }

    public Class<?> getKind() {
      return Author.class;
    }

    public String delete() {
      return "deleted";
    }
  }

  @TempDir private Path folder;
  private Path views;
  private App app;

  @BeforeEach
  void anApplicationWithViews() throws IOException {
    views = Files.createDirectory(folder.resolve("views"));
    app = new App().set("views", views.toString());
  }

  private Path file(String name, String text) throws IOException {
    Path file = views.resolve(name).normalize();
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void aPageWithLayoutAndLoopIsFoundByItsExtensionAndEscaped() throws Exception {
    file(
        "layout.mustache",
        """
        <title>{{$title}}no title{{/title}}</title>{{$body}}{{/body}}
        """
            .strip());
    file(
        "item.mustache",
        """
        <li>{{.}}</li>
        """
            .strip());
    file(
        "list.mustache",
        """
        {{<layout}}
        {{$title}}{{settings.title}}, {{settings.view engine}}{{/title}}
        {{$body}}{{#items}}{{>item}}{{/items}}{{/body}}
        {{/layout}}
        """
            .strip());
    app.set("title", "Grüße & more").set("view engine", "mustache");
    app.get("/", (req, res) -> res.render("list", Map.of("items", List.of("1", "<script>'\"&"))));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Grüße &amp; more, mustache</title><li>1</li><li>&lt;script&gt;&#39;&quot;&amp;</li>",
        reply.text().replace("\n", ""));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void everyUsualExtensionIsFoundAndOnlyRawTextIsNotEscaped() throws Exception {
    for (String extension : new MustacheViews().extensions()) {
      file("v." + extension, "{{a}} {{{a}}}{{none}}{{none.deep}}");
      assertEquals("&lt;i&gt; <i>", app.render("v." + extension, Map.of("a", "<i>")));
    }
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredForAndEscapesThere() throws Exception {
    file("v.txt", "{{a}}");
    app.engine("txt", new MustacheViews());
    assertEquals("&lt;1", app.render("v.txt", Map.of("a", "<1")));
  }

  @Test
  void mapsBeansAndRecordsAreData() throws Exception {
    file("v.mustache", "{{m.k}} {{r.name}} {{r.stars}} {{b.name}} {{#b.known}}yes{{/b.known}}");
    Map<String, Object> locals =
        Map.of("m", Map.of("k", 1234), "r", new Entry("<n>", 5), "b", new Author());
    assertEquals("1234 &lt;n&gt; 5 Ann yes", app.render("v.mustache", locals));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViews() throws Exception {
    file(
        "a/b/v.mustache",
        """
        {{>near}} {{>../up.mustache}} {{>a/far}}
        """
            .strip());
    file(
        "a/far.mustache",
        """
        far {{>up}}
        """
            .strip());
    file("a/b/near.mustache", "near");
    file("near.mustache", "not the nearest");
    file("a/up.mustache", "up");
    assertEquals("near up far up", app.render("a/b/v.mustache"));
  }

  @Test
  void aPartialMayCallItself() throws Exception {
    file("tree.mustache", "{{name}}{{#below}}({{>tree}}){{/below}}");
    Map<String, Object> leaf = Map.of("name", "b", "below", List.of());
    assertEquals(
        "a(b)(b)", app.render("tree.mustache", Map.of("name", "a", "below", List.of(leaf, leaf))));
  }

  @Test
  void aPartialNamedByAValueIsKeptToo() throws Exception {
    file("v.mustache", "{{>*page}}");
    file("part.mustache", "part");
    Map<String, Object> on = Map.of("cache", true, "page", "part");
    assertEquals("part", app.render("v.mustache", on));
    file("part.mustache", "changed");
    assertEquals("part", app.render("v.mustache", on));
    assertEquals("", app.render("v.mustache"));
  }

  @Test
  void lambdasGetWhatTheirSectionPrints() throws Exception {
    file("v.mustache", "{{#bold}}{{a}}{{/bold}}");
    UnaryOperator<String> bold = text -> "<b>" + text + "</b>";
    assertEquals("<b>&amp;</b>", app.render("v.mustache", Map.of("bold", bold, "a", "&")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.mustache",
        "../../secret.mustache",
        "x/../../secret.mustache",
        "../views-b/secret.mustache",
        "/../secret.mustache",
        "none",
        "a\0b"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.mustache", "secret");
    file("../views-b/secret.mustache", "secret");
    file("sub/v.mustache", "{{>*page}}");
    assertThrows(MustacheException.class, () -> app.render("sub/v.mustache", Map.of("page", name)));
    String absolute = folder.resolve("secret.mustache").toString();
    assertThrows(
        MustacheException.class, () -> app.render("sub/v.mustache", Map.of("page", absolute)));
    file("sub/near.mustache", "near");
    assertEquals("near", app.render("sub/v.mustache", Map.of("page", "near.mustache")));
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.mustache", "secret");
    file("v.mustache", "{{>../secret}}");
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(MustacheException.class, () -> app.render("v.mustache", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.mustache", "in views");
    Path elsewhere = file("../elsewhere/page.mustache", "page {{>part}}");
    file("../elsewhere/part.mustache", "part");
    assertEquals("page part", app.render(elsewhere.toString()));
    file("../elsewhere/page.mustache", "{{>../views/v}}");
    assertThrows(MustacheException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void compiledTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.mustache", "one {{>part}}");
    file("part.mustache", "part");
    app.engine("mustache", new MustacheViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one part", app.render("v.mustache"));
    assertEquals("one part", app.render("v.mustache", on));
    file("v.mustache", "two {{>part}}");
    file("part.mustache", "changed");
    assertEquals("two changed", app.render("v.mustache"));
    assertEquals("one part", app.render("v.mustache", on));
    assertEquals("two changed", app.render("v.mustache", Map.of("cache", "text from outside")));
    assertEquals(
        "two changed",
        new App()
            .engine("mustache", new MustacheViews())
            .render(views.resolve("v.mustache").toString(), on));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    Path illFormed = file("bad.mustache", "one\ntwo {{#a}}\n{{/b}}");
    Path failing = file("fails.mustache", "one\n\n{{>*page}}\n");
    Path missing = file("missing.mustache", "one\n{{>none}}");
    Path orphan = file("orphan.mustache", "one\n\n{{<none}}{{/none}}");
    file("outer.mustache", "{{>bad}}");
    app.locals().put("page", "none");
    assertNames(illFormed + ":3", "bad.mustache");
    assertNames(illFormed + ":3", "outer.mustache");
    assertNames(failing + ":3", "fails.mustache");
    assertNames(missing + ":2", "missing.mustache");
    assertNames(orphan + ":3", "orphan.mustache");
  }

  private void assertNames(String place, String view) {
    Exception error = assertThrows(MustacheException.class, () -> app.render(view));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.mustache"), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(Exception.class, () -> app.render("latin.mustache"));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void localsThatAreNullAreAbsent() throws Exception {
    file("v.mustache", "{{#a}}{{a}}{{/a}}{{^a}}none{{/a}}");
    Map<String, Object> locals = new HashMap<>();
    locals.put("a", null);
    assertEquals("none", app.render("v.mustache", locals));
  }

  @Test
  void templatesReachNeitherClassesNorOtherMethods() throws Exception {
    Map<String, Object> locals =
        Map.of("a", "text", "b", new Author(), "r", new Entry("n", 1), "l", List.of());
    file(
        "v.mustache",
        "{{a.class}}{{class}}{{b.class.name}}{{b.getClass}}{{b.kind}}{{b.delete}}{{r.class}}"
            + "{{r.secret}}{{r.toString}}{{l.class}}{{settings.class}}{{#b}}{{class}}{{/b}}");
    assertEquals("", app.render("v.mustache", locals));
  }
}
