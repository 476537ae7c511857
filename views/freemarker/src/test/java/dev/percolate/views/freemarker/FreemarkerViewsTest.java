package dev.percolate.views.freemarker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import freemarker.template.TemplateException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FreemarkerViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new FreemarkerViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new FreemarkerViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return TemplateException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        "<#macro page title><title>${title}</title><#nested></#macro>",
        "item",
        "<li title=\"${item}\">${item}</li>",
        "list",
        """
        <#import "layout.ftlh" as layout>
        <@layout.page title="${settings.title}, ${settings['view engine']}">
        <#list items as item><#include "item.ftlh"></#list>
        </@layout.page>
        """);
  }

  @Override
  public String value(String name) {
    return "${" + name + "}";
  }

  @Override
  public String entry() {
    return "${m[\"/a.css\"]}";
  }

  @Override
  public String raw(String name) {
    return "${" + name + "?no_esc}";
  }

  @Override
  public String optional(String name) {
    return "${(" + name + ")!}${(" + name + ".deep)!}";
  }

  @Override
  public String include(String name) {
    return "<#include \"" + name + ".ftlh\">";
  }

  @Override
  public String fromViews(String path) {
    return include("/" + path);
  }

  @Override
  public String includeOf(String local) {
    return "<#include " + local + ">";
  }

  @Override
  public boolean addsExtension() {
    return false;
  }

  @Override
  public String data() {
    return super.data() + "<#if !b.known>unknown</#if>";
  }

  @Override
  public String illFormed() {
    return "one\n\n<#if>\n";
  }

  @Override
  public String failing() {
    return "one\n\n${none}\n";
  }

  @Override
  public List<String> forbidden() {
    return Stream.of(
            "a.class",
            "a?api.class",
            "b.class",
            "b.class.name",
            "b.getClass()",
            "b.kind",
            "b.delete()",
            "b.delete",
            "r.class",
            "r.secret()",
            "l.class",
            "settings.class",
            "'freemarker.template.utility.Execute'?new()('true')",
            "'freemarker.template.utility.ObjectConstructor'?new()('java.lang.Object')")
        .map(this::value)
        .toList();
  }

  @Test
  void aTemplateThatCouldNotBeReadIsReadAgain() throws Exception {
    file("v.ftlh", include("part"));
    Map<String, ?> on = Map.of("cache", true);
    assertThrows(TemplateException.class, () -> render("v.ftlh", on));
    file("part.ftlh", "part");
    Thread.sleep(60); // failures are cached for 50 ms
    assertEquals("part", render("v.ftlh", on));
    file("part.ftlh", "changed");
    Thread.sleep(60);
    assertEquals("part", render("v.ftlh", on));
  }

  @Test
  void numbersAndTruthValuesAreIndependentOfTheLocale() throws Exception {
    file("v.ftlh", "${1234567.5} ${true}");
    assertEquals("1234567.5 true", render("v.ftlh", Map.of()));
  }
}
