package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestEventStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Starts and ends of the development loop. */
@Timeout(120)
class DevStartTest {

  private static final String SOURCE = "src/main/java/com/example/";

  @TempDir Path folder;

  private DevProcess dev(String body) throws IOException {
    DevProcess.writeMain(folder, body);
    return DevProcess.start(folder, "com.example.Main");
  }

  private static String sends(String text) {
    return "app.get(\"/\", (req, res) -> res.send(\"" + text + "\"));";
  }

  @Test
  void theFirstVersionMayFailToCompile() throws Exception {
    DevProcess.writeMain(folder, "int x = ;");
    try (DevProcess dev = DevProcess.start(folder, "com.example.Main")) {
      dev.await("The sources do not compile:");
      dev.edit(sends("one"));
      assertEquals("one", dev.get("/").text());
    }
  }

  @Test
  void aStaticInitializerThatLoopsIsNamed() throws Exception {
    try (DevProcess dev = dev(sends("one"))) {
      dev.port();
      String loops =
          "class Loop { static int x; static { while (x == 0) { Thread.onSpinWait(); } } }";
      dev.write(SOURCE + "Loop.java", "package com.example; " + loops);
      dev.edit("System.out.println(Loop.x);");
      String late = dev.slow("/");
      assertTrue(late.startsWith("HTTP/1.1 500 "), late);
      assertTrue(late.contains("main has not called listen within 10 s"), late);
      assertTrue(late.contains("Loop.java:1"), late);
      dev.edit(sends("two"));
      assertEquals("two", dev.get("/").text());
      dev.await(
          "thread \"main\" of the previous version still runs, at Loop.<clinit> (Loop.java:1)");
    }
  }

  @Test
  void aLateListenReloadsThePagesWithTheError() throws Exception {
    try (DevProcess dev = dev(sends("one"))) {
      dev.port();
      dev.edit(
          "while (!java.nio.file.Files.exists(java.nio.file.Path.of(\"go\"))) { Thread.sleep(10); }"
              + sends("two"));
      String late = dev.slow("/");
      assertTrue(late.contains("main has not called listen within 10 s"), late);
      try (Client client = dev.client();
          TestEventStream events = client.events("/_percolate/reload")) {
        String failed = events.data();
        dev.write("go", "");
        assertNotEquals(failed, events.data());
        assertEquals("two", dev.get("/").text());
      }
    }
  }

  @Test
  void aLateListenDoesNotHideACompileError() throws Exception {
    try (DevProcess dev = dev(sends("one"))) {
      dev.port();
      dev.edit(
          "System.out.println(\"main waits\");"
              + " while (!java.nio.file.Files.exists(java.nio.file.Path.of(\"go\"))) { Thread.sleep(10); }"
              + sends("two"));
      dev.await("main waits");
      dev.clear();
      dev.edit("int x = ;");
      dev.await("The sources do not compile:");
      dev.write("go", "");
      dev.await("port "); // the earlier main has called listen
      Reply reply = dev.get("/");
      assertEquals(500, reply.status());
      assertTrue(reply.text().contains("Main.java:9"), reply::text);
      dev.edit(sends("three"));
      assertEquals("three", dev.get("/").text());
    }
  }

  @Test
  void copiesThatABuildHasLeftDoNotHideDeletedClasses() throws Exception {
    String text = "package com.example; class Text { static String of() { return \"text\"; } }";
    String tail = " class Tail { static String of() { return \"tail\"; } }";
    DevProcess.write(folder, SOURCE + "Text.java", text + tail);
    String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
    Process built =
        new ProcessBuilder(javac, "-d", "target/classes", SOURCE + "Text.java")
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertEquals(0, built.waitFor());
    try (DevProcess dev = dev("app.get(\"/\", (req, res) -> res.send(Text.of() + Tail.of()));")) {
      assertEquals("texttail", dev.get("/").text());
      dev.write(SOURCE + "Text.java", text);
      assertTrue(dev.get("/").text().contains("cannot find symbol"), dev::output);
      dev.write(SOURCE + "Text.java", text + tail);
      assertEquals("texttail", dev.get("/").text());
      Files.delete(folder.resolve(SOURCE + "Text.java"));
      assertTrue(dev.get("/").text().contains("cannot find symbol"), dev::output);
    }
  }

  @Test
  void deletedResourcesAreNotServedFromTheCopyOfABuild() throws Exception {
    DevProcess.write(folder, "src/main/resources/public/a.txt", "one");
    DevProcess.write(folder, "target/classes/public/a.txt", "copy");
    DevProcess.write(folder, "target/classes/public/b.txt", "generated");
    try (DevProcess dev =
        dev("app.use(dev.percolate.middleware.StaticFiles.ofClassPath(\"/public\"));")) {
      assertEquals("one", dev.get("/a.txt").text());
      Files.delete(folder.resolve("src/main/resources/public/a.txt"));
      assertEquals(404, dev.get("/a.txt").status());
      assertEquals("generated", dev.get("/b.txt").text());
    }
  }

  @Test
  void aPortThatIsNoLongerUsedClosesThoughMainDoesNotEnd() throws Exception {
    try (DevProcess dev = dev(sends("one"))) {
      int before = dev.port();
      String blocks =
          "System.out.println(\"moved \" + app.listen(\"localhost\", 0).port());"
              + " Thread.sleep(600_000);";
      dev.edit(sends("two") + blocks);
      URI moved = URI.create("http://localhost:" + dev.await("moved ").substring(6));
      DevProcess.awaitRefusal(before);
      dev.edit(sends("three") + blocks);
      long begun = System.nanoTime();
      assertEquals("three", Call.get("/").to(moved).text());
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(9));
    }
  }

  @Test
  void exitInMainEndsTheLoopAndNamesItsLine() throws Exception {
    try (DevProcess dev = dev(sends("one"))) {
      dev.port();
      dev.edit("System.exit(3);");
      assertEquals(3, dev.awaitEnd());
      dev.await("System.exit was called at Main.main (Main.java:9)");
    }
  }

  @Test
  void anEndedProcessClosesTheApplicationOnce() throws Exception {
    try (DevProcess dev =
        dev("app.onClose(() -> System.out.println(\"closed\"));" + sends("one"))) {
      assertEquals("one", dev.get("/").text());
      dev.terminate();
      dev.awaitEnd();
      dev.await("closed");
      assertEquals(dev.output().indexOf("closed"), dev.output().lastIndexOf("closed"));
    }
  }

  @Test
  void aProgramInOneFileIsReloaded() throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "compact source files need JDK 25");
    String program =
        """
        import module dev.percolate.framework;

        void main() throws Exception {
          App app = new App();
          app.get("/", (req, res) -> res.send("one"));
          System.out.println("port " + app.listen("127.0.0.1", 0).port());
        }
        """;
    DevProcess.write(folder, "Hello.java", program);
    try (DevProcess dev = DevProcess.start(folder, "Hello.java")) {
      assertEquals("one", dev.get("/").text());
      dev.write("Hello.java", program.replace("one", "two"));
      assertEquals("two", dev.get("/").text());
    }
  }

  @Test
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void kotlinSourcesAreCompiled() throws Exception {
    String program =
        """
        package com.example

        import dev.percolate.core.Handler
        import dev.percolate.framework.App

        fun main() {
          val app = App()
          app.get("/", Handler { req, res -> res.send(Text.of("one")) })
          println("port " + app.listen("127.0.0.1", 0).port())
        }
        """;
    DevProcess.write(folder, "src/main/kotlin/com/example/Main.kt", program);
    DevProcess.write(
        folder,
        SOURCE + "Text.java",
        "package com.example; public class Text { public static String of(String s) { return s; } }");
    try (DevProcess dev = DevProcess.start(folder, "com.example.MainKt")) {
      assertEquals("one", dev.get("/").text());
      dev.write("src/main/kotlin/com/example/Main.kt", program.replace("one", "two"));
      assertEquals("two", dev.get("/").text());
      dev.write("src/main/kotlin/com/example/Main.kt", program.replace("println", "printn"));
      String error = dev.get("/").text();
      assertTrue(error.contains("src/main/kotlin/com/example/Main.kt:9"), error);
    }
  }

  @Test
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void aKotlinProgramInOneFileIsCompiledAlone() throws Exception {
    DevProcess.write(folder, "Other.kt", "fun invalid(");
    DevProcess.write(
        folder,
        "hello.kt",
        """
        import dev.percolate.core.Handler
        import dev.percolate.framework.App

        fun main() {
          val app = App()
          app.get("/", Handler { req, res -> res.send("one") })
          println("port " + app.listen("127.0.0.1", 0).port())
        }
        """);
    try (DevProcess dev = DevProcess.start(folder, "hello.kt")) {
      assertEquals("one", dev.get("/").text());
    }
  }

  @Test
  void sourcesMayBeInFoldersThatTheCommandNames() throws Exception {
    DevProcess.write(folder, "a/com/example/Main.java", DevProcess.main(sends("one")));
    try (DevProcess dev = DevProcess.start(folder, "--sources", "a", "com.example.Main")) {
      assertEquals("one", dev.get("/").text());
      dev.write("a/com/example/Main.java", DevProcess.main(sends("two")));
      assertEquals("two", dev.get("/").text());
    }
  }

  @Test
  void invalidArgumentsAreExplained() throws Exception {
    try (DevProcess dev = DevProcess.start(folder, "com.example.Main")) {
      dev.await("there is no folder " + folder.toRealPath().resolve("src"));
      assertEquals(2, dev.awaitEnd());
    }
    try (DevProcess dev = DevProcess.start(folder)) {
      dev.await("Usage: java -cp CLASSPATH dev.percolate.inspector.Dev");
    }
  }
}
