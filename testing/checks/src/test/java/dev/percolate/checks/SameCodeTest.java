package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SameCodeTest {

  private static final String BEFORE =
      """
      package a;

      import b.Documented;
      import b.Used;

      /** Uses {@link Documented}. */
      class A {
        @Test
        void unclearName() {
          // Throws.
          throw new Used("no " + name + " that" + " is one");
        }
      }
      """;

  @Test
  void commentsStringsTestNamesAndImportsForJavadocMayChange() throws IOException {
    assertSame(
        BEFORE,
        """
        package a;

        import b.Used;

        /** A class. */
        class A {
          @Test
          void clearName() {
            throw new Used(("invalid name: " + name));
          }
        }
        """);
  }

  @Test
  void codeMayNotChange() throws IOException {
    assertReplacementDiffers(" + name", " + value");
    assertReplacementDiffers("name + ", "name + 1 + ");
    assertReplacementDiffers("new Used", "new b.Used");
    assertReplacementDiffers("b.Used;", "c.Used;");
    assertReplacementDiffers("@Test", "@Test @Slow");
    assertReplacementDiffers("@Test", "");
    assertReplacementDiffers("class A", "record A()");
    assertReplacementDiffers("void", "static void");
    assertReplacementDiffers("throw ", "if (true) throw ");
  }

  @Test
  void onlyTheTextsOfAConcatenationMayChange() throws IOException {
    assertSame(field("\"x\" + a + b"), field("(\"y\" + a) + b + \"z\""));
    assertSame(field("a + (\"x\" + b)"), field("a + \"y\" + b"));
    assertDiffer(field("a + b + \"x\""), field("\"x\" + a + b"));
    assertDiffer(field("a + b + \"x\""), field("a + (b + \"x\")"));
    assertDiffer(field("\"x\" + a"), field("a"));
    assertDiffer(field("f(a)"), field("f(a, \"x\")"));
  }

  @Test
  void expressionsThatDifferAreFound() throws IOException {
    assertDiffer(field("1"), field("2"));
    assertDiffer(field("'a'"), field("\"a\""));
    assertDiffer(field("a + b"), field("a - b"));
    assertDiffer(field("a::b"), field("a::c"));
    assertDiffer(field("new int[0]"), field("new int[] {}"));
    assertDiffer(field("() -> a"), field("() -> { return a; }"));
  }

  @Test
  void differencesNameTheFileTheLineAndBothTexts() throws IOException {
    assertEquals(
        Optional.of("A.java:2: IDENTIFIER b, was IDENTIFIER a"),
        SameCode.difference("A.java", field("a"), field("\nb")));
  }

  @Test
  void invalidSourcesAreErrors() {
    assertThrows(
        IllegalArgumentException.class, () -> SameCode.difference("A.java", BEFORE, "class {"));
  }

  private static void assertReplacementDiffers(String old, String current) throws IOException {
    assertDiffer(BEFORE, BEFORE.replace(old, current));
  }

  private static void assertDiffer(String before, String after) throws IOException {
    assertTrue(SameCode.difference("A.java", before, after).isPresent(), after);
  }

  private static void assertSame(String before, String after) throws IOException {
    assertEquals(Optional.empty(), SameCode.difference("A.java", before, after));
  }

  private static String field(String value) {
    return "class A { Object field = " + value + "; }";
  }
}
