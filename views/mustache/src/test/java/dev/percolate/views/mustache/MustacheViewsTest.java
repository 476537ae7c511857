package dev.percolate.views.mustache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.github.mustachejava.MustacheException;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MustacheViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new MustacheViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new MustacheViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return MustacheException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        "<title>{{$title}}no title{{/title}}</title>{{$body}}{{/body}}",
        "item",
        "<li title=\"{{.}}\">{{.}}</li>",
        "list",
        """
        {{<layout}}
        {{$title}}{{settings.title}}, {{settings.view engine}}{{/title}}
        {{$body}}{{#items}}{{>item}}{{/items}}{{/body}}
        {{/layout}}
        """);
  }

  @Override
  public String value(String name) {
    return "{{" + name + "}}";
  }

  @Override
  public String raw(String name) {
    return "{{{" + name + "}}}";
  }

  @Override
  public String optional(String name) {
    return value(name) + value(name + ".deep") + "{{#" + name + "}}there{{/" + name + "}}";
  }

  @Override
  public String include(String name) {
    return "{{>" + name + "}}";
  }

  @Override
  public String includeOf(String local) {
    return "{{>*" + local + "}}";
  }

  @Override
  public String data() {
    return super.data() + "{{^b.known}}unknown{{/b.known}}";
  }

  @Override
  public String illFormed() {
    return "one\ntwo {{#a}}\n{{/b}}";
  }

  @Override
  public String failing() {
    return "one\n\n{{>*page}}\n";
  }

  @Override
  public List<String> forbidden() {
    return Stream.of(
            "a.class",
            "class",
            "b.class.name",
            "b.getClass",
            "b.kind",
            "b.delete",
            "r.class",
            "r.secret",
            "r.toString",
            "l.class",
            "settings.class",
            "#b}}{{class}}{{/b")
        .map(this::value)
        .toList();
  }

  @Test
  void aPartialMayCallItself() throws Exception {
    file("tree.mustache", "{{name}}{{#below}}({{>tree}}){{/below}}");
    Map<String, ?> leaf = Map.of("name", "b", "below", List.of());
    Map<String, ?> tree = Map.of("name", "a", "below", List.of(leaf, leaf));
    assertEquals("a(b)(b)", render("tree.mustache", tree));
  }

  @Test
  void aPartialNamedByAValueIsCached() throws Exception {
    file("v.mustache", "{{>*page}}");
    file("part.mustache", "part");
    Map<String, ?> on = Map.of("cache", true, "page", "part");
    assertEquals("part", render("v.mustache", on));
    file("part.mustache", "changed");
    assertEquals("part", render("v.mustache", on));
    assertEquals("", render("v.mustache", Map.of()));
  }

  @Test
  void aTemplateWhosePartialCouldNotBeReadIsCompiledAgain() throws Exception {
    file("v.mustache", "{{>part}}");
    Map<String, ?> on = Map.of("cache", true);
    for (int i = 0; i < 2; i++) {
      assertThrows(MustacheException.class, () -> render("v.mustache", on));
    }
    file("part.mustache", "part");
    assertEquals("part", render("v.mustache", on));
  }

  @Test
  void lambdasReceiveTheOutputOfTheirSection() throws Exception {
    file("v.mustache", "{{#bold}}{{a}}{{/bold}}");
    UnaryOperator<String> bold = text -> "<b>" + text + "</b>";
    assertEquals("<b>&amp;</b>", render("v.mustache", Map.of("bold", bold, "a", "&")));
  }

  @Test
  void errorsForMissingParentsContainFileAndLine() throws Exception {
    file("orphan.mustache", "one\n\n{{<none}}{{/none}}");
    assertNames("orphan", 3, "orphan");
  }
}
