package dev.percolate.views.pebble;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import io.pebbletemplates.pebble.error.PebbleException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PebbleViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new PebbleViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new PebbleViews().extensions();
  }

  @Override
  protected Service application(Map<String, String> settings, String view, Map<String, ?> locals) {
    App app = new App();
    settings.forEach(app::set);
    return app.get("/", (req, res) -> res.render(view, locals));
  }

  @Override
  protected Class<? extends Exception> failure() {
    return PebbleException.class;
  }

  @Override
  public Map<String, String> page() {
    return Map.of(
        "layout",
        "<title>{% block title %}{% endblock %}</title>{% block body %}{% endblock %}",
        "item",
        "<li title=\"{{ item }}\">{{ item }}</li>",
        "list",
        """
        {% extends "layout.peb" %}
        {% block title %}{{ settings.title }}, {{ settings["view engine"] }}{% endblock %}
        {% block body %}{% for item in items %}{% include "item.peb" %}{% endfor %}{% endblock %}
        """);
  }

  @Override
  public String value(String name) {
    return "{{ " + name + " }}";
  }

  @Override
  public String entry() {
    return "{{ m['/a.css'] }}";
  }

  @Override
  public String raw(String name) {
    return "{{ " + name + " | raw }}";
  }

  @Override
  public String optional(String name) {
    return value(name) + value(name + ".deep");
  }

  @Override
  public String include(String name) {
    return "{% include '" + name + ".peb' %}";
  }

  @Override
  public String includeOf(String local) {
    return "{% include " + local + " %}";
  }

  @Override
  public boolean addsExtension() {
    return false;
  }

  @Override
  public boolean reportsLineOfMissingTemplate() {
    return false;
  }

  @Override
  public String illFormed() {
    return "one\n\ntwo {% if %}\n";
  }

  @Override
  public String failing() {
    return "one\n\n{{ \"a\" | nofilter }}\n";
  }

  @Override
  public List<String> forbidden() {
    return Stream.of("a.getClass().forName('java.lang.Runtime')", "settings.class")
        .map(this::value)
        .toList();
  }

  @Test
  void errorsForNamesOutsideTheViewsContainTheName() throws Exception {
    file("../secret.peb", "secret");
    file("v.peb", "{% extends '../secret.peb' %}");
    PebbleException error = assertThrows(PebbleException.class, () -> render("v.peb", Map.of()));
    assertTrue(error.getMessage().contains("No template \"../secret.peb"), error.getMessage());
  }
}
