package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MimeTypesTest {

  @ParameterizedTest
  @CsvSource({
    "a.html,text/html",
    "htm,text/html",
    ".JSON,application/json",
    "json,application/json",
    "dir.d/json,application/json",
    "dir\\json,application/json",
    "a.tar.gz,application/octet-stream",
    "e.,application/octet-stream",
    "'',application/octet-stream",
    "a.js,application/javascript",
    "a.md,text/x-markdown",
    "x.xsl,application/xml",
    "x.mp4,video/mp4",
    "x.svgz,image/svg+xml",
    "x.docx,application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "x.woff,application/font-woff",
    "x.mjs,application/octet-stream",
    "x.wasm,application/octet-stream",
    "a.b/c,text/x-c",
    "a.b/cc1,application/octet-stream",
    "x.yml,text/yaml",
    "x.ini,text/plain",
    "x.py,application/octet-stream",
    "x.crt,application/x-x509-ca-cert",
    "x.jade,text/jade"
  })
  void filesHaveTheTypeOfTheirExtension(String path, String type) {
    assertEquals(type, MimeTypes.ofPath(path));
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
  void parsersMeanTheTypesRegisteredToday(String name, String type) {
    assertEquals(type, MimeTypes.ofExtension(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unknown", "json.", "*", "js on"})
  void unknownExtensionsHaveNoType(String name) {
    assertNull(MimeTypes.ofExtension(name));
  }
}
