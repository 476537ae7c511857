package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilePathTest {

  private static final Path ROOT = Path.of("srv", "pub").toAbsolutePath();
  private static final FileOptions ROOTED = FileOptions.none().root(ROOT);

  @ParameterizedTest
  @CsvSource({
    "'',''",
    "/,''",
    "/.,''",
    "/a.txt,a.txt",
    "a//b///c,a/b/c",
    "/a/./b,a/b",
    "/a/../b,b",
    "/a/b/../../c,c",
    "/a/..,''",
    "/a%20b%2Bc+d,a b+c+d",
    "/a%2Fb,a/b",
    "/a%252Fb,a%2Fb",
    "/...,...",
    "/..a/b..,..a/b..",
    "/a%25zz,a%zz"
  })
  void aPathIsDecodedOnceAndStaysBelowTheRoot(String path, String below) {
    FileOptions options = ROOTED.dotfiles("allow");
    assertEquals(ROOT.resolve(below), FilePath.decode(path, options).file());
  }

  @ParameterizedTest // STA-04
  @ValueSource(strings = {"/%", "/%zz", "/a%2", "/%c0%ae", "/%ff", "/%E0%A4%A", "/%00", "/a\0b"})
  void malformedPathsAre400(String path) {
    assertEquals(400, rejection(path, ROOTED));
    assertEquals(400, rejection(path, FileOptions.none()));
  }

  @ParameterizedTest // STA-01, STA-03
  @ValueSource(
      strings = {
        "..",
        "/..",
        "/../x",
        "/../pub/x",
        "/../pub",
        "/%2e%2e/x",
        "/.%2e/x",
        "/..%2fx",
        "/a/../../x",
        "/a/%2e%2e/%2E%2E/x",
        "/..%5cx",
        "/..\\x",
        "/a\\..\\..\\x",
        "/a\\..",
        "/a%5C..%5c",
        "//..//x",
        "/./../x",
        "../../../../etc/passwd"
      })
  void pathsThatLeaveTheRootAre403EvenIfTheyReturn(String path) {
    assertEquals(403, rejection(path, ROOTED));
    assertEquals(403, rejection(path, FileOptions.none()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/../b", "/a/..", "a%2f..%2Fb", "a/..\\b"})
  void withoutARootTwoDotsAre403(String path) {
    assertEquals(403, rejection(path, FileOptions.none()));
  }

  @Test
  void withoutARootPathsAreAbsoluteOrRelativeToTheWorkingDirectory() {
    assertEquals(
        Path.of("a.txt").toAbsolutePath(), FilePath.decode("a.txt", FileOptions.none()).file());
    assertEquals(
        Path.of("/tmp/a b").toAbsolutePath(),
        FilePath.decode("/tmp/a%20b", FileOptions.none()).file());
  }

  @Test
  void decodedAndReceivedSlashesAreDistinguished() {
    assertTrue(FilePath.decode("/a/", ROOTED).folder());
    assertFalse(FilePath.decode("/a%2F", ROOTED).folder());
    assertTrue(FilePath.decode("/a%2F", ROOTED).slash());
    assertFalse(FilePath.decode("/a", ROOTED).slash());
  }

  @ParameterizedTest
  @CsvSource({
    // path, default, default with the setting, hidden, allow, deny, ignore
    "/.env,404,404,0,0,403,404",
    "/a/.env,404,404,0,0,403,404",
    "/.git/config,404,0,0,0,403,404",
    "/a/.git/b/c,404,0,0,0,403,404",
    "/.git/,404,0,0,0,403,404",
    "/.git%2F,404,0,0,0,403,404",
    "/.git/.env,404,404,0,0,403,404",
    "/%2eenv,404,404,0,0,403,404",
    "/.,0,0,0,0,0,0",
    "/./a,0,0,0,0,0,0",
    "'',0,0,0,0,0,0",
    "/.git/../a,0,0,0,0,0,0",
    "/a.b/c.,0,0,0,0,0,0"
  })
  void dotfilesAreAllowedDeniedOrIgnored(
      String path, int none, int folders, int hidden, int allow, int deny, int ignore) {
    assertEquals(none, rejection(path, ROOTED));
    Settings open = new Settings().set(Settings.DOTTED_FOLDERS, true);
    assertEquals(folders, rejection(path, ROOTED.under(open)));
    assertEquals(deny, rejection(path, ROOTED.dotfiles("deny").under(open)));
    assertEquals(ignore, rejection(path, ROOTED.dotfiles("ignore").under(open)));
    assertEquals(hidden, rejection(path, ROOTED.hidden(true)));
    assertEquals(allow, rejection(path, ROOTED.dotfiles("allow")));
    assertEquals(deny, rejection(path, ROOTED.hidden(true).dotfiles("deny")));
    assertEquals(ignore, rejection(path, ROOTED.hidden(true).dotfiles("ignore")));
  }

  @ParameterizedTest
  @CsvSource({
    "/.well-known,0",
    "/.well-known/acme-challenge/x,0",
    "/a/.well-known/x,0",
    "/.well-known/.env,404",
    "/.well-known2/x,404",
    "/.Well-Known/x,404",
    "/.git/.well-known,404",
    "/.env,404",
  })
  void dottedNamesAreAllowed(String path, int rejection) {
    FileOptions known = ROOTED.allowedDotfiles(".well-known");
    assertEquals(rejection, rejection(path, known));
    assertEquals(rejection, rejection(path, known.dotfiles("ignore")));
    assertEquals(rejection == 0 ? 0 : 403, rejection(path, known.dotfiles("deny")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"well-known", "", ".", "..", ".a/b"})
  void dottedNamesMustBeginWithADot(String name) {
    assertThrows(IllegalArgumentException.class, () -> ROOTED.allowedDotfiles(".x", name));
  }

  @ParameterizedTest
  @CsvSource({
    "/a%2Fb,404",
    "/users%2fb,400",
    "/%2Fa,400",
    "/users/%5cb,400",
    "/%61,400",
    "/users/a%2eb,404",
    "/a%20b%C3%A9,0",
    "/%2561,0",
    "/../x,403",
    "/%zz,400",
    "/%%36%31,404",
  })
  void ambiguousEscapesAreRejectedUnlessAllowed(String path, int rejection, @TempDir Path pub)
      throws Exception {
    Files.createDirectories(pub.resolve("users"));
    FileOptions options = FileOptions.none().root(pub);
    FakeExchange exchange = FakeExchange.of("GET", "/");
    assertEquals(
        rejection,
        rejection(() -> FilePath.decode(path, options, exchange.request().normalised())));
    exchange.setting("ambiguous targets", "pass");
    int plain = rejection(path, options);
    assertEquals(
        plain, rejection(() -> FilePath.decode(path, options, exchange.request().normalised())));
  }

  @Test
  void withoutARootAllPartsOfThePathAreCheckedForDots() {
    FileOptions deny = FileOptions.none().dotfiles("deny");
    assertEquals(403, rejection("/home/.x/a", deny));
    assertEquals(0, rejection("./a", deny));
    FileOptions below = deny.root(Path.of("/home/.x"));
    assertEquals(0, rejection("/a", below));
  }

  @Test
  void pathsOfTheApplicationStayBelowTheRoot() {
    Path any = Path.of("..", ".x");
    assertEquals(any.toAbsolutePath(), FilePath.of(any, FileOptions.none()).file());
    assertEquals(ROOT.resolve("b"), FilePath.of(Path.of("a/../b"), ROOTED).file());
    assertEquals(ROOT.resolve("b"), FilePath.of(ROOT.resolve("b"), ROOTED).file());
    assertEquals(403, ofRejection(Path.of("../x"), ROOTED));
    assertEquals(403, ofRejection(Path.of("../pub-private/x"), ROOTED));
    assertEquals(403, ofRejection(ROOT.resolveSibling("pub-private"), ROOTED));
    assertEquals(403, ofRejection(Path.of("/etc/passwd"), ROOTED));
    assertEquals(404, ofRejection(Path.of(".env"), ROOTED));
    assertEquals(404, ofRejection(Path.of(".git/config"), ROOTED));
    assertEquals(403, ofRejection(Path.of(".git/config"), ROOTED.dotfiles("deny")));
  }

  @ParameterizedTest
  @CsvSource({"todo,false", "todo.,true", ".env,false", ".a.b,true", "a.b/c,false", "a.txt,true"})
  void anExtensionIsADotAfterTheFirstCharacter(String path, boolean has) {
    assertEquals(has, FilePath.decode(path, ROOTED.dotfiles("allow")).hasExtension());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\b", "C:", "x::$DATA", "a.", "a ", "..\\..\\x"})
  void namesThatAreInvalidWithBackslashesAreForeign(String part) {
    assertTrue(FilePath.isForeign(part));
    assertFalse(FilePath.isForeign("a.txt"));
  }

  @ParameterizedTest
  @CsvSource({
    "GIT~1,true",
    "git~1,true",
    "HTACCE~1,true",
    "ADMINI~2.TXT,true",
    "GI1A2B~1,true",
    "ab~10.x,true",
    "LONGFILE~1,false",
    "vendors~main.js,false",
    "notes.txt~1,false",
    "notes~,false",
    "~1,false",
    "a~1.html,false"
  })
  void shortNamesOfWindowsAreRecognized(String part, boolean isShort) {
    assertEquals(isShort, FilePath.isShort(part));
  }

  @Test
  void noMixtureOfDotsAndSeparatorsLeavesTheRoot() {
    String[] pieces = {
      "..", ".", "/", "\\", "%2e", "%2E", "%2f", "%5c", "a", "pub", "%252e", "//", "%00", "%", ".."
    };
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      StringBuilder path = new StringBuilder();
      for (int n = random.nextInt(10); n >= 0; n--) {
        path.append(pieces[random.nextInt(pieces.length)]);
      }
      try {
        Path file = FilePath.decode(path.toString(), ROOTED.dotfiles("allow")).file();
        assertTrue(file.normalize().startsWith(ROOT), path::toString);
      } catch (HttpError e) {
        assertTrue(e.status() == 400 || e.status() == 403, path::toString);
      }
    }
  }

  private static int rejection(String path, FileOptions options) {
    return rejection(() -> FilePath.decode(path, options));
  }

  private static int rejection(Supplier<FilePath> decoding) {
    try {
      assertTrue(decoding.get().file().isAbsolute());
      return 0;
    } catch (HttpError e) {
      return e.status();
    }
  }

  private static int ofRejection(Path path, FileOptions options) {
    return assertThrows(HttpError.class, () -> FilePath.of(path, options)).status();
  }
}
