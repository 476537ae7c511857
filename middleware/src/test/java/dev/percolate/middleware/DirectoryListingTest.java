package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DirectoryListingTest {

  private static final Handler PASSED = (req, res) -> res.send("passed");

  @TempDir private Path folder;
  private DirectoryListing listing = DirectoryListing.of(Path.of("/"));

  @BeforeEach
  void fill() throws Exception {
    Files.createDirectories(folder.resolve("pub/Sub dir/in"));
    Files.createDirectories(folder.resolve("public"));
    Files.writeString(folder.resolve("pub/b.txt"), "bb");
    Files.writeString(folder.resolve("pub/A.txt"), "a");
    Files.writeString(folder.resolve("pub/.hid"), "h");
    listing = DirectoryListing.of(folder.resolve("pub"));
  }

  @ParameterizedTest
  @CsvSource({
    "/, 200",
    "//, 200",
    "/./, 200",
    "/Sub%20dir/../, 200",
    "/../pub/, 403",
    "/..%2fpublic/, 403",
    "/%2e%2e, 403",
    "/Sub%20dir/in/../../.., 403",
    "/%00, 400",
    "/a%, 500",
    "/b.txt, 404",
    "/none, 404",
  })
  void aPathStaysBelowTheRoot(String path, int status) {
    Handler nobody = (req, res) -> res.sendStatus(404);
    assertEquals(status, Played.reply(Call.get(path), listing, nobody).status());
  }

  @Test
  void namesAreSortedByCodeUnits() {
    assertEquals("A.txt\nSub dir\nb.txt\n", text("/", listing));
    assertEquals(".hid\nA.txt\nSub dir\nb.txt\n", text("/", listing.hidden(true)));
  }

  @Test
  void thePageLinksFoldersFirst() {
    String page = Played.reply(Call.get("/Sub%20dir/"), listing).text();
    assertTrue(page.contains("<title>listing directory /Sub dir</title>"), page);
    assertTrue(page.contains("<a href=\"/Sub%20dir\">Sub dir</a>"), page);
    assertTrue(page.indexOf("title=\"..\"") < page.indexOf("title=\"in\""), page);
    assertTrue(page.contains("href=\"/Sub%20dir/in\""), page);
    String root = Played.reply(Call.get("/"), listing.view("details").icons(true)).text();
    assertFalse(root.contains("title=\"..\""), root);
    assertTrue(root.contains("<ul id=\"files\" class=\"view-details\">"), root);
    assertTrue(root.indexOf("title=\"Sub dir\"") < root.indexOf("title=\"A.txt\""), root);
    assertTrue(root.contains("<span class=\"size\">2</span>"), root);
    assertTrue(root.contains("icon-directory"), root);
  }

  @Test
  @DisplayName("STA-10 names with markup are escaped")
  void namesWithMarkupAreEscaped() throws Exception {
    String name = "<img src=x onerror='alert(1)'>\"&{style}";
    Files.writeString(folder.resolve("pub/" + name), "");
    String page = Played.reply(Call.get("/?<script>"), listing.stylesheet("css{}")).text();
    assertFalse(page.contains("<img"), page);
    assertFalse(page.contains("<script"), page);
    assertTrue(page.contains("&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&quot;&amp;{style}"));
    assertTrue(page.contains("css{}"), page);
  }

  @Test
  void aTemplateHasFourPlaces() {
    DirectoryListing own =
        listing.template("{directory}|{linked-path}|{style}|{other}|{").stylesheet("s");
    assertEquals(
        "/Sub dir| / <a href=\"/Sub%20dir\">Sub dir</a>|s|{other}|{",
        Played.reply(Call.get("/Sub%20dir"), own).text());
  }

  @Test
  void theBestTypeIsChosen() {
    assertEquals("application/json; charset=utf-8", type("text/html;q=0.5, application/*"));
    assertEquals("text/html; charset=utf-8", type("*/*"));
    assertEquals("text/plain; charset=utf-8", type("text/plain, text/html"));
    assertEquals(
        "application/json; charset=utf-8",
        type("text/html;q=0.1, */*;q=0.1, a/b, application/json;q=0.9"));
    Call none = Call.get("/").header("Accept", "image/*, text/html;q=0");
    assertEquals("406 Not Acceptable", Played.outcome(none, listing, PASSED));
  }

  @Test
  void wrongOptionsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> DirectoryListing.of(Path.of("")));
    assertThrows(IllegalArgumentException.class, () -> listing.view("list"));
  }

  private String type(String accept) {
    Reply reply = Played.reply(Call.get("/").header("Accept", accept), listing);
    return String.valueOf(reply.header("Content-Type"));
  }

  private static String text(String path, DirectoryListing listing) {
    return Played.reply(Call.get(path).header("Accept", "text/plain"), listing).text();
  }
}
