package dev.percolate.views.pug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import de.neuland.pug4j.exceptions.PugException;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PugViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new PugViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new PugViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return PugException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        "title #{settings.title}, #{settings[\"view engine\"]}\nblock body\n",
        "item",
        "li(title=item) #{item}\n",
        "list",
        """
        extends layout
        block body
          each item in items
            include item
        """);
  }

  @Override
  public String text(String text) {
    return "| " + text + "\n";
  }

  @Override
  public String value(String name) {
    return "| #{" + name + "}\n";
  }

  @Override
  public String entry() {
    return "| #{m['/a.css']}\n";
  }

  @Override
  public String raw(String name) {
    return "| !{" + name + "}\n";
  }

  @Override
  public String include(String name) {
    return "include " + name + "\n";
  }

  @Override
  public String fromViews(String path) {
    return include("/" + path);
  }

  @Override
  public String illFormed() {
    return "p\n  p\n p\n";
  }

  @Override
  public String failing() {
    return "p one\n\np= a.charAt(99)\n";
  }

  @Override
  public List<String> forbidden() {
    return List.of();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "extends ../../secret",
        "include ../../secret.txt",
        "extends x/../../../secret",
        "extends ../../views-b/secret",
        "extends /../secret",
        "include //../secret",
        "extends //../secret"
      })
  void parentsAndIncludesCannotLeaveTheViews(String template) throws Exception {
    file("../secret.pug", "| secret\n");
    file("../secret.txt", "secret");
    file("../views-b/secret.pug", "| secret\n");
    file("sub/v.pug", template + "\n");
    assertThrows(PugException.class, () -> render("sub/v.pug", Map.of()));
  }

  @Test
  void otherFilesAreIncludedUnchanged() throws Exception {
    file("sub/v.pug", "include raw.txt\n");
    file("sub/raw.txt", "<raw> #{a}");
    assertEquals("<raw> #{a}", render("sub/v.pug", Map.of("a", "1")).strip());
  }

  @Test
  void valuesNeverBecomeExpressions() throws Exception {
    file("v.pug", "p(title=a) #{a}\n");
    assertEquals("<p title=\"#{1+1}\">#{1+1}</p>", render("v.pug", Map.of("a", "#{1+1}")));
  }
}
