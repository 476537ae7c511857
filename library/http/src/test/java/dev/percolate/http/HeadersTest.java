package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {

  @Test
  void namesAreEqualInAnyLetterCaseAndKeptAsGiven() {
    Headers headers = Headers.of("Content-TYPE", "a/b", "X-A", "1");
    assertEquals("a/b", headers.get("content-type"));
    assertTrue(headers.contains("x-a"));
    assertEquals("Content-TYPE", headers.name(0));
    assertNull(headers.get("content-typ"));
    assertNull(headers.get("content-typf"));
    assertFalse(headers.contains("@-a"));
  }

  @Test
  void onlyAsciiLettersFold() {
    Headers headers = new Headers().addReceived("[a", "1").addReceived("\u00e9", "2");
    assertNull(headers.get("{a"));
    assertNull(headers.get("\u00c9"));
  }

  @Test
  void getReturnsTheFirstAndAllReturnsEveryValueInOrder() {
    Headers headers = Headers.of("A", "1", "B", "2", "a", "3");
    assertEquals("1", headers.get("a"));
    assertEquals(List.of("1", "3"), headers.all("A"));
    assertEquals(List.of(), headers.all("C"));
    assertThrows(UnsupportedOperationException.class, () -> headers.all("A").add("4"));
  }

  @Test
  void setUncheckedReplacesLikeSetWithoutChecks() {
    Headers headers = Headers.of("A", "1", "B", "2", "a", "3");
    headers.setUnchecked("a", "4\u0001").setUnchecked("c", "5");
    assertEquals("a: 4\u0001\nB: 2\nc: 5\n", headers.toString());
  }

  @Test
  void setReplacesAllLinesAtThePositionOfTheFirst() {
    Headers headers = Headers.of("A", "1", "B", "2", "a", "3", "C", "4");
    headers.set("a", "9");
    assertEquals("a: 9\nB: 2\nC: 4\n", headers.toString());
    headers.set("D", "5");
    assertEquals("a: 9\nB: 2\nC: 4\nD: 5\n", headers.toString());
  }

  @Test
  void setOfAListWritesOneLineForEachValue() {
    Headers headers = Headers.of("A", "1", "B", "2", "A", "3");
    headers.set("A", List.of("x", "y", "z"));
    assertEquals("A: x\nA: y\nA: z\nB: 2\n", headers.toString());
    headers.set("A", List.of());
    assertEquals("B: 2\n", headers.toString());
    headers.set("N", List.of("1", "2"));
    assertEquals("B: 2\nN: 1\nN: 2\n", headers.toString());
  }

  @Test
  void listsBeyondTheCapacityAreAccepted() {
    Headers headers = Headers.of("A", "1", "B", "2");
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add("v" + i);
    }
    headers.set("A", many);
    assertEquals(101, headers.size());
    assertEquals(many, headers.all("a"));
    assertEquals("2", headers.value(100));
  }

  @Test
  void removeRemovesAllLinesOfTheNameOnly() {
    Headers headers = Headers.of("A", "1", "B", "2", "a", "3");
    assertEquals(1, headers.remove("A").size());
    assertEquals("B: 2\n", headers.remove("Z").toString());
    assertThrows(IndexOutOfBoundsException.class, () -> headers.value(1));
    assertThrows(IndexOutOfBoundsException.class, () -> headers.name(-1));
  }

  @Test
  void copiesAreIndependent() {
    Headers headers = Headers.of("A", "1");
    Headers copy = headers.copy().set("A", "2").add("B", "3");
    assertEquals("A: 1\n", headers.toString());
    assertEquals("A: 2\nB: 3\n", copy.toString());
  }

  @Test
  void frozenHeadersAreImmutableButTheirCopiesAreNot() {
    Headers headers = Headers.of("A", "1").freeze();
    assertThrows(IllegalStateException.class, () -> headers.set("A", "2"));
    assertThrows(IllegalStateException.class, () -> headers.set("A", List.of("2", "3")));
    assertThrows(IllegalStateException.class, () -> headers.setUnchecked("A", "2"));
    assertThrows(IllegalStateException.class, () -> headers.add("B", "2"));
    assertThrows(IllegalStateException.class, () -> headers.addReceived("B", "2"));
    assertThrows(IllegalStateException.class, () -> headers.remove("A"));
    assertEquals("A: 1\n", headers.toString());
    assertEquals("A: 2\n", headers.copy().set("A", "2").toString());
  }

  @Test
  void forEachWalksInOrder() {
    StringBuilder seen = new StringBuilder();
    Headers.of("A", "1", "B", "2", "A", "3").forEach((name, value) -> seen.append(name + value));
    assertEquals("A1B2A3", seen.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\r", "a\r\nX: y"})
  void valuesWithLineBreaksAreRejectedByName(String value) {
    Headers headers = new Headers();
    Exception error = assertThrows(IllegalArgumentException.class, () -> headers.set("X-A", value));
    assertEquals("value of header \"X-A\" must not contain a line break", error.getMessage());
  }

  @Test
  void controlCharactersOfValuesAreNamedEscaped() {
    Headers headers = new Headers();
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> headers.add("X-A", "a\u0000"));
    assertEquals(
        "value of header \"X-A\" must not contain the control character \\u0000",
        error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> headers.add("X-A", "\u001f"));
    assertThrows(IllegalArgumentException.class, () -> headers.add("X-A", "\u007f"));
    assertThrows(IllegalArgumentException.class, () -> headers.add("X-A", "\u0100"));
    assertEquals(0, headers.size());
  }

  @Test
  void valuesMayContainTabsSpacesAndLatin1() {
    assertEquals("\ta \u0080\u00ff~", Headers.of("A", "\ta \u0080\u00ff~").get("a"));
    assertEquals("", Headers.of("A", "").get("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:", "a\n", "\u00e9", "a(", "a\u007f", "\"a\""})
  void namesMustBeTokens(String name) {
    Headers headers = Headers.of("A", "1");
    assertThrows(IllegalArgumentException.class, () -> headers.add(name, "1"));
    assertThrows(IllegalArgumentException.class, () -> headers.set(name, "1"));
    assertThrows(IllegalArgumentException.class, () -> headers.set(name, List.of("1")));
    assertEquals("A: 1\n", headers.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"a\nb\" | a\\nb | a line break",
        "\"a\rb\" | a\\rb | a line break",
        "\"a\tb\" | a\\tb | the control character \\t",
        "a\u007f | a\\u007f | the control character \\u007f",
        "a b | a b | ' '",
        "\u0080 | \\u0080 | the character \\u0080",
        "~{ | ~{ | '{'"
      })
  void invalidNamesAreShownEscaped(String name, String shown, String fault) {
    assertEquals("header name \"" + shown + "\" must not contain " + fault, failure(name));
  }

  @Test
  void longInvalidNamesAreShortened() {
    String name = "a".repeat(79) + " ";
    assertTrue(failure(name).contains("\"" + name + "\""));
    assertTrue(failure(name + "b").contains("\"" + name + "...\""));
  }

  private static String failure(String name) {
    return assertThrows(IllegalArgumentException.class, () -> Headers.of(name, "1")).getMessage();
  }

  @Test
  void nothingChangesIfOneValueOfAListIsInvalid() {
    Headers headers = Headers.of("A", "1");
    assertThrows(IllegalArgumentException.class, () -> headers.set("A", List.of("2", "3\n")));
    assertEquals("A: 1\n", headers.toString());
  }

  @Test
  void allTokenCharactersAreAllowedInNames() {
    assertEquals("1", Headers.of("!#$%&'*+-.^_`|~09azAZ", "1").value(0));
  }

  @Test
  void receivedLinesAreNotChecked() {
    assertEquals("c\u0001", new Headers().addReceived("a b", "c\u0001").get("A B"));
  }

  @Test
  void namesAndValuesComeInPairs() {
    assertThrows(IllegalArgumentException.class, () -> Headers.of("A"));
  }
}
