package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PhraseTest {

  @ParameterizedTest
  @MethodSource("phrases")
  void phrasesAreFoundInTheirHitAndNotInTheirMiss(Phrase phrase) {
    assertTrue(phrase.isIn(phrase.hit()), phrase.hit());
    assertFalse(phrase.isIn(phrase.miss()), phrase.miss());
  }

  @Test
  void pagesAreSplitIntoParagraphsWithoutCode() {
    assertEquals(
        List.of("Title", "One two.", "A link and `…`.", "cell", "other"),
        texts(
            Passage.ofPage(
                "a.md",
                """
                # Title
                One<!-- no text -->
                two.
                - A [link](to.md) and `code`.

                ```java
                code
                ```

                | cell | other |
                """)));
  }

  @Test
  void javadocIsSplitIntoParagraphsWithoutCode() {
    assertEquals(
        List.of("Sets the `…`.", "Second paragraph.", "the lines"),
        texts(
            Passage.ofJavadoc(
                "A.java",
                " Sets the {@code queue}.\n\n <pre>\n code\n </pre>\n\n <p>Second\n paragraph.\n\n"
                    + " @param lines the lines")));
  }

  @Test
  void sourcesHaveTheJavadocThatUsersReadAndAllMessages() throws IOException {
    List<Passage> passages =
        Passages.of(
            "src/A.java",
            """
            /** A class. */
            public class A {
              /** Hidden. */
              private int field;

              /** Sets it. */
              public A set(int value) {
                throw new Error("value must be " + value + " or more");
              }

              /** Reads it. */
              public int get() {}

              /** Hidden. */
              static class B {
                /** Hidden. */
                public void c() {}
              }
            }
            """);
    assertEquals(
        List.of("A class.", "Sets it.", "Reads it."), texts(passages, Passage.Kind.JAVADOC));
    assertEquals(List.of("Sets it."), texts(passages, Passage.Kind.SETTER_JAVADOC));
    assertEquals(List.of("value must be … or more"), texts(passages, Passage.Kind.MESSAGE));
  }

  private static List<Phrase> phrases() {
    return Phrase.ALL;
  }

  private static List<String> texts(List<Passage> passages) {
    return passages.stream().map(Passage::text).toList();
  }

  private static List<String> texts(List<Passage> passages, Passage.Kind kind) {
    return texts(passages.stream().filter(passage -> passage.kind() == kind).toList());
  }
}
