package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.FileSystemException;
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
  @CsvSource({"text/html, 200", "text/plain, 200", "application/json, 200", "image/png, 406"})
  void aListingVariesByAcceptUnlessNegotiatedAsInExpress(String accept, int status) {
    Call call = Call.get("/").header("Accept", accept);
    Reply reply = Played.reply(call, listing, PASSED);
    assertEquals(status + " Accept", reply.status() + " " + reply.header("Vary"));
    Settings express = new Settings().set(Settings.CONTENT_NEGOTIATION, "express");
    Reply there = Played.reply(express, call, listing, PASSED);
    assertEquals(status + " null", there.status() + " " + there.header("Vary"));
  }

  @Test
  void otherResponsesDoNotVary() {
    assertNull(Played.reply(Call.get("/none"), listing, PASSED).header("Vary"));
    assertNull(Played.reply(Call.post("/"), listing, PASSED).header("Vary"));
  }

  @ParameterizedTest(name = "REQ-06, STA-06: {0} is {1}")
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
    "/a%, 400",
    "/%, 400",
    "/%ff, 400",
    "/%c0%ae%c0%ae/, 400",
    "/Sub%20dir/%e0%80%af, 400",
    "/b.txt, 404",
    "/none, 404",
    "/.git/, 404",
    "/.git, 404",
    "/Sub%20dir/.in/deep, 404",
    "/%2egit/, 404",
    "/%53ub%20dir/in, 200",
  })
  void aPathStaysBelowTheRoot(String path, int status) throws Exception {
    Files.createDirectories(folder.resolve("pub/.git"));
    Files.createDirectories(folder.resolve("pub/Sub dir/.in/deep"));
    Handler nobody = (req, res) -> res.sendStatus(404);
    Call call = Call.get(path);
    int here = status == 403 ? 400 : status;
    assertEquals(here, Played.reply(call, listing, nobody).status());
    Settings express = new Settings().set("ambiguous targets", "pass").set("dotted folders", true);
    int there = path.contains("git") || path.contains(".in/") ? 200 : status;
    assertEquals(there, Played.reply(express, call, listing, nobody).status());
    int hidden = there == 403 ? 400 : there;
    assertEquals(hidden, Played.reply(call, listing.hidden(true), nobody).status());
  }

  @ParameterizedTest
  @CsvSource({"/Sub%20dir%2Fin, 400", "/n%2Fone, 404", "/b.txt%2F, 404", "/%2F, 400"})
  void anEncodedSlashAfterADirectoryIsRejected(String path, int status) {
    Handler nobody = (req, res) -> res.sendStatus(404);
    assertEquals(status, Played.reply(Call.get(path), listing, nobody).status());
  }

  @Test
  @DisplayName("STA-07: links lead out of the root only if allowed")
  void linksLeadOutOfTheRootOnlyIfAllowed() throws Exception {
    Path pub = folder.resolve("pub");
    try {
      Files.createSymbolicLink(pub.resolve("out"), folder.resolve("public"));
      Files.createSymbolicLink(pub.resolve("Sub dir/file"), folder.resolve("secret"));
      Files.createSymbolicLink(pub.resolve("Sub dir/gone"), folder.resolve("nowhere"));
      Files.createSymbolicLink(pub.resolve("Sub dir/in/up"), Path.of(".."));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "symbolic links are not supported");
    }
    Files.writeString(folder.resolve("secret"), "12345");
    Files.writeString(folder.resolve("public/inner"), "");
    assertEquals("inner\n", text("/out", listing));
    assertEquals("file\ngone\nin\n", text("/Sub%20dir", listing));
    DirectoryListing kept = listing.symlinks(false);
    assertEquals("A.txt\nSub dir\nb.txt\n", text("/", kept));
    assertEquals("in\n", text("/Sub%20dir", kept));
    assertEquals("in\n", text("/Sub%20dir/in/up", kept));
    assertEquals("up\n", text("/Sub%20dir/in/", kept));
    assertEquals("200 passed", Played.outcome(Call.get("/out"), kept, PASSED));
    assertEquals("200 passed", Played.outcome(Call.get("/out/"), kept, PASSED));
    String page = Played.reply(Call.get("/Sub%20dir"), kept.view("details")).text();
    assertFalse(page.contains("title=\"file\""), page);
  }

  @Test
  void namesAreSortedByCodeUnits() {
    assertEquals("A.txt\nSub dir\nb.txt\n", text("/", listing));
    assertEquals(".hid\nA.txt\nSub dir\nb.txt\n", text("/", listing.hidden(true)));
  }

  @Test
  void thePageListsDirectoriesFirst() {
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
  void aTemplateHasFourPlaceholders() {
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
  void wrongOptionsAreRejected() {
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
