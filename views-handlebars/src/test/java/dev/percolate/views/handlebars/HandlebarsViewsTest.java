package dev.percolate.views.handlebars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.jknack.handlebars.HandlebarsException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HandlebarsViewsTest {

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
        "layout.hbs",
        """
        <title>{{settings.title}}, {{settings.[view engine]}}</title>{{> @partial-block}}
        """
            .strip());
    file(
        "item.hbs",
        """
        <li>{{this}}</li>
        """
            .strip());
    file(
        "list.hbs",
        """
        {{#> layout}}{{#each items}}{{> item}}{{/each}}{{/layout}}
        """
            .strip());
    app.set("title", "Grüße & more").set("view engine", "hbs");
    app.get("/", (req, res) -> res.render("list", Map.of("items", List.of("1", "<script>'\"&"))));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Grüße &amp; more, hbs</title><li>1</li><li>&lt;script&gt;&#x27;&quot;&amp;</li>",
        reply.text().replace("\n", ""));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void everyUsualExtensionIsFoundAndOnlyRawTextIsNotEscaped() throws Exception {
    for (String extension : new HandlebarsViews().extensions()) {
      file("v." + extension, "{{a}} {{{a}}}{{none}}{{none.deep}}");
      assertEquals("&lt;i&gt; <i>", app.render("v." + extension, Map.of("a", "<i>")));
    }
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredForAndEscapesThere() throws Exception {
    file("v.txt", "{{a}}");
    app.engine("txt", new HandlebarsViews());
    assertEquals("&lt;1", app.render("v.txt", Map.of("a", "<1")));
  }

  @Test
  void mapsBeansAndRecordsAreData() throws Exception {
    file("v.hbs", "{{m.k}} {{r.name}} {{r.stars}} {{b.name}} {{#if b.known}}yes{{/if}}");
    Map<String, Object> locals =
        Map.of("m", Map.of("k", 1234), "r", new Entry("<n>", 5), "b", new Author());
    assertEquals("1234 &lt;n&gt; 5 Ann yes", app.render("v.hbs", locals));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViews() throws Exception {
    file(
        "a/b/v.hbs",
        """
        {{> near}} {{> ../up.hbs}} {{> a/far}}
        """
            .strip());
    file(
        "a/far.hbs",
        """
        far {{> up}}
        """
            .strip());
    file("a/b/near.hbs", "near");
    file("near.hbs", "not the nearest");
    file("a/up.hbs", "up");
    assertEquals("near up far up", app.render("a/b/v.hbs"));
  }

  @Test
  void layoutsHaveBlocks() throws Exception {
    file("layout.hbs", "<{{#block 'title'}}no title{{/block}}>");
    file("v.hbs", "{{#partial 'title'}}{{a}}{{/partial}}{{> layout}}");
    file("w.hbs", "{{> layout}}");
    assertEquals("<&amp;>", app.render("v.hbs", Map.of("a", "&")));
    assertEquals("<no title>", app.render("w.hbs"));
  }

  @Test
  void whatABlockNamesLiesBesideTheTemplateThatHoldsIt() throws Exception {
    file("layout/page.hbs", "[{{> part}} {{> @partial-block}}]");
    file("layout/part.hbs", "of layout");
    file("sub/part.hbs", "of view");
    file("sub/v.hbs", "{{#> layout/page}}{{> part}}{{/layout/page}}");
    assertEquals("[of layout of view]", app.render("sub/v.hbs"));
  }

  @Test
  void aPartialMayCallItself() throws Exception {
    file("tree.hbs", "{{name}}{{#each below}}({{> tree}}){{/each}}");
    Map<String, Object> leaf = Map.of("name", "b", "below", List.of());
    assertEquals(
        "a(b)(b)", app.render("tree.hbs", Map.of("name", "a", "below", List.of(leaf, leaf))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"precompile", "embedded", "i18n", "i18nJs"})
  void helpersThatRunScriptsOrReadFilesAreAbsent(String helper) throws Exception {
    file("v.hbs", "{{" + helper + " 'v'}}");
    HandlebarsException error = assertThrows(HandlebarsException.class, () -> app.render("v.hbs"));
    assertTrue(error.getMessage().contains("could not find helper"), error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.hbs",
        "../../secret.hbs",
        "x/../../secret.hbs",
        "../views-b/secret.hbs",
        "/../secret.hbs",
        "none",
        "a\0b"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.hbs", "secret");
    file("../views-b/secret.hbs", "secret");
    file("sub/v.hbs", "{{> (lookup this 'page')}}");
    assertThrows(HandlebarsException.class, () -> app.render("sub/v.hbs", Map.of("page", name)));
    String absolute = folder.resolve("secret.hbs").toString();
    assertThrows(
        HandlebarsException.class, () -> app.render("sub/v.hbs", Map.of("page", absolute)));
    file("sub/near.hbs", "near");
    assertEquals("near", app.render("sub/v.hbs", Map.of("page", "near.hbs")));
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.hbs", "secret");
    file("v.hbs", "{{> ../secret}}");
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(HandlebarsException.class, () -> app.render("v.hbs", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.hbs", "in views");
    Path elsewhere = file("../elsewhere/page.hbs", "page {{> part}}");
    file("../elsewhere/part.hbs", "part");
    assertEquals("page part", app.render(elsewhere.toString()));
    file("../elsewhere/page.hbs", "{{> ../views/v}}");
    assertThrows(HandlebarsException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void compiledTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.hbs", "one {{> part}}");
    file("part.hbs", "part");
    app.engine("hbs", new HandlebarsViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one part", app.render("v.hbs"));
    assertEquals("one part", app.render("v.hbs", on));
    file("v.hbs", "two {{> part}}");
    file("part.hbs", "changed");
    assertEquals("two changed", app.render("v.hbs"));
    assertEquals("one part", app.render("v.hbs", on));
    assertEquals("two changed", app.render("v.hbs", Map.of("cache", "text from outside")));
    assertEquals(
        "two changed",
        new App()
            .engine("hbs", new HandlebarsViews())
            .render(views.resolve("v.hbs").toString(), on));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    Path illFormed = file("bad.hbs", "one\ntwo {{#if a}}\n{{/each}}");
    Path failing = file("fails.hbs", "one\n\n{{nohelper a}}\n");
    Path missing = file("missing.hbs", "one\n{{> none}}");
    file("outer.hbs", "{{> bad}}");
    assertNames(illFormed + ":3", "bad.hbs");
    assertNames(illFormed + ":3", "outer.hbs");
    assertNames(failing + ":3", "fails.hbs");
    assertNames(missing + ":2", "missing.hbs");
  }

  private void assertNames(String place, String view) {
    Exception error = assertThrows(HandlebarsException.class, () -> app.render(view));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.hbs"), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(Exception.class, () -> app.render("latin.hbs"));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void localsThatAreNullAreAbsent() throws Exception {
    file("v.hbs", "{{#if a}}{{a}}{{else}}none{{/if}}");
    Map<String, Object> locals = new HashMap<>();
    locals.put("a", null);
    assertEquals("none", app.render("v.hbs", locals));
  }

  @Test
  void templatesReachNeitherClassesNorOtherMethods() throws Exception {
    Map<String, Object> locals =
        Map.of("a", "text", "b", new Author(), "r", new Entry("n", 1), "l", List.of());
    file(
        "v.hbs",
        "{{a.class}}{{class}}{{b.class.name}}{{b.kind}}{{b.delete}}{{r.class}}{{r.secret}}"
            + "{{r.toString}}{{l.class}}{{settings.class}}{{#with b}}{{class}}{{/with}}{{this.class}}");
    assertEquals("", app.render("v.hbs", locals));
  }
}
