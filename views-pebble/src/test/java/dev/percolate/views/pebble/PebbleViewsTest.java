package dev.percolate.views.pebble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import io.pebbletemplates.pebble.error.PebbleException;
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

final class PebbleViewsTest {

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
        "layout.peb",
        "<title>{% block title %}{% endblock %}</title>{% block body %}{% endblock %}");
    file("item.peb", "<li>{{ item }}</li>");
    file(
        "list.peb",
        """
        {% extends "layout.peb" %}
        {% block title %}{{ settings.title }}, {{ settings["view engine"] }}{% endblock %}
        {% block body %}{% for item in items %}{% include "item.peb" %}{% endfor %}{% endblock %}
        """);
    app.set("title", "Grüße & more").set("view engine", "peb");
    app.get("/", (req, res) -> res.render("list", Map.of("items", List.of(1, "<b>'\"&"))));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Grüße &amp; more, peb</title><li>1</li><li>&lt;b&gt;&#39;&quot;&amp;</li>",
        reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void onlyRawTextIsNotEscaped() throws Exception {
    file("v.pebble", "{{ a }} {{ a | raw }} {{ none }}{{ none.deep }}");
    assertEquals("&lt;i&gt; <i> ", app.render("v.pebble", Map.of("a", "<i>")));
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredFor() throws Exception {
    file("v.html", "{{ a }}");
    app.engine("html", new PebbleViews());
    assertEquals("1", app.render("v.html", Map.of("a", 1)));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViews() throws Exception {
    file(
        "a/b/v.peb",
        "{% include 'near.peb' %} {% include '../up.peb' %} {% include 'a/far.peb' %}");
    file("a/b/near.peb", "near");
    file("near.peb", "not the nearest");
    file("a/up.peb", "up");
    file("a/far.peb", "far {% include 'up.peb' %}");
    assertEquals("near up far up", app.render("a/b/v.peb"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.peb",
        "../../secret.peb",
        "x/../../secret.peb",
        "../views-b/secret.peb",
        "a\0b"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.peb", "secret");
    file("../views-b/secret.peb", "secret");
    file("sub/v.peb", "{% include page %}");
    PebbleException error =
        assertThrows(PebbleException.class, () -> app.render("sub/v.peb", Map.of("page", name)));
    assertTrue(error.getMessage().contains("No template \"" + name), error.getMessage());
    Path absolute = folder.resolve("secret.peb");
    assertThrows(
        PebbleException.class, () -> app.render("sub/v.peb", Map.of("page", absolute.toString())));
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.peb", "secret");
    file("v.peb", "{% include '../secret.peb' %}");
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(PebbleException.class, () -> app.render("v.peb", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.peb", "in views");
    Path elsewhere = file("../elsewhere/page.peb", "page {% include 'part.peb' %}");
    file("../elsewhere/part.peb", "part");
    assertEquals("page part", app.render(elsewhere.toString()));
    file("../elsewhere/page.peb", "{% include '../views/v.peb' %}");
    assertThrows(PebbleException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void compiledTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.peb", "one {% include 'part.peb' %}");
    file("part.peb", "part");
    PebbleViews engine = new PebbleViews();
    app.engine("peb", engine);
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one part", app.render("v.peb"));
    assertEquals("one part", app.render("v.peb", on));
    file("v.peb", "two {% include 'part.peb' %}");
    file("part.peb", "changed");
    assertEquals("two changed", app.render("v.peb"));
    assertEquals("one part", app.render("v.peb", on));
    assertEquals("two changed", app.render("v.peb", Map.of("cache", "text from outside")));
    assertEquals(
        "two changed",
        new App().engine("peb", new PebbleViews()).render(views.resolve("v.peb").toString(), on));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    Path illFormed = file("bad.peb", "one\ntwo {% if %}\n");
    Path failing = file("fails.peb", "one\n\n{{ \"a\" | nofilter }}\n");
    Path missing = file("missing.peb", "{% extends 'none.peb' %}");
    assertNames(illFormed + ":2", "bad.peb");
    assertNames(failing + ":3", "fails.peb");
    assertNames(missing.toString(), "missing.peb");
  }

  private void assertNames(String place, String view) {
    PebbleException error = assertThrows(PebbleException.class, () -> app.render(view));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.peb"), new byte[] {'a', (byte) 0xe4, 'b'});
    PebbleException error = assertThrows(PebbleException.class, () -> app.render("latin.peb"));
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void templatesDoNotReachClasses() throws Exception {
    file("v.peb", "{{ a.getClass().forName('java.lang.Runtime') }}");
    assertThrows(PebbleException.class, () -> app.render("v.peb", Map.of("a", "text")));
    file("s.peb", "{{ settings.class }}");
    assertFalse(app.render("s.peb").contains("Settings"));
  }
}
