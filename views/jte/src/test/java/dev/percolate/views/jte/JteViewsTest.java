package dev.percolate.views.jte;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.testkit.TemplateEngineContract;
import gg.jte.ContentType;
import gg.jte.TemplateException;
import gg.jte.resolve.DirectoryCodeResolver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JteViewsTest extends TemplateEngineContract {

  @Override
  protected Rendering engine() {
    return new JteViews()::render;
  }

  @Override
  protected List<String> extensions() {
    return new JteViews().extensions();
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
        """
        @import gg.jte.Content
        @param String title
        @param Content body
        <title>${title}</title>${body}""",
        "item",
        """
        @param String item
        <li title="${item}">${item}</li>""",
        "list",
        """
        @import dev.percolate.core.Settings
        @import java.util.*
        @param Settings settings
        @param List<String> items
        @template.layout(title = settings.get("title") + ", " + settings.get("view engine"), \
        body = @`@for(String item : items)@template.item(item)@endfor`)""");
  }

  @Override
  public String declared(String template, String... locals) {
    return "@param String " + String.join("\n@param String ", locals) + "\n" + template;
  }

  @Override
  public String value(String name) {
    return "${" + name + "}";
  }

  @Override
  public String entry() {
    return "@import java.util.Map\n@param Map<String, String> m\n${m.get(\"/a.css\")}";
  }

  @Override
  public String raw(String name) {
    return "$unsafe{" + name + "}";
  }

  @Override
  public String include(String name) {
    return "@template." + name.replace('/', '.') + "()";
  }

  @Override
  public boolean resolvesRelativeNames() {
    return false;
  }

  @Override
  public boolean addsExtension() {
    return false;
  }

  @Override
  public String data() {
    return """
        @import dev.percolate.testkit.TemplateLanguage
        @import java.util.Map
        @param Map<String, Integer> m
        @param TemplateLanguage.Entry r
        @param TemplateLanguage.Author b
        ${m.get("k")} ${r.name()} ${r.stars()} ${b.getName()} ${b.isKnown()}""";
  }

  @Override
  public String illFormed() {
    return "one\n\n${none}\n";
  }

  @Override
  public String failing() {
    return "@param String a\none\n${a.substring(9)}\n";
  }

  @Override
  public List<String> forbidden() {
    return List.of();
  }

  @Test
  void calledTemplatesAreRelativeToTheViews() throws Exception {
    file("a/b/v.jte", "@template.near() @template.a.far()");
    file("a/b/near.jte", "beside");
    file("near.jte", "near");
    file("a/far.jte", "far");
    assertEquals("near far", render("a/b/v.jte", Map.of()));
  }

  @Test
  void calledTemplatesHaveTheExtensionJteWhateverTheViewHas() throws Exception {
    file("v.html", "@template.part()");
    file("part.jte", "part");
    assertEquals("part", render("v.html", Map.of()));
  }

  @Test
  void aPathInANameDoesNotLeaveTheViews() throws Exception {
    String path = file("../secret.jte", "secret").toString().replace(".jte", "");
    for (String name : List.of(path, "..secret", "../secret")) {
      file("v.jte", "@template." + name + "()");
      assertThrows(TemplateException.class, () -> render("v.jte", Map.of()), name);
    }
  }

  @Test
  void precompiledTemplatesAreNotRead(@TempDir Path classes) throws Exception {
    file("sub/v.jte", "@param String a\n${a} @template.part()");
    file("part.jte", "part");
    String classesOf = "gg.jte.generated.precompiled";
    gg.jte.TemplateEngine.create(
            new DirectoryCodeResolver(views()), classes, ContentType.Html, null, classesOf)
        .precompileAll();
    file("sub/v.jte", "changed ${none}");
    App app = new App().set("views", views().toString());
    app.engine("jte", JteViews.precompiled(classes));
    assertEquals("&lt;i&gt; part", app.render("sub/v.jte", Map.of("a", "<i>")));
    file("other.jte", "never compiled");
    assertThrows(TemplateException.class, () -> app.render("other.jte"));
    app.engine("jte", JteViews.precompiled());
    assertThrows(TemplateException.class, () -> app.render("sub/v.jte", Map.of("a", "")));
  }

  @Test
  void aFolderOfClassesIsDeletedWithItsFiles() throws Exception {
    Path made = JteViews.makeClassFolder();
    Files.createDirectories(made.resolve("a/b"));
    Files.writeString(made.resolve("a/b/c.class"), "");
    JteViews.deleteClassFolder(made);
    assertFalse(Files.exists(made));
  }
}
