package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the contract of a template engine: the values that templates see, escaping, inclusion of
 * other templates, caching, and error messages. Extend this class in the tests of an engine. Create
 * the engine in {@link #engine}, and write the templates in the engine's {@linkplain
 * TemplateLanguage language}:
 *
 * <pre>
 *   final class CurlyViewsTest extends TemplateEngineContract {
 *     &#64;Override protected Rendering engine() { return new CurlyViews()::render; }
 *
 *     &#64;Override public String value(String name) { return "{{" + name + "}}"; }
 *
 *     &#64;Override public String include(String name) { return "{{> " + name + "}}"; }
 *     …
 *   }
 * </pre>
 *
 * <p>{@link TemplateLanguage} also has methods for features that an engine does not support.
 */
public abstract class TemplateEngineContract implements TemplateLanguage {

  private static final Pattern ENTITY = Pattern.compile("&(#?\\w+);");
  private static final Map<String, String> ENTITIES =
      Map.of(
          "lt", "<", "gt", ">", "amp", "&", "quot", "\"", "#34", "\"", "#39", "'", "#x27", "'",
          "uuml", "ü", "szlig", "ß");

  private final Settings settings = new Settings();
  private Path folder;
  private Path views;
  private Rendering engine;

  /** Renders a template file, as {@code TemplateEngine} does. */
  @FunctionalInterface
  public interface Rendering {

    /**
     * Renders a template.
     *
     * @param file the absolute path of the template
     * @param locals the values that the template sees
     * @return the rendered text
     * @throws Exception if the template cannot be read, or rendering fails
     */
    String render(Path file, Map<String, @Nullable Object> locals) throws Exception;
  }

  /** Creates the tests of one engine. */
  protected TemplateEngineContract() {}

  /**
   * Creates an engine with a new cache.
   *
   * @return the method that renders
   */
  protected abstract Rendering engine();

  /**
   * Returns the file extensions for which an application finds the engine without registration.
   *
   * @return the extensions without the dot; the templates of the tests use the first one
   */
  protected abstract List<String> extensions();

  /**
   * Creates an application that registers no engine and responds to {@code GET /} with a view.
   *
   * @param settings the settings of the application
   * @param view the name of the view
   * @param locals the locals of the view
   * @return the application
   */
  protected abstract Service application(
      Map<String, String> settings, String view, Map<String, ?> locals);

  /**
   * Returns the type of the exception for a template that fails, or that names an absent template.
   *
   * @return the type of the exception
   */
  protected abstract Class<? extends Exception> failure();

  @BeforeEach
  void anEngineAndADirectory(@TempDir Path temporary) throws IOException {
    engine = engine();
    folder = temporary;
    views = Files.createDirectory(temporary.resolve("views"));
    settings.set("views", views.toString());
  }

  /**
   * Returns the directory of the views. Its parent contains no other files.
   *
   * @return the directory
   */
  protected final Path views() {
    return views;
  }

  /**
   * Writes a file.
   *
   * @param name the path, relative to the directory of the views
   * @param text the content
   * @return the file
   * @throws IOException if the file cannot be written
   */
  protected final Path file(String name, String text) throws IOException {
    Path file = views.resolve(name).normalize();
    Files.createDirectories(file.resolveSibling("."));
    return Files.writeString(file, text);
  }

  /**
   * Renders a view with the engine of this test.
   *
   * @param name the path, relative to the directory of the views
   * @param locals the locals, in addition to the settings
   * @return the rendered text
   * @throws Exception if rendering fails
   */
  protected final String render(String name, Map<String, ?> locals) throws Exception {
    return render(engine, views.resolve(name).normalize(), locals);
  }

  @Test
  void aPageWithLayoutAndLoopIsFoundByExtensionAndEscaped() throws Exception {
    for (Map.Entry<String, String> template : page().entrySet()) {
      file(named(template.getKey()), template.getValue());
    }
    Map<String, String> own =
        Map.of(
            "views", views.toString(), "title", "Grüße & more", "view engine", extensions().get(0));
    Map<String, ?> locals = Map.of("items", List.of("1", "<script>'\"&"));
    Reply reply = Call.get("/").to(application(own, "list", locals));
    assertIsPage(reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
  }

  private void assertIsPage(String response) {
    String text = response.replaceAll("\\s*\n\\s*", "").strip();
    String safe =
        "<title>[^<]*</title><li title=\"1\">1</li><li title=\"[^\"<]*\">[^<]*</li>"; // escaped
    assertTrue(text.matches(safe), text);
    assertEquals(
        "<title>Grüße & more, "
            + extensions().get(0)
            + "</title><li title=\"1\">1</li><li title=\"<script>'\"&\"><script>'\"&</li>",
        ENTITY.matcher(text).replaceAll(TemplateEngineContract::character));
  }

  @Test
  void aPageWithLayoutAndLoopIsFoundOnTheClassPath() throws Exception {
    for (Map.Entry<String, String> template : page().entrySet()) {
      file(named("pages/" + template.getKey()), template.getValue());
    }
    file(named("secret"), text("secret"));
    file(named("pages/sub/outside"), include("../secret"));
    Path jar = jar(folder.resolve("with a space.jar"));
    try (URLClassLoader inJar = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
        URLClassLoader onDisk = new URLClassLoader(new URL[] {views.toUri().toURL()}, null)) {
      assertPageIsFound(inJar);
      assertPageIsFound(onDisk);
    }
  }

  private void assertPageIsFound(ClassLoader loader) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new BothLoaders(loader, before));
    try {
      String extension = extensions().get(0);
      Map<String, String> own =
          Map.of("views", "classpath:/pages", "title", "Grüße & more", "view engine", extension);
      Map<String, ?> locals = Map.of("items", List.of("1", "<script>'\"&"));
      assertIsPage(Call.get("/").to(application(own, "list", locals)).text());
      for (String outside : List.of("sub/outside", "../secret")) {
        Reply reply = Call.get("/").to(application(own, outside, Map.of()));
        assertEquals(500, reply.status());
        assertFalse(reply.text().startsWith("secret"), reply.text());
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Loads the classes of the test, and the resources of another loader. */
  private static final class BothLoaders extends ClassLoader {

    private final ClassLoader resources;

    BothLoaders(ClassLoader resources, @Nullable ClassLoader classes) {
      super(classes);
      this.resources = resources;
    }

    @Override
    protected @Nullable URL findResource(String name) {
      return resources.getResource(name);
    }
  }

  /** Writes a JAR file of all views, without entries for directories. */
  private Path jar(Path file) throws IOException {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        Stream<Path> walk = Files.walk(views)) {
      for (Path one : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
        jar.putNextEntry(new ZipEntry(views.relativize(one).toString().replace('\\', '/')));
        Files.copy(one, jar);
      }
    }
    return file;
  }

  @Test
  void everyExtensionIsFoundAndOnlyRawValuesAreNotEscaped() throws Exception {
    String template = value("a") + text(" ") + raw("a") + text(" ") + optional("none");
    Map<String, String> own = Map.of("views", views.toString());
    for (String extension : extensions()) {
      file("v." + extension, declared(template, "a", "none"));
      Service application = application(own, "v." + extension, Map.of("a", "<i>"));
      assertEquals("&lt;i&gt;<i>", bare(Call.get("/").to(application).text()));
    }
  }

  @Test
  void templatesReadEntriesThatAMapComputes() throws Exception {
    String template = entry();
    if (template != null) {
      file(named("v"), template);
      assertEquals("/a.1.css", bare(render(named("v"), Map.of("m", new Computed()))));
    }
  }

  /** A map that computes its values, and cannot list its entries. */
  private static final class Computed extends AbstractMap<String, String> {

    @Override
    public @Nullable String get(@Nullable Object key) {
      return "/a.css".equals(key) ? "/a.1.css" : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public boolean isEmpty() {
      return false;
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
      return Set.of();
    }
  }

  @Test
  void otherRegisteredExtensionsAreEscaped() throws Exception {
    file("v.txt", declared(value("a"), "a"));
    assertEquals("&lt;1", bare(render("v.txt", Map.of("a", "<1"))));
  }

  @Test
  void aNameWithoutExtensionGetsThatOfTheIncludingTemplate() throws Exception {
    assumeTrue(addsExtension());
    file("v.txt", include("part"));
    file("part.txt", text("part"));
    template("part", text("of another extension"));
    assertEquals("part", bare(render("v.txt", Map.of())));
  }

  @Test
  void mapsBeansAndRecordsAreData() throws Exception {
    template("v", data());
    Map<String, ?> locals =
        Map.of("m", Map.of("k", 1234), "r", new Entry("<n>", 5), "b", new Author());
    assertRenders("1234&lt;n&gt;5Anntrue", "v", locals);
  }

  @Test
  void localsThatAreNullOrAbsentPrintNothing() throws Exception {
    template("v", declared(text("(") + optional("a") + optional("none") + text(")"), "a", "none"));
    Map<String, @Nullable Object> locals = new HashMap<>();
    locals.put("a", null);
    assertRenders("()", "v", locals);
  }

  @Test
  void includedTemplatesAreRelativeToTheIncludingTemplateOrTheViews() throws Exception {
    assumeTrue(resolvesRelativeNames());
    template("a/b/v", include("near") + text(" ") + include("../up") + fromViews("a/far"));
    template("a/far", text("far") + include("up"));
    template("a/b/near", text("near"));
    template("near", text("not the nearest"));
    template("a/up", text("up"));
    assertRenders("nearupfarup", "a/b/v", Map.of());
  }

  @Test
  void includedTemplatesNeverLeaveTheViews() throws Exception {
    template("../secret", text("secret"));
    template("../views-b/secret", text("secret"));
    String absolute = folder.resolve("secret").toString();
    List<String> names =
        List.of(
            "../secret",
            "../../secret",
            "x/../../secret",
            "../views-b/secret",
            "/../secret",
            "none",
            "a\0b",
            absolute);
    String byValue = includeOf("page");
    for (String name : names) {
      if (byValue != null) {
        assertThrows(failure(), () -> renderBy(byValue, named(name)), name);
      }
      if (name.indexOf('\0') < 0) { // only values can contain a null character
        template("sub/v", include(name));
        assertThrows(failure(), () -> render(named("sub/v"), Map.of()), name);
      }
    }
    template("sub/near", text("near"));
    if (byValue != null) {
      assertEquals("near", bare(renderBy(byValue, named("near"))));
    }
  }

  @Test
  void aLocalNamedSettingsGivesNoAccessToOtherDirectories() throws Exception {
    template("../secret", text("secret"));
    template("v", include("../secret"));
    Map<String, ?> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertThrows(failure(), () -> render(named("v"), locals));
  }

  @Test
  void aViewOutsideTheViewsHasItsOwnDirectory() throws Exception {
    template("part", text("in views"));
    template("../elsewhere/page", text("page ") + include("part"));
    Path part = template("../elsewhere/part", text("part"));
    assertRenders("pagepart", "../elsewhere/page", Map.of());
    Files.delete(part);
    assertThrows(failure(), () -> render(named("../elsewhere/page"), Map.of()));
    template("../elsewhere/page", include("../views/part"));
    assertThrows(failure(), () -> render(named("../elsewhere/page"), Map.of()));
  }

  @Test
  void templatesAreCachedOnlyIfCacheIsTrue() throws Exception {
    Path view = template("v", text("one ") + include("part"));
    template("part", text("part"));
    Map<String, ?> on = Map.of("cache", true);
    assertRenders("onepart", "v", Map.of());
    assertRenders("onepart", "v", on);
    template("v", text("two ") + include("part"));
    template("part", text("changed"));
    assertRenders("twochanged", "v", Map.of());
    assertRenders("onepart", "v", on);
    assertRenders("twochanged", "v", Map.of("cache", "text from outside"));
    assertEquals("twochanged", bare(render(engine(), view, on)));
  }

  @Test
  void errorsNameFileAndLine() throws Exception {
    template("sub/bad", illFormed());
    template("fails", failing());
    template("missing", text("one") + "\n" + include("none"));
    template("outer", include("sub/bad"));
    assertNames("sub/bad", 3, "sub/bad");
    assertNames("sub/bad", 3, "outer");
    assertNames("fails", 3, "fails");
    if (reportsLineOfMissingTemplate()) {
      assertNames("missing", text("one").endsWith("\n") ? 3 : 2, "missing");
    } else {
      assertTrue(errorOf("missing").contains(named("missing")), errorOf("missing"));
    }
  }

  @Test
  void aTemplateThatIsNotUtf8IsAnError() throws Exception {
    Files.write(template("latin", ""), new byte[] {'a', (byte) 0xe4, 'b'});
    Throwable cause = assertThrows(Exception.class, () -> render(named("latin"), Map.of()));
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertEquals(MalformedInputException.class, cause.getClass());
  }

  @Test
  void templatesAccessNeitherClassesNorOtherMethods() throws Exception {
    List<String> forbidden = forbidden();
    assumeFalse(forbidden.isEmpty(), "templates can run any code");
    Map<String, ?> locals =
        Map.of("a", "text", "b", new Author(), "r", new Entry("n", 1), "l", List.of());
    for (String template : forbidden) {
      template("v", template);
      assertEquals("", renderedUnlessItFails("v", locals), template);
    }
  }

  /**
   * Asserts that the error of a view names the template and line that caused it.
   *
   * @param template the template with the error: its path relative to the views, without extension
   * @param line the number of the line with the error
   * @param view the rendered view: its path relative to the views, without extension
   */
  protected final void assertNames(String template, int line, String view) {
    String error = errorOf(view);
    String extension = "(\\." + extensions().get(0) + ")?"; // included names may lack it
    Pattern place =
        Pattern.compile(Pattern.quote(template) + extension + "\\D{1,12}" + line + "\\b");
    assertTrue(place.matcher(error).find(), error);
  }

  private String errorOf(String view) {
    Map<String, ?> locals = Map.of("a", "text", "page", named("none"));
    return assertThrows(Exception.class, () -> render(named(view), locals)).toString();
  }

  private String named(String name) {
    return name + "." + extensions().get(0);
  }

  private Path template(String name, String text) throws IOException {
    return file(named(name), text);
  }

  private void assertRenders(String bare, String name, Map<String, ?> locals) throws Exception {
    assertEquals(bare, bare(render(named(name), locals)));
  }

  private String renderBy(String value, String name) throws Exception {
    template("sub/w", value);
    return render(named("sub/w"), Map.of("page", name));
  }

  private String renderedUnlessItFails(String name, Map<String, ?> locals) throws Exception {
    try {
      return bare(render(named(name), locals));
    } catch (Exception e) {
      if (failure().isInstance(e)) {
        return "";
      }
      throw e;
    }
  }

  private String render(Rendering engine, Path file, Map<String, ?> locals) throws Exception {
    Map<String, @Nullable Object> all = new HashMap<>();
    all.put("settings", settings);
    all.put("cache", false);
    all.putAll(locals);
    return engine.render(file, all);
  }

  private static String bare(String text) {
    return text.replaceAll("\\s", "");
  }

  private static String character(MatchResult entity) {
    return ENTITIES.getOrDefault(entity.group(1), "?");
  }
}
