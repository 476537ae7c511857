package dev.percolate.views.handlebars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.jknack.handlebars.HandlebarsException;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HandlebarsViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new HandlebarsViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new HandlebarsViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return HandlebarsException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        "<title>{{settings.title}}, {{settings.[view engine]}}</title>{{> @partial-block}}",
        "item",
        "<li title=\"{{this}}\">{{this}}</li>",
        "list",
        "{{#> layout}}{{#each items}}{{> item}}{{/each}}{{/layout}}");
  }

  @Override
  public String value(String name) {
    return "{{" + name + "}}";
  }

  @Override
  public String entry() {
    return "{{m.[/a.css]}}";
  }

  @Override
  public String raw(String name) {
    return "{{{" + name + "}}}";
  }

  @Override
  public String optional(String name) {
    return value(name) + value(name + ".deep") + "{{#if " + name + "}}there{{/if}}";
  }

  @Override
  public String include(String name) {
    return "{{> " + name + "}}";
  }

  @Override
  public String includeOf(String local) {
    return "{{> (lookup this '" + local + "')}}";
  }

  @Override
  public String data() {
    return super.data() + "{{#unless b.known}}unknown{{/unless}}";
  }

  @Override
  public String illFormed() {
    return "one\ntwo {{#if a}}\n{{/each}}";
  }

  @Override
  public String failing() {
    return "one\n\n{{nohelper a}}\n";
  }

  @Override
  public List<String> forbidden() {
    return Stream.of(
            "a.class",
            "class",
            "this.class",
            "b.class.name",
            "b.kind",
            "b.delete",
            "r.class",
            "r.secret",
            "r.toString",
            "l.class",
            "settings.class",
            "#with b}}{{class}}{{/with")
        .map(this::value)
        .toList();
  }

  @Test
  void layoutsHaveBlocks() throws Exception {
    file("layout.hbs", "<{{#block 'title'}}no title{{/block}}>");
    file("v.hbs", "{{#partial 'title'}}{{a}}{{/partial}}{{> layout}}");
    file("w.hbs", "{{> layout}}");
    assertEquals("<&amp;>", render("v.hbs", Map.of("a", "&")));
    assertEquals("<no title>", render("w.hbs", Map.of()));
  }

  @Test
  void aPartialInABlockIsRelativeToTheTemplateOfTheBlock() throws Exception {
    file("layout/page.hbs", "[{{> part}} {{> @partial-block}}]");
    file("layout/part.hbs", "of layout");
    file("sub/part.hbs", "of view");
    file("sub/v.hbs", "{{#> layout/page}}{{> part}}{{/layout/page}}");
    assertEquals("[of layout of view]", render("sub/v.hbs", Map.of()));
  }

  @Test
  void aPartialMayCallItself() throws Exception {
    file("tree.hbs", "{{name}}{{#each below}}({{> tree}}){{/each}}");
    Map<String, ?> leaf = Map.of("name", "b", "below", List.of());
    assertEquals("a(b)(b)", render("tree.hbs", Map.of("name", "a", "below", List.of(leaf, leaf))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"precompile", "embedded", "i18n", "i18nJs"})
  void helpersThatRunScriptsOrReadFilesAreAbsent(String helper) throws Exception {
    file("v.hbs", "{{" + helper + " 'v'}}");
    HandlebarsException error =
        assertThrows(HandlebarsException.class, () -> render("v.hbs", Map.of()));
    assertTrue(error.getMessage().contains("could not find helper"), error.getMessage());
  }
}
