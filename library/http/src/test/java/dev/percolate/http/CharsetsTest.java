package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CharsetsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "utf-8",
        "UTF_8",
        "'utf-8'",
        "utf 8",
        "utf8",
        "ISO 8859 1",
        "iso_8859-1:1987",
        "Latin-1",
        "us-ascii",
        "ANSI_X3.4-1968",
        "ucs-2",
        "utf-16",
        "UTF-32BE",
        "windows-1252",
        "win1250",
        "1251",
        "cp437",
        "ibm866",
        "850",
        "l9",
        "latin10",
        "csShiftJIS",
        "ks_c_5601-1987",
        "csEUCKR",
        "cp20866",
        "iso-8859-11",
        "tis-620",
        "cp28592",
        "cp285915",
        "macintosh",
        "cp858"
      })
  void namesAreMatchedByLettersAndDigits(String name) {
    assertNotNull(Charsets.find(name));
  }

  @ParameterizedTest // DECISIONS 10
  @DisplayName("BODY-17, BODY-18: other names are unknown")
  @ValueSource(
      strings = {
        "utf-7",
        "UTF7",
        "utf-7-imap",
        "unicode-1-1-utf-7",
        "csUnicode11UTF7",
        "iso-2022-jp",
        "hz-gb-2312",
        "utf8mb4",
        "unicode",
        "cp037",
        "x-mac-cyrillic",
        "iso-10646-ucs-2",
        "x-cp1251",
        "x-euc-jp",
        "euc-tw",
        "cp65001",
        "utf-9",
        "utf-99",
        "utf-",
        "",
        "x-JISAutoDetect",
        "../x",
        "base64",
        "hex",
        "iso-8859-10",
        "iso-8859-14",
        "latin6",
        ":1987",
        "\u212aoi8-r",
        "utf-\u0668"
      })
  void unknownNamesHaveNoDecoder(String name) {
    assertNull(Charsets.find(name));
  }

  @ParameterizedTest
  @CsvSource({
    "latin1,80E9,\u0080\u00e9",
    "us-ascii,6180,a\ufffd",
    "windows-1252,80,\u20ac",
    "iso-8859-15,A4,\u20ac",
    "latin5,F0,\u011f",
    "latin7,E0,\u0105",
    "iso-8859-16,AA,\u0218",
    "windows-1255,CAE0,\u05ba\u05d0",
    "tis-620,A0A1,\ufffd\u0e01",
    "windows-874,A1,\u0e01",
    "koi8-r,C1,\u0430",
    "koi8-u,A4,\u0454",
    "cp437,80,\u00c7",
    "cp858,D5,\u20ac",
    "cp866,80,\u0410",
    "macintosh,BDDBF0,\u2126\u00a4\ufffd",
    "mac-cyrillic,80,\u0410",
    "maccenteuro,81,\u0100",
    "shift_jis,8160,\uff5e",
    "shift_jis,8740,\u2460",
    "sjis,8061,\u0080a",
    "sjis,82A0,\u3042",
    "euc-jp,A1BDA1C1A4A2,\u2015\uff5e\u3042",
    "euc-jp,A1DDA1F1A1F2A2CC,\uff0d\uffe0\uffe1\uffe2",
    "euc-jp,FCFBFCFC,\uffe2\uffe4",
    "euc-jp,A1C2,\u2225",
    "euc-jp,8FA2B7,\uff5e",
    "gb2312,80D6D0,\u20ac\u4e2d",
    "gbk,80D6D0,\u20ac\u4e2d",
    "gb18030,80D6D0,\u20ac\u4e2d",
    "gb18030,8130813080,\u0080\u20ac",
    "euc-kr,B0A1,\uac00",
    "cp950,A440,\u4e00",
    "big5,A440,\u4e00"
  })
  void bytesAreDecodedAsInTheTable(String charset, String hex, String text) {
    assertEquals(text, decode(charset, HexFormat.of().parseHex(hex)));
  }

  @Test
  void aChangedByteDoesNotApplyWithinACharacter() {
    assertEquals("\u30e0a", decode("sjis", HexFormat.of().parseHex("838061")));
    assertEquals("\u4e90", decode("gbk", HexFormat.of().parseHex("8180")));
  }

  @Test
  void changedBytesAreDecodedInLinearTime() {
    byte[] bytes = new byte[1_000_000];
    Arrays.fill(bytes, (byte) 0x80);
    String text = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> decode("gbk", bytes));
    assertEquals("\u20ac".repeat(1_000_000), text);
  }

  @Test
  void cutCharacterAtTheEndIsReplaced() {
    assertEquals("a\ufffd", decode("sjis", new byte[] {'a', (byte) 0x82}));
    assertEquals("a\ufffd", decode("euc-jp", new byte[] {'a', (byte) 0xA1}));
  }

  private static String decode(String charset, byte[] bytes) {
    Function<byte[], String> decoder = Charsets.find(charset);
    assertNotNull(decoder);
    return decoder.apply(bytes);
  }
}
