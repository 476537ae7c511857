package dev.percolate.views.thymeleaf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.exceptions.TemplateEngineException;

final class ThymeleafViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new ThymeleafViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new ThymeleafViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return TemplateEngineException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        """
        <th:block th:fragment="page(body)">\
        <title>[[${settings.title}]], <th:block th:text="${settings['view engine']}"/></title>\
        <th:block th:replace="${body}"/></th:block>""",
        "item",
        "<li th:title=\"${item}\">[[${item}]]</li>",
        "list",
        """
        <html th:replace="~{layout :: page(~{::ul})}"><ul th:remove="tag"><th:block \
        th:each="item : ${items}" th:insert="~{item}"/></ul></html>""");
  }

  @Override
  public String value(String name) {
    return "[[${" + name + "}]]";
  }

  @Override
  public String entry() {
    return "[[${m['/a.css']}]]";
  }

  @Override
  public String raw(String name) {
    return "[(${" + name + "})]";
  }

  @Override
  public String include(String name) {
    return "<th:block th:insert=\"~{" + name + "}\"/>";
  }

  @Override
  public String includeOf(String local) {
    return include("${" + local + "}");
  }

  @Override
  public String illFormed() {
    return "one\n\n<p th:if=\"${(\"></p>";
  }

  @Override
  public String failing() {
    return "one\n\n<p th:text=\"${a.none()}\"></p>\n";
  }

  @Override
  public List<String> forbidden() {
    return List.of(
        "<th:block th:text=\"${a.getClass().forName('java.lang.Runtime')}\"/>",
        "<th:block th:text=\"${@java.lang.Runtime@getRuntime()}\"/>",
        "<th:block th:text=\"${new java.lang.ProcessBuilder('true')}\"/>",
        value("settings.class"));
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
    assertEquals(page, render("v.html", Map.of("cache", true)));
    assertEquals(page, render("v.html", Map.of("cache", true)));
    assertEquals(page, render("v.html", Map.of()));
  }

  @Test
  void theCacheIsBoundedIfNamesContainUserInput(@TempDir Path folder) throws Exception {
    Path page = Files.writeString(folder.resolve("page.html"), "<p th:insert=\"~{${name}}\"></p>");
    Files.writeString(folder.resolve("item.html"), "x");
    ThymeleafViews views = new ThymeleafViews();
    for (int i = 0; i < ThymeleafViews.MAX_CACHED + 100; i++) {
      String name = "./".repeat(i % 50) + "a/../".repeat(i / 50) + "item";
      assertEquals("<p>x</p>", views.render(page, Map.of("cache", true, "name", name)));
    }
    ITemplateEngine engine = views.engines.values().iterator().next();
    int size = engine.getConfiguration().getCacheManager().getTemplateCache().keySet().size();
    assertTrue(size <= ThymeleafViews.MAX_CACHED, () -> size + " entries");
  }

  @Test
  void messagesLieBesideTheirTemplate() throws Exception {
    file("v.html", "[[#{hello}]]");
    file("v.properties", "hello=Hi");
    assertEquals("Hi", render("v.html", Map.of()));
  }
}
