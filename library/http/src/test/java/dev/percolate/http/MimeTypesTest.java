package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Media types of extensions (RFC 9110 section 8.3), as registered with IANA. */
class MimeTypesTest {

  private static final MimeTypes TYPES = MimeTypes.standard();

  @ParameterizedTest
  @CsvSource({
    "a.html,text/html; charset=utf-8",
    "htm,text/html; charset=utf-8",
    ".JSON,application/json",
    "json,application/json",
    "dir.d/json,application/octet-stream",
    "dir\\json,application/octet-stream",
    "/html,application/octet-stream",
    "a.tar.gz,application/gzip",
    "e.,application/octet-stream",
    "'',application/octet-stream",
    "x.unknown,application/octet-stream",
    "a.js,text/javascript; charset=utf-8",
    "a.mjs,text/javascript; charset=utf-8",
    "a.cjs,application/node",
    "a.wasm,application/wasm",
    "a.map,application/json",
    "a.webmanifest,application/manifest+json",
    "a.jsonld,application/ld+json",
    "a.geojson,application/geo+json",
    "a.md,text/markdown; charset=utf-8",
    "a.csv,text/csv; charset=utf-8",
    "a.ics,text/calendar; charset=utf-8",
    "a.vcf,text/x-vcard; charset=utf-8",
    "a.vtt,text/vtt; charset=utf-8",
    "a.yml,text/yaml; charset=utf-8",
    "a.xml,application/xml",
    "a.xhtml,application/xhtml+xml",
    "a.svg,image/svg+xml",
    "a.avif,image/avif",
    "a.webp,image/webp",
    "a.jxl,image/jxl",
    "a.heic,image/heic",
    "a.ico,image/vnd.microsoft.icon",
    "a.woff,font/woff",
    "a.woff2,font/woff2",
    "a.ttf,font/ttf",
    "a.otf,font/otf",
    "a.mp4,video/mp4",
    "a.webm,video/webm",
    "a.m4s,video/iso.segment",
    "a.m3u8,application/vnd.apple.mpegurl",
    "a.mpd,application/dash+xml",
    "a.mp3,audio/mpeg",
    "a.ogg,audio/ogg",
    "a.opus,audio/ogg",
    "a.wav,audio/wav",
    "a.flac,audio/x-flac",
    "a.pdf,application/pdf",
    "a.epub,application/epub+zip",
    "a.zip,application/zip",
    "a.7z,application/x-7z-compressed",
    "a.gltf,model/gltf+json",
    "a.glb,model/gltf-binary",
    "a.docx,application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  })
  void aFileHasTheTypeOfItsExtensionAndTextACharset(String path, String type) {
    assertEquals(type, TYPES.contentType(path));
    assertEquals(type.replace("; charset=utf-8", ""), TYPES.ofPath(path));
    assertEquals(type, TYPES.named(path));
  }

  @ParameterizedTest
  @CsvSource({
    "json,application/json",
    "map,application/json",
    "bin,application/octet-stream",
    "txt,text/plain",
    "log,text/plain",
    "htm,text/html",
    "xml,application/xml",
    "js,text/javascript",
    "mjs,text/javascript",
    "css,text/css",
    "csv,text/csv",
    "md,text/markdown",
    "jsonld,application/ld+json",
    "json5,application/json5",
    "webmanifest,application/manifest+json",
    "geojson,application/geo+json",
    "svg,image/svg+xml",
    "xhtml,application/xhtml+xml",
    "rss,application/rss+xml",
    "atom,application/atom+xml",
    "png,image/png",
    "webp,image/webp",
    "jpeg,image/jpeg",
    "pdf,application/pdf",
    "zip,application/zip",
    "wasm,application/wasm",
    "toml,application/toml",
    "rtf,application/rtf",
    "gz,application/gzip",
    "yaml,text/yaml",
    "ics,text/calendar",
    "doc,application/msword",
    "xls,application/vnd.ms-excel",
    "mp4,video/mp4",
    "package.JSON,application/json",
    ".txt,text/plain"
  })
  void parsersUseRegisteredTypes(String name, String type) {
    assertEquals(type, TYPES.ofExtension(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "json.", "*", "js on"})
  void unknownExtensionsHaveNoType(String name) {
    assertNull(TYPES.ofExtension(name));
  }

  @Test
  void allExtensionsOfExpressAreKnown() throws IOException {
    for (String line : lines("express.types")) {
      for (String extension : List.of(line.split(" ", -1)).subList(1, line.split(" ", -1).length)) {
        boolean bytes = line.startsWith("application/octet-stream ");
        assertTrue(bytes || TYPES.ofExtension(extension) != null, extension);
      }
    }
  }

  @Test
  void theTableHasTheVersionInThePackageFile() throws IOException {
    String wanted = Files.readString(Path.of("types/package.json"));
    String head = lines("mime.types").get(0);
    String version = head.replaceFirst(".*mime-db ([0-9]+\\.[0-9]+\\.[0-9]+).*", "$1");
    assertTrue(wanted.contains("\"mime-db\": \"" + version + "\""), head);
  }

  @Test
  void anApplicationAddsTypesAndReplacesThem() {
    MimeTypes types =
        MimeTypes.of(Map.of(".FOO", "text/x-foo", "js", "text/js; charset=latin1", "b", "a/b;c=d"));
    assertEquals("text/x-foo; charset=utf-8", types.contentType("a.foo"));
    assertEquals("text/x-foo", types.ofExtension("foo"));
    assertEquals("text/js; charset=latin1", types.contentType("a.js"));
    assertEquals("text/js", types.ofPath("a.js"));
    assertEquals("a/b;c=d", types.named("b"));
    assertEquals("text/css; charset=utf-8", types.contentType("a.css"));
    assertEquals("text/javascript", TYPES.ofPath("a.js"));
    assertEquals("image/png", types.with(Map.of("foo", "image/png")).contentType("a.foo"));
  }

  @Test
  void invalidAdditionsAreRejected() {
    for (Object wrong :
        List.of(
            "js",
            1,
            List.of(),
            Map.of("js", ""),
            Map.of("js", "javascript"),
            Map.of("js", "text/js/x"),
            Map.of("js", "text/"),
            Map.of("js", "/js"),
            Map.of("js", ";text/js"),
            Map.of("js", "text/j\u00e9"),
            Map.of("js", "text/js;a=\u00e9"),
            Map.of("js", 1),
            Map.of("", "text/js"),
            Map.of(".", "text/js"),
            Map.of("a.js", "text/js"),
            Map.of("/js", "text/js"),
            Map.of(1, "text/js"))) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> MimeTypes.of(wrong)).getMessage();
      assertTrue(message.contains("mime types"), message);
    }
  }

  @Test
  void expressTypesAreThoseOf2015() {
    MimeTypes types = MimeTypes.of(MimeTypes.express());
    assertSame(MimeTypes.express(), types);
    assertEquals("application/javascript", types.contentType("a.js"));
    assertEquals("application/octet-stream", types.contentType("a.mjs"));
    assertEquals("text/x-markdown; charset=UTF-8", types.contentType("a.md"));
    assertEquals("text/html", types.named("html"));
    assertEquals("application/font-woff2", types.ofPath("a.woff2"));
    assertEquals("text/x-c", types.ofPath("a.b/c"));
    assertEquals("text/html; charset=UTF-8", types.contentType("/a/html"));
    assertEquals("text/javascript", types.with(Map.of("mjs", "text/javascript")).ofPath("a.mjs"));
  }

  @Test
  void aTypeWithParametersKeepsThem() {
    assertEquals("text/html;charset=koi8-r", TYPES.withCharset("text/html;charset=koi8-r"));
    assertEquals("TEXT/x; charset=utf-8", TYPES.withCharset("TEXT/x"));
    assertEquals("image/png", TYPES.withCharset("image/png"));
    assertNotEquals("text/x", TYPES.withCharset("text/x"));
    assertSame(TYPES, MimeTypes.of(null));
  }

  private static List<String> lines(String resource) throws IOException {
    try (var in = Objects.requireNonNull(MimeTypes.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
