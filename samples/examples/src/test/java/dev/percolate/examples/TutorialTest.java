package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.auth.Passwords;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Follows the tutorial: compiles the files of each page, calls the application as its commands do,
 * and compares the responses with those on the page. {@code samples/archetype/try} runs the
 * commands that this test does not.
 */
final class TutorialTest {

  private static final String PACKAGE = "com/example/books/";
  private static final String SECRET = "a secret of at least thirty-two bytes";

  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- run: (\\w+) -->\\n)?```(\\w+)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TOKEN = Pattern.compile("token=\\$\\((.+) \\| grep -o '(.+)'\\)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|[^\\s'\"]+");
  private static final Pattern REGION =
      Pattern.compile(
          " *<!-- #region (\\w+) -->\\n.*? *<!-- #endregion \\1 -->\\n", Pattern.DOTALL);

  @TempDir private Path classes;

  /** The value of {@code $token} in commands. */
  private String token = "";

  /** Loads the classes and files of one page, not those of the last page. */
  private static final class PageLoader extends URLClassLoader {

    PageLoader(Path classes) throws IOException {
      super(new URL[] {classes.toUri().toURL()}, TutorialTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE.replace('/', '.'))) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @Override
    public URL getResource(String name) {
      return name.startsWith(PACKAGE) ? findResource(name) : super.getResource(name);
    }
  }

  @BeforeAll
  static void hashingIsLoaded() { // takes seconds on a busy machine
    assertFalse(Passwords.argon2id().hash("secret").isEmpty());
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("../../docs/site/pages/tutorial", name + ".md"));
  }

  /** Returns a file of the tutorial; a number is the page whose file a later page replaces. */
  private static Path file(String name) {
    if (name.matches("\\d/.+")) {
      return Path.of("tutorial", name);
    }
    String folder = name.endsWith(".java") ? "src/main/java/" : "src/main/resources/";
    return Path.of(folder + PACKAGE + name);
  }

  @ParameterizedTest
  @CsvSource({
    "index,      1/Main.java",
    "validation, 2/Main.java 2/Books.java",
    "database,   3/Main.java 3/Books.java Database.java 1.sql",
    "login,      4/Main.java Books.java Readers.java Database.java 1.sql 2.sql",
    "deployment, Main.java Books.java Readers.java Database.java 1.sql 2.sql"
  })
  void theResponsesAreThoseOnThePage(String name, String files) throws Exception {
    compile(Arrays.stream(files.split(" ")).map(TutorialTest::file).toList());
    try (PageLoader loader = new PageLoader(classes)) {
      List<AutoCloseable> opened = new ArrayList<>();
      App app = app(loader, opened);
      try {
        assertTrue(follow(page(name), app) > 0);
      } finally {
        for (AutoCloseable database : opened) {
          database.close();
        }
      }
    }
  }

  private void compile(List<Path> files) throws IOException {
    Path folder = Files.createDirectories(classes.resolve(PACKAGE));
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Files.exists(Path.of(entry, PACKAGE)))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-cp", classPath, "-d", classes.toString()));
    for (Path file : files) {
      if (file.toString().endsWith(".java")) {
        arguments.add(file.toString());
      } else {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    assertEquals(0, javac.run(System.out, System.err, arguments.toArray(String[]::new)));
  }

  /** Calls {@code Main.app}, with a database in memory if it needs one. */
  private static App app(ClassLoader loader, List<AutoCloseable> opened) throws Exception {
    Class<?> main = loader.loadClass("com.example.books.Main");
    Method app =
        Arrays.stream(main.getDeclaredMethods())
            .filter(method -> method.getName().equals("app"))
            .findFirst()
            .orElseThrow();
    app.setAccessible(true);
    List<Object> arguments = new ArrayList<>();
    if (app.getParameterCount() > 0) {
      Method open = app.getParameterTypes()[0].getDeclaredMethod("open", String.class);
      open.setAccessible(true);
      opened.add((AutoCloseable) open.invoke(null, "jdbc:h2:mem:tutorial"));
      arguments.add(opened.get(0));
    }
    if (app.getParameterCount() > 1) {
      arguments.add(SECRET);
    }
    return (App) app.invoke(null, arguments.toArray());
  }

  /** Runs the commands of a page in order, and returns the number of compared responses. */
  private int follow(String page, App app) {
    int compared = 0;
    Reply reply = null;
    for (MatchResult block : BLOCK.matcher(page).results().toList()) {
      if (block.group(2).equals("sh")) {
        reply = null;
        if ("TutorialTest".equals(block.group(1))) {
          for (String line : block.group(3).replace("\\\n", " ").lines().toList()) {
            reply = run(line, app);
          }
        }
      } else if (reply != null) {
        compare(block.group(2), block.group(3), reply);
        reply = null;
        compared++;
      }
    }
    return compared;
  }

  private Reply run(String line, App app) {
    Matcher assignment = TOKEN.matcher(line);
    if (assignment.matches()) {
      Reply reply = run(assignment.group(1), app);
      Matcher found = Pattern.compile(assignment.group(2)).matcher(reply.text());
      assertTrue(found.find(), reply::toString);
      token = found.group();
      return reply;
    }
    List<String> words =
        WORD.matcher(line.replace("$token", token))
            .results()
            .map(word -> word.group().replaceAll("^['\"]|['\"]$", ""))
            .toList();
    assertEquals("curl", words.get(0), line);
    Map<String, String> options = new HashMap<>();
    String target = "";
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith("localhost:3000")) {
        target = word.substring("localhost:3000".length());
      } else if (!word.matches("-[is]+")) {
        i++;
        options.put(word, words.get(i));
      }
    }
    String json = options.remove("--json");
    String method = options.remove("-X");
    Call call = Call.of(method == null ? json == null ? "GET" : "POST" : method, target);
    call = call.header("Accept", json == null ? "*/*" : "application/json");
    call = json == null ? call : call.header("Content-Type", "application/json").body(json);
    String header = options.remove("-H");
    if (header != null) {
      String[] parts = header.split(": ", 2);
      call = call.header(parts[0], parts[1]);
    }
    assertEquals(Map.of(), options, line);
    return call.to(app);
  }

  private static void compare(String language, String expected, Reply reply) {
    String body = expected;
    if (language.equals("http")) {
      String[] parts = expected.split("\n\n", 2);
      List<String> head = parts[0].lines().toList();
      assertTrue(head.get(0).startsWith("HTTP/1.1 " + reply.status() + " "), reply::toString);
      for (String line : head.subList(1, head.size())) {
        String[] header = line.split(": ", 2);
        assertEquals(header[1], reply.header(header[0]), reply::toString);
      }
      body = parts.length == 1 ? "" : parts[1];
    }
    String pattern =
        Arrays.stream(body.replaceAll("\\s", "").split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    assertTrue(reply.text().replaceAll("\\s", "").matches(pattern), () -> expected + reply);
  }

  @Test
  void everyFileIsOnAPage() throws IOException {
    StringBuilder pages = new StringBuilder();
    for (String name : List.of("index", "validation", "database", "login", "tests", "deployment")) {
      pages.append(page(name));
    }
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("tutorial", "src/main/java/com", "src/main/resources/com")) {
      try (var found = Files.walk(Path.of(folder))) {
        found.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    assertTrue(files.size() >= 14, files::toString);
    for (Path file : files) {
      String included = "/samples/examples/" + file.toString().replace('\\', '/');
      assertTrue(pages.indexOf(included) > 0, included);
    }
  }

  @Test
  void thePomGrowsByTheRegionsOfThePages() throws IOException {
    String last = Files.readString(Path.of("tutorial/pom.xml"));
    assertEquals(
        Files.readString(Path.of("tutorial/1/pom.xml")), REGION.matcher(last).replaceAll(""));
  }

  @Test
  void theVersionsOfLibrariesAndPluginsAreOurs() throws IOException {
    String ours = Files.readString(Path.of("../../pom.xml"));
    List<MatchResult> versions =
        Pattern.compile("<artifactId>(?!percolate|reading)\\S+\\s+<version>(\\S+)</version>")
            .matcher(Files.readString(Path.of("tutorial/pom.xml")))
            .results()
            .toList();
    assertEquals(12, versions.size());
    for (MatchResult version : versions) {
      assertTrue(ours.contains(">" + version.group(1) + "</"), version.group());
    }
  }
}
