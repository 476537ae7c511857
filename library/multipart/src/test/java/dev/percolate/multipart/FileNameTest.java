package dev.percolate.multipart;

import static dev.percolate.multipart.Forms.read;
import static dev.percolate.multipart.Forms.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names of fields and files in each form that senders use (RFC 7578 sections 4.2 and 5.1, RFC 8187,
 * RFC 2231, RFC 2047), and parts that are files without a name (RFC 7578 section 4.4).
 */
final class FileNameTest {

  private static final String BINARY = "application/octet-stream";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "filename*=utf-8''a%20b.bin|a b.bin",
        "filename*=UTF-8''%e6%96%b0.txt|\u65b0.txt",
        "filename*=utf8''%E6%96%B0.txt|\u65b0.txt",
        "filename*=iso-8859-1'en'M%FCller.txt|M\u00fcller.txt",
        "filename*=\"UTF-8''%C3%BC.txt\"|\u00fc.txt",
        "filename*=''%C3%BC.txt|\u00fc.txt",
        "filename*=no-such-charset''%C3%BC.txt|\u00fc.txt",
        "filename*=x|x",
        "filename*=x%20y|x y",
        "filename*=UTF-8''100%|100%",
        "filename*=UTF-8''%zz%4|%zz%4",
        "filename*=UTF-8''%FF|\ufffd",
        "filename*=UTF-8''..%2F..%5Cpasswd|passwd",
        "filename*=UTF-8''%00%0D%0Ax|x",
        "filename*=UTF-8''it's|it's",
        "filename=\"a.txt\"; filename*=UTF-8''b.txt|b.txt",
        "filename*=UTF-8''b.txt; filename=\"a.txt\"|b.txt",
        "FILENAME*=UTF-8''b.txt|b.txt",
        "filename*=UTF-8''a; filename*=UTF-8''b|a",
        "filename*0=ab; filename*1=cd.txt|abcd.txt",
        "filename*1=\"cd.txt\"; filename*0=\"ab\"|abcd.txt",
        "filename*0*=UTF-8''%C3; filename*1*=%BC; filename*2=\".t%41\"|\u00fc.t%41",
        "filename*0*=iso-8859-1''%FC; filename*1*=.txt|\u00fc.txt",
        "filename*0=ab; filename*2=ef|ab",
        "filename=\"=?utf-8?B?5paw5bu6/paH5pys5paH5qGjLnR4dA==?=\"; filename*=utf-8''%E6%96%B0.txt"
            + "|\u65b0.txt",
        "filename=\"=?utf-8?B?w7wudHh0?=\"|\u00fc.txt",
        "filename=\"=?UTF-8?Q?=C3=BC_b.txt?=\"|\u00fc b.txt",
        "filename=\"=?UTF-8?Q?=C3?= =?utf-8?q?=BC.txt?=\"|\u00fc.txt",
        "filename=\"=?iso-8859-1*en?q?=FC?=\t=?utf-8?b?w7w=?=\"|\u00fc\u00fc",
        "filename==?utf-8?B?w7wudHh0?=|\u00fc.txt",
        "filename=\"=?utf-8?B?***?=.x\"|=?utf-8?B?***?=.x",
        "filename=\"=?none?B?w7w=?=\"|=?none?B?w7w=?=",
        "filename=\"=?utf-8?Q?=zz?=\"|=?utf-8?Q?=zz?=",
        "filename=\"=?utf-8?Q?a?= b\"|=?utf-8?Q?a?= b"
      })
  void fileNamesAreReadInEachForm(String parameters, String name) {
    String form = file(parameters, BINARY, "\u0089PNG\u00ff\u00fe\u0000");
    assertEquals("{} f:" + name + ":" + BINARY + ":89504e47fffe00", read(Multipart.files(), form));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name*=UTF-8''a%20b|a b",
        "name*=utf-8''%C3%BC|\u00fc",
        "name*0=a; name*1=b|ab",
        "name=\"=?utf-8?B?w7w=?=\"|\u00fc",
        "name=a; name*=utf-8''b|b"
      })
  void namesOfFieldsAreReadInEachForm(String parameter, String name) {
    String form = "--X\nContent-Disposition: form-data; " + parameter + "\n\n1\n--X--\n";
    assertEquals("{" + name + "=1}", read(Multipart.files(), form));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/octet-stream",
        "image/png",
        "IMAGE/PNG",
        "audio/mpeg",
        "video/mp4",
        "font/woff2",
        "application/pdf",
        "application/zip",
        "application/x-protobuf",
        "application/vnd.ms-excel"
      })
  void partThatIsNotTextIsAFileWithoutAName(String type) {
    assertEquals(
        "{} f:file:" + type + ":89ff00", read(Multipart.files(), file("", type, "\u0089\u00ff\0")));
    assertEquals("{} f:file:" + type + ":", read(Multipart.files(), file("", type, "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "text/csv; header=present",
        "application/json",
        "application/ld+json",
        "application/xml",
        "application/atom+xml",
        "application/x-www-form-urlencoded",
        "multipart/mixed; boundary=Y",
        "message/rfc822",
        "application/sql; charset=utf-8",
        "nonsense"
      })
  void partThatIsTextIsAField(String type) {
    assertEquals("{f=a}", read(Multipart.files(), file("", type, "a")));
  }

  @Test
  void emptyFileNameWithContentIsAFileWithoutAName() {
    assertEquals(
        "{} f:file:" + BINARY + ":00ff",
        read(Multipart.files(), file("filename=\"\"", BINARY, "\0\u00ff")));
    assertEquals("{}", read(Multipart.files(), file("filename=\"\"", BINARY, "")));
  }

  @Test
  void filesWithoutANameCount() {
    String two = file("", BINARY, "a").replace("--X--\n", "") + file("filename=\"\"", BINARY, "b");
    assertEquals("413 files.too.many", read(Multipart.files().maxFiles(1), two));
    assertEquals("413 file.too.large", read(Multipart.files().maxFileSize("0"), two));
  }

  @Test
  void theNameLimitAppliesToDecodedNames() {
    String form = file("filename*=UTF-8''" + "%C3%BC".repeat(5), BINARY, "a");
    assertEquals(
        "{} f:" + "\u00fc".repeat(5) + ":" + BINARY + ":61",
        read(Multipart.files().maxNameLength(5), form));
    assertEquals("413 name.too.long", read(Multipart.files().maxNameLength(4), form));
  }

  @Test
  void namesAreUtf8() {
    String form = file("filename=\"" + utf8("\u00fc\ud83d\ude00") + ".txt\"", "text/plain", "a");
    assertEquals("{} f:\u00fc\ud83d\ude00.txt:text/plain:61", read(Multipart.files(), form));
  }

  private static String file(String parameters, String type, String content) {
    String more = parameters.isEmpty() ? "" : "; " + parameters;
    return "--X\nContent-Disposition: form-data; name=\"f\""
        + more
        + "\nContent-Type: "
        + type
        + "\n\n"
        + content
        + "\n--X--\n";
  }
}
