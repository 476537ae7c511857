package dev.percolate.views.pug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.neuland.pug4j.exceptions.PugException;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PugViewsTest {

  /**
   * What a page shows.
   *
   * @param name its name
   * @param price what it costs
   */
  public record Item(String name, int price) {}

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
    file("layout.pug", "title= settings.title\nblock body\n");
    file("item.pug", "li(title=item.name) #{item.name}: #{item.price}\n");
    file(
        "list.pug",
        """
        extends layout
        block body
          h1= settings["view engine"]
          each item in items
            include item
        """);
    app.set("title", "Grüße & more").set("view engine", "pug");
    List<Object> items = List.of(new Item("<script>", 1), Map.of("name", "a\"b", "price", "<b>"));
    app.get("/", (req, res) -> res.render("list", Map.of("items", items)));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Gr&uuml;&szlig;e &amp; more</title><h1>pug</h1>"
            + "<li title=\"&lt;script&gt;\">&lt;script&gt;: 1</li>"
            + "<li title=\"a&quot;b\">a&quot;b: &lt;b&gt;</li>",
        reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void onlyRawTextIsNotEscaped() throws Exception {
    file("v.jade", "| #{a} !{a} #{none}\n");
    assertEquals("&lt;i&gt; <i> ", app.render("v.jade", Map.of("a", "<i>")));
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredFor() throws Exception {
    file("v.html", "p= a\ninclude part\n");
    file("part.html", "i\n");
    app.engine("html", new PugViews());
    assertEquals("<p>1</p><i></i>", app.render("v.html", Map.of("a", 1)));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViewsAfterASlash() throws Exception {
    file("a/b/v.pug", "include near\ninclude ../up.pug\ninclude /a/far\ninclude raw.txt\n");
    file("a/b/near.pug", "| near,\n");
    file("near.pug", "| not the nearest\n");
    file("a/up.pug", "| up,\n");
    file("a/far.pug", "| far\ninclude up\n");
    file("a/b/raw.txt", "<raw>");
    assertEquals("near,up,farup,<raw>", app.render("a/b/v.pug").replace("\n", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../secret",
        "../../secret.txt",
        "x/../../../secret",
        "../../views-b/secret",
        "/../secret",
        "//../secret"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.pug", "| secret\n");
    file("../secret.txt", "secret");
    file("../views-b/secret.pug", "| secret\n");
    file("sub/v.pug", "include " + name + "\n");
    file("sub/w.pug", "extends " + name + "\n");
    assertThrows(PugException.class, () -> app.render("sub/v.pug"));
    assertThrows(PugException.class, () -> app.render("sub/w.pug"));
    file("sub/v.pug", "include " + folder.resolve("secret") + "\n");
    assertThrows(PugException.class, () -> app.render("sub/v.pug"));
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.pug", "| secret\n");
    file("v.pug", "include ../secret\n");
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(PugException.class, () -> app.render("v.pug", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.pug", "| in views\n");
    Path elsewhere = file("../elsewhere/page.pug", "include part\n");
    file("../elsewhere/part.pug", "| part\n");
    assertEquals("part", app.render(elsewhere.toString()));
    file("../elsewhere/page.pug", "include ../views/v\n");
    assertThrows(PugException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void parsedTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.pug", "| one\ninclude part\n");
    file("part.pug", "| part\n");
    app.engine("pug", new PugViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("onepart", app.render("v.pug"));
    assertEquals("onepart", app.render("v.pug", on));
    file("v.pug", "| two\ninclude part\n");
    file("part.pug", "| changed\n");
    assertEquals("twochanged", app.render("v.pug"));
    assertEquals("onepart", app.render("v.pug", on));
    assertEquals("twochanged", app.render("v.pug", Map.of("cache", "text from outside")));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    file("sub/bad.pug", "p\n  p\n p\n");
    file("fails.pug", "p one\n\np= a.charAt(99)\n");
    file("missing.pug", "p\ninclude none\n");
    assertNames("sub/bad.pug:3", "sub/bad.pug");
    assertNames("fails.pug:3", "fails.pug");
    assertNames("missing.pug:2", "missing.pug");
  }

  private void assertNames(String place, String view) {
    PugException error =
        assertThrows(PugException.class, () -> app.render(view, Map.of("a", "text")));
    assertTrue(error.toString().contains(place), error::toString);
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.pug"), new byte[] {'a', (byte) 0xe4, 'b'});
    assertThrows(MalformedInputException.class, () -> app.render("latin.pug"));
  }

  @Test
  void valuesNeverBecomeExpressions() throws Exception {
    file("v.pug", "p(title=a) #{a}\n");
    assertEquals("<p title=\"#{1+1}\">#{1+1}</p>", app.render("v.pug", Map.of("a", "#{1+1}")));
  }
}
