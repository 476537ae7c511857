package dev.percolate.views.freemarker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FreemarkerViewsTest {

  /** An entry. */
  public record Entry(String name, int stars) {

    public String secret() {
      return "no component";
    }
  }

  /** A bean. */
  public static final class Author {

    public String getName() {
      return "Ann";
    }

    public boolean isKnown() {
      return true;
    }

    public Class<?> getKind() {
      return Author.class;
    }

    public String delete() {
      return "deleted";
    }
  }

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
        "layout.ftlh",
        """
        <#macro page title><title>${title}</title><#nested></#macro>
        """
            .strip());
    file(
        "item.ftlh",
        """
        <li>${item}</li>
        """
            .strip());
    file(
        "list.ftlh",
        """
        <#import "layout.ftlh" as layout>
        <@layout.page title="${settings.title}, ${settings['view engine']}">
        <#list items as item><#include "item.ftlh"></#list>
        </@layout.page>
        """
            .strip());
    app.set("title", "Grüße & more").set("view engine", "ftlh");
    app.get("/", (req, res) -> res.render("list", Map.of("items", List.of("1", "<script>'\"&"))));
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "<title>Grüße &amp; more, ftlh</title><li>1</li><li>&lt;script&gt;&#39;&quot;&amp;</li>",
        reply.text().replace("\n", ""));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void everyUsualExtensionIsFoundAndOnlyRawTextIsNotEscaped() throws Exception {
    for (String extension : new FreemarkerViews().extensions()) {
      file("v." + extension, "${a} ${a?no_esc}${(none.deep)!}");
      assertEquals("&lt;i&gt; <i>", app.render("v." + extension, Map.of("a", "<i>")));
    }
  }

  @Test
  void itServesAnyExtensionThatItIsRegisteredForAndEscapesThere() throws Exception {
    file("v.txt", "${a}");
    app.engine("txt", new FreemarkerViews());
    assertEquals("&lt;1", app.render("v.txt", Map.of("a", "<1")));
  }

  @Test
  void mapsBeansAndRecordsAreData() throws Exception {
    file("v.ftlh", "${m.k} ${r.name} ${r.stars} ${b.name} <#if b.known>yes</#if>");
    Map<String, Object> locals =
        Map.of("m", Map.of("k", 1234), "r", new Entry("<n>", 5), "b", new Author());
    assertEquals("1234 &lt;n&gt; 5 Ann yes", app.render("v.ftlh", locals));
  }

  @Test
  void namedTemplatesLieBesideTheOneThatNamesThemOrBelowTheViews() throws Exception {
    file(
        "a/b/v.ftlh",
        """
        <#include "near.ftlh"> <#include "../up.ftlh"> <#include "/a/far.ftlh">
        """
            .strip());
    file(
        "a/far.ftlh",
        """
        far <#include "up.ftlh">
        """
            .strip());
    file("a/b/near.ftlh", "near");
    file("near.ftlh", "not the nearest");
    file("a/up.ftlh", "up");
    assertEquals("near up far up", app.render("a/b/v.ftlh"));
  }

  @Test
  void numbersAndTruthValuesAreIndependentOfTheLocale() throws Exception {
    file("v.ftlh", "${1234567.5} ${true}");
    assertEquals("1234567.5 true", app.render("v.ftlh"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret.ftlh",
        "../../secret.ftlh",
        "x/../../secret.ftlh",
        "../views-b/secret.ftlh",
        "/../secret.ftlh",
        "none",
        "a\0b"
      })
  void aNamedTemplateNeverLeavesTheViews(String name) throws Exception {
    file("../secret.ftlh", "secret");
    file("../views-b/secret.ftlh", "secret");
    file("sub/v.ftlh", "<#include page>");
    assertThrows(TemplateException.class, () -> app.render("sub/v.ftlh", Map.of("page", name)));
    String absolute = folder.resolve("secret.ftlh").toString();
    assertThrows(TemplateException.class, () -> app.render("sub/v.ftlh", Map.of("page", absolute)));
    file("sub/near.ftlh", "near");
    assertEquals("near", app.render("sub/v.ftlh", Map.of("page", "near.ftlh")));
  }

  @Test
  void aLocalCalledSettingsDoesNotOpenOtherDirectories() throws Exception {
    file("../secret.ftlh", "secret");
    file("v.ftlh", "<#include '../secret.ftlh'>");
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(TemplateException.class, () -> app.render("v.ftlh", locals));
  }

  @Test
  void aViewFromElsewhereHasItsOwnDirectory() throws Exception {
    file("v.ftlh", "in views");
    Path elsewhere = file("../elsewhere/page.ftlh", "page <#include 'part.ftlh'>");
    file("../elsewhere/part.ftlh", "part");
    assertEquals("page part", app.render(elsewhere.toString()));
    file("../elsewhere/page.ftlh", "<#include '../views/v.ftlh'>");
    assertThrows(TemplateException.class, () -> app.render(elsewhere.toString()));
  }

  @Test
  void compiledTemplatesAreKeptWhereCacheIsTrueOnly() throws Exception {
    file("v.ftlh", "one <#include 'part.ftlh'>");
    file("part.ftlh", "part");
    app.engine("ftlh", new FreemarkerViews());
    Map<String, Object> on = Map.of("cache", true);
    assertEquals("one part", app.render("v.ftlh"));
    assertEquals("one part", app.render("v.ftlh", on));
    file("v.ftlh", "two <#include 'part.ftlh'>");
    file("part.ftlh", "changed");
    assertEquals("two changed", app.render("v.ftlh"));
    assertEquals("one part", app.render("v.ftlh", on));
    assertEquals("two changed", app.render("v.ftlh", Map.of("cache", "text from outside")));
    assertEquals(
        "two changed",
        new App()
            .engine("ftlh", new FreemarkerViews())
            .render(views.resolve("v.ftlh").toString(), on));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    file("sub/bad.ftlh", "one\ntwo <#if>\n");
    file("fails.ftlh", "one\n\n${none}\n");
    file("missing.ftlh", "one\n<#include 'none.ftlh'>");
    file("outer.ftlh", "<#include 'sub/bad.ftlh'>");
    assertNames("\"sub/bad.ftlh\" in line 2", "sub/bad.ftlh");
    assertNames("\"sub/bad.ftlh\" in line 2", "outer.ftlh");
    assertNames("\"fails.ftlh\" at line 3", "fails.ftlh");
    assertNames("\"missing.ftlh\" at line 2", "missing.ftlh");
  }

  private void assertNames(String place, String view) {
    Exception error = assertThrows(Exception.class, () -> app.render(view));
    assertTrue(error.getMessage().contains(place), error.getMessage());
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(views.resolve("latin.ftlh"), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(Exception.class, () -> app.render("latin.ftlh"));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void localsThatAreNullAreAbsent() throws Exception {
    file("v.ftlh", "${a!'none'}");
    Map<String, Object> locals = new HashMap<>();
    locals.put("a", null);
    assertEquals("none", app.render("v.ftlh", locals));
  }

  @Test
  void templatesReachNeitherClassesNorOtherMethods() throws Exception {
    Map<String, Object> locals =
        Map.of("a", "text", "b", new Author(), "r", new Entry("n", 1), "l", List.of());
    List<String> forbidden =
        List.of(
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
            "'freemarker.template.utility.ObjectConstructor'?new()('java.lang.Object')");
    for (String expression : forbidden) {
      file("v.ftlh", "${" + expression + "}");
      assertThrows(TemplateException.class, () -> app.render("v.ftlh", locals), () -> expression);
    }
  }
}
