package dev.percolate.views.thymeleaf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.thymeleaf.exceptions.TemplateEngineException;

final class ThymeleafViewsTest {

  private static final String INSERT = "<p th:insert=\"~{${page}}\"></p>";

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
    file(
        "layout.html",
        """
        <html th:fragment="page(body)"><title>[[${settings.title}]]</title>\
        <i th:text="${settings['view engine']}"></i><ul th:replace="${body}"></ul></html>""");
    file("item.html", "<li th:title=\"${item.name}\">[[${item.name}]]: [[${item.price}]]</li>");
    file(
        "list.html",
        """
        <html th:replace="~{layout :: page(~{::ul})}"><ul><th:block th:each="item : ${items}" \
        th:insert="~{item}"/></ul></html>""");
    app.set("title", "Grüße & more").set("view engine", "html");
    List<Object> items = List.of(new Item("<script>", 1), Map.of("name", "a\"b", "price", "<b>"));
    app.get("/", (req, res) -> res.render("list", Map.of("items", items)));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<html><title>Grüße &amp; more</title><i>html</i><ul>"
            + "<li title=\"&lt;script&gt;\">&lt;script&gt;: 1</li>"
            + "<li title=\"a&quot;b\">a&quot;b: &lt;b&gt;</li></ul></html>",
        reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void onlyRawTextIsNotEscaped() throws Exception {
    file("v.thymeleaf", "[[${a}]] [(${a})] [[${none}]]");
    assertEquals("&lt;i&gt; <i> ", app.render("v.thymeleaf", Map.of("a", "<i>")));
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredFor() throws Exception {
    file("v.page", "[[${a}]]<p th:insert=\"~{part}\"></p>");
    file("part.page", "part");
    app.engine("page", new ThymeleafViews());
    assertEquals("1<p>part</p>", app.render("v.page", Map.of("a", 1)));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViews() throws Exception {
    file(
        "a/b/v.html",
        """
        <p th:insert="~{near}"></p><p th:insert="~{../up.html}"></p><p th:insert="~{a/far}"></p>""");
    file("a/b/near.html", "near");
    file("near.html", "not the nearest");
    file("a/up.html", "up");
    file("a/far.html", "far <b th:insert=\"~{up}\"></b>");
    assertEquals("<p>near</p><p>up</p><p>far <b>up</b></p>", app.render("a/b/v.html"));
  }

  @Test
  void equalNamesInDifferentDirectoriesAreDifferentTemplates() throws Exception {
    file("v.html", "<p th:insert=\"~{x/p}\"></p><p th:insert=\"~{y/p}\"></p>");
    for (String directory : List.of("x", "y")) {
      file(directory + "/p.html", "<p th:replace=\"~{q}\"></p>");
      file(directory + "/q.html", "<p th:replace=\"~{r}\"></p>");
      file(directory + "/r.html", directory + "<p th:replace=\"~{:: b}\"></p><b>b</b>");
    }
    String page = "<p>x<b>b</b><b>b</b></p><p>y<b>b</b><b>b</b></p>";
    assertEquals(page, app.render("v.html", Map.of("cache", true)));
    assertEquals(page, app.render("v.html", Map.of("cache", true)));
    assertEquals(page, app.render("v.html"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.html",
        "../secret",
        "../../secret.html",
        "x/../../secret.html",
        "../views-b/secret.html",
        "a\0b"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.html", "secret");
    file("../views-b/secret.html", "secret");
    file("sub/v.html", INSERT);
    file("sub/w.html", "<p th:insert=\"~{v}\"></p>");
    for (String view : List.of("sub/v.html", "sub/w.html")) {
      assertThrows(TemplateEngineException.class, () -> app.render(view, Map.of("page", name)));
      String absolute = folder.resolve("secret.html").toString();
      assertThrows(TemplateEngineException.class, () -> app.render(view, Map.of("page", absolute)));
    }
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.html", "secret");
    file("v.html", INSERT);
    Map<String, Object> locals =
        Map.of("settings", Map.of("views", folder.toString()), "page", "../secret");
    assertThrows(TemplateEngineException.class, () -> app.render("v.html", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.html", "in views");
    Path elsewhere = file("../elsewhere/page.html", INSERT);
    file("../elsewhere/part.html", "part");
    assertEquals("<p>part</p>", app.render(elsewhere.toString(), Map.of("page", "part")));
    assertThrows(
        TemplateEngineException.class,
        () -> app.render(elsewhere.toString(), Map.of("page", "../views/v.html")));
  }

  @Test
  void parsedTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.html", "one <p th:insert=\"~{part}\"></p>");
    file("part.html", "part");
    app.engine("html", new ThymeleafViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one <p>part</p>", app.render("v.html"));
    assertEquals("one <p>part</p>", app.render("v.html", on));
    file("v.html", "two <p th:insert=\"~{part}\"></p>");
    file("part.html", "changed");
    assertEquals("two <p>changed</p>", app.render("v.html"));
    assertEquals("one <p>part</p>", app.render("v.html", on));
    assertEquals("two <p>changed</p>", app.render("v.html", Map.of("cache", "text from outside")));
  }

  @Test
  void messagesLieBesideTheirTemplate() throws Exception {
    file("v.html", "[[#{hello}]]");
    file("v.properties", "hello=Hi");
    assertEquals("Hi", app.render("v.html"));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    Path illFormed = file("bad.html", "one\n<p th:if=\"${(\"></p>");
    Path failing = file("fails.html", "one\n\n<p th:text=\"${a.none()}\"></p>\n");
    Path missing = file("missing.html", "\n<p th:insert=\"~{none}\"></p>");
    assertNames(illFormed + "\" - line 2", "bad.html");
    assertNames(failing + "\" - line 3", "fails.html");
    assertNames(missing + "\" - line 2", "missing.html");
  }

  private void assertNames(String place, String view) {
    TemplateEngineException error =
        assertThrows(TemplateEngineException.class, () -> app.render(view, Map.of("a", "text")));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.html"), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(TemplateEngineException.class, () -> app.render("latin.html"));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${a.getClass().forName('java.lang.Runtime')}",
        "${@java.lang.Runtime@getRuntime()}",
        "${new java.lang.ProcessBuilder('true')}"
      })
  void templatesDoNotReachClasses(String expression) throws Exception {
    file("v.html", "<p th:text=\"" + expression + "\"></p>");
    assertThrows(TemplateEngineException.class, () -> app.render("v.html", Map.of("a", "text")));
    file("s.html", "[[${settings.class}]]");
    assertFalse(app.render("s.html").contains("Settings"));
  }
}
