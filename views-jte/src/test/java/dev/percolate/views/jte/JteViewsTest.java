package dev.percolate.views.jte;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.http.BasicCredentials;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import gg.jte.ContentType;
import gg.jte.TemplateException;
import gg.jte.resolve.DirectoryCodeResolver;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JteViewsTest {

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
        "layout/page.jte",
        """
        @import gg.jte.Content
        @param String title
        @param Content body
        <title>${title}</title>${body}""");
    file(
        "item.jte",
        """
        @import dev.percolate.http.BasicCredentials
        @param BasicCredentials item
        <li title="${item.username()}">${item.password()}</li>""");
    file(
        "list.jte",
        """
        @import dev.percolate.core.Settings
        @import dev.percolate.http.BasicCredentials
        @import java.util.*
        @param Settings settings
        @param List<BasicCredentials> items
        @param Map<String, Integer> map
        @template.layout.page(title = (String) settings.get("title"), body = @`\
        @for(BasicCredentials item : items)@template.item(item)@endfor\
        ${map.get("one")}`)""");
    app.set("title", "Grüße & more").set("view engine", "jte");
    List<BasicCredentials> items = List.of(new BasicCredentials("a\"b", "<script>"));
    app.get("/", (req, res) -> res.render("list", Map.of("items", items, "map", Map.of("one", 1))));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Grüße &amp; more</title><li title=\"a&#34;b\">&lt;script&gt;</li>1",
        reply.text().replace("\n", ""));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void onlyRawTextIsNotEscaped() throws Exception {
    file("v.jte", "@param String a\n@param String none\n${a} $unsafe{a} ${none}");
    assertEquals("&lt;i&gt; <i> ", app.render("v.jte", Map.of("a", "<i>")));
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredFor() throws Exception {
    file("v.html", "@param int a\n${a}@template.part()");
    file("part.jte", "part");
    app.engine("html", new JteViews());
    assertEquals("1part", app.render("v.html", Map.of("a", 1)));
  }

  @Test
  void namedTemplatesLieBelowTheViews() throws Exception {
    file("a/b/v.jte", "@template.near() @template.a.far()");
    file("a/b/near.jte", "beside");
    file("near.jte", "near");
    file("a/far.jte", "far");
    assertEquals("near far", app.render("a/b/v.jte"));
  }

  @Test
  void aNamedTemplateNeverLeavesTheViews() throws Exception {
    Path secret = file("../secret.jte", "secret");
    String path = secret.toString().replace(".jte", "");
    file("v.jte", "@template." + path + "()");
    file("w.jte", "@template...secret()");
    file("x.jte", "@template.../secret()");
    assertThrows(TemplateException.class, () -> app.render("v.jte"));
    assertThrows(TemplateException.class, () -> app.render("w.jte"));
    assertThrows(TemplateException.class, () -> app.render("x.jte"));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("part.jte", "in views");
    Path elsewhere = file("../elsewhere/page.jte", "page @template.part()");
    file("../elsewhere/part.jte", "part");
    assertEquals("page part", app.render(elsewhere.toString()));
    Files.delete(folder.resolve("elsewhere/part.jte"));
    assertThrows(TemplateException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void compiledTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.jte", "one @template.part()");
    file("part.jte", "part");
    app.engine("jte", new JteViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one part", app.render("v.jte"));
    assertEquals("one part", app.render("v.jte", on));
    file("v.jte", "two @template.part()");
    file("part.jte", "changed");
    assertEquals("two changed", app.render("v.jte"));
    assertEquals("one part", app.render("v.jte", on));
    assertEquals("two changed", app.render("v.jte", Map.of("cache", "text from outside")));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    file("sub/bad.jte", "one\n\n${none}\n");
    file("fails.jte", "@param String a\none\n${a.substring(9)}\n");
    file("missing.jte", "\n@template.none()");
    assertNames("sub/bad.jte:3", "sub/bad.jte");
    assertNames("fails.jte:3", "fails.jte");
    assertNames("missing.jte:2", "missing.jte");
  }

  private void assertNames(String place, String view) {
    TemplateException error =
        assertThrows(TemplateException.class, () -> app.render(view, Map.of("a", "text")));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.jte"), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(RuntimeException.class, () -> app.render("latin.jte"));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void precompiledTemplatesAreNotRead() throws Exception {
    file("sub/v.jte", "@param String a\n${a} @template.part()");
    file("part.jte", "part");
    Path classes = folder.resolve("classes");
    gg.jte.TemplateEngine.create(
            new DirectoryCodeResolver(views),
            classes,
            ContentType.Html,
            null,
            "gg.jte.generated.precompiled")
        .precompileAll();
    file("sub/v.jte", "changed ${none}");
    app.engine("jte", JteViews.precompiled(classes));
    assertEquals("&lt;i&gt; part", app.render("sub/v.jte", Map.of("a", "<i>")));
    file("other.jte", "never compiled");
    assertThrows(TemplateException.class, () -> app.render("other.jte"));
    app.engine("jte", JteViews.precompiled());
    assertThrows(TemplateException.class, () -> app.render("sub/v.jte", Map.of("a", "")));
  }

  @Test
  void aFolderOfClassesIsDeletedWithAllThatIsInIt() throws Exception {
    Path made = ClassFolder.make();
    Files.createDirectories(made.resolve("a/b"));
    Files.writeString(made.resolve("a/b/c.class"), "");
    ClassFolder.delete(made);
    assertFalse(Files.exists(made));
  }
}
