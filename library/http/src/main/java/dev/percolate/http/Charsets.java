package dev.percolate.http;

import dev.percolate.http.MultiByte.Lead;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the decoder for a charset name sent by a client.
 *
 * <p>Names are compared by their letters and digits only. Only the names in this class are known,
 * even if the JDK supports more.
 */
public final class Charsets {

  private static final Pattern YEAR = Pattern.compile(":[0-9]{4}\\z");
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9]");

  /** Creates the decoder of a charset, by its names. */
  private static final Map<String, Supplier<@Nullable Function<byte[], String>>> NAMES =
      new HashMap<>();

  /** The decoders that were created. */
  private static final Map<Supplier<?>, Function<byte[], String>> DECODERS =
      new ConcurrentHashMap<>();

  static {
    unicode();
    iso();
    windows();
    dos();
    macintosh();
    cyrillic();
    eastAsian();
  }

  private Charsets() {}

  /**
   * Returns the decoder of a charset, which replaces malformed bytes with U+FFFD.
   *
   * @param name the name as received
   * @return the decoder; null if the charset is unknown
   */
  public static @Nullable Function<byte[], String> find(String name) {
    if (name.equals("utf-8")) {
      return Utf8::text;
    }
    Supplier<@Nullable Function<byte[], String>> maker = NAMES.get(plain(name));
    Function<byte[], String> known = maker == null ? null : DECODERS.get(maker);
    if (maker == null || known != null) {
      return known;
    }
    Function<byte[], String> made = maker.get();
    if (made != null) {
      DECODERS.put(maker, made); // if two threads create one, either is fine
    }
    return made;
  }

  /**
   * Returns true if two names denote the same known charset, such as {@code utf8} and {@code
   * UTF-8}.
   *
   * @param one the name as received
   * @param other another name
   */
  public static boolean same(String one, String other) {
    Supplier<?> maker = NAMES.get(plain(one));
    return maker != null && maker == NAMES.get(plain(other));
  }

  /**
   * Returns true if a name denotes UTF-8, UTF-16 or UTF-32.
   *
   * @param name the name as received
   */
  public static boolean isUnicode(String name) {
    String plain = plain(name);
    return plain.startsWith("utf") && NAMES.containsKey(plain);
  }

  /**
   * Returns the letters and digits in lower case, without a trailing year such as {@code :1987}.
   */
  private static String plain(String name) {
    String undated = YEAR.matcher(name).replaceFirst("");
    return OTHERS.matcher(undated).replaceAll("").toLowerCase(Locale.ROOT);
  }

  private static void unicode() {
    add("utf8 unicode11utf8", () -> Utf8::text);
    add("utf16le ucs2", () -> bytes -> Unicode.utf16(bytes, false));
    add("utf16be", () -> bytes -> Unicode.utf16(bytes, true));
    add("utf16", () -> Unicode::utf16);
    add("utf32le ucs4le", () -> bytes -> Unicode.utf32(bytes, false));
    add("utf32be ucs4be", () -> bytes -> Unicode.utf32(bytes, true));
    add("utf32 ucs4", () -> Unicode::utf32);
  }

  private static void iso() {
    java("iso88591 latin1 l1 cp819 ibm819 isoir100 cp28591 binary", "ISO-8859-1");
    java("ascii usascii ansix341968 cp367 iso646us us", "US-ASCII");
    int[] parts = {2, 3, 4, 5, 6, 7, 8, 9, 13, 15, 16};
    for (int part : parts) {
      java("iso8859" + part + " cp2859" + part, "ISO-8859-" + part);
    }
    java("iso885911 cp285911", "x-iso-8859-11");
    Map.of(2, 2, 3, 3, 4, 4, 5, 9, 7, 13, 9, 15, 10, 16)
        .forEach((latin, part) -> java("latin" + latin + " l" + latin, "ISO-8859-" + part));
  }

  private static void windows() {
    for (int page = 1250; page <= 1258; page++) {
      String names = "windows" + page + " win" + page + " cp" + page + " " + page;
      if (page == 1255) {
        singles(names, "windows-1255", Map.of(0xCA, '\u05BA'));
      } else {
        java(names, "windows-" + page);
      }
    }
    java("windows874 win874 cp874 874", "x-windows-874");
    singles("tis620", "TIS-620", Map.of(0xA0, '\uFFFD'));
  }

  private static void dos() {
    int[] ibm = {437, 775, 850, 852, 855, 857, 860, 861, 862, 863, 864, 865, 866, 869};
    for (int page : ibm) {
      java("cp" + page + " ibm" + page + " " + page, "IBM" + page);
    }
    java("cp737 ibm737 737", "x-IBM737");
    java("cp922 ibm922 922", "x-IBM922");
    java("cp858 ibm858 858", "IBM00858");
  }

  private static void macintosh() {
    singles(
        "macintosh mac macroman",
        "x-MacRoman",
        Map.of(0xBD, '\u2126', 0xDB, '\u00A4', 0xF0, '\uFFFD'));
    java("maccyrillic", "x-MacCyrillic");
    java("macgreek", "x-MacGreek");
    java("maccenteuro", "x-MacCentralEurope");
    java("macthai", "x-MacThai");
    java("macukraine", "x-MacUkraine");
  }

  private static void cyrillic() {
    java("koi8r cp20866 cskoi8r", "KOI8-R");
    java("koi8u cp21866", "KOI8-U");
  }

  private static void eastAsian() {
    Map<Integer, Character> euro = Map.of(0x80, '\u20AC');
    add(
        "shiftjis sjis xsjis mskanji windows31j ms31j windows932 ms932 cp932 csshiftjis",
        () -> MultiByte.of("windows-31j", Lead.SHIFT_JIS, true, Map.of(0x80, '\u0080')));
    add("eucjp", () -> MultiByte.of("x-eucJP-Open", Lead.EUC_JP, false, MultiByte.EUC_JP));
    pairs("cp936 ms936 windows936 gb2312 euccn csgb2312", "x-mswin-936", euro);
    add(
        "gbk xgbk isoir58 gb18030 chinese",
        () -> MultiByte.of("GB18030", Lead.GB18030, true, euro));
    pairs(
        "euckr cp949 ms949 windows949 korean ksc56011987 ksc5601 cseuckr",
        "x-windows-949",
        Map.of());
    pairs("cp950 ms950 windows950", "x-windows-950", Map.of());
    pairs("big5 big5hkscs cnbig5 csbig5", "Big5-HKSCS", Map.of());
  }

  private static void singles(String names, String charset, Map<Integer, Character> changes) {
    add(names, () -> MultiByte.of(charset, Lead.NEVER, false, changes));
  }

  private static void pairs(String names, String charset, Map<Integer, Character> changes) {
    add(names, () -> MultiByte.of(charset, Lead.PAIRS, false, changes));
  }

  private static void java(String names, String charset) {
    add(
        names,
        () -> {
          Charset known = MultiByte.charset(charset);
          return known == null ? null : bytes -> new String(bytes, known);
        });
  }

  private static void add(String names, Supplier<@Nullable Function<byte[], String>> maker) {
    for (String name : names.split(" ", -1)) {
      NAMES.put(name, maker);
    }
  }
}
