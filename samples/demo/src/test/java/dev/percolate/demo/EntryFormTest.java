package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EntryFormTest {

  @Test
  void textIsStripped() {
    EntryForm form = of(" Ann\t", "\r\n hi \n");
    assertEquals(new EntryForm("Ann", "hi", Map.of()), form);
  }

  @Test
  void aNameIsOneLineAndAMessageKeepsItsLines() {
    EntryForm form = of("Ann\r\nLee", "a\r\nb\rc\n\nd");
    assertEquals(new EntryForm("Ann Lee", "a\nb\nc\n\nd", Map.of()), form);
  }

  @Test
  void controlCharactersAreDropped() {
    EntryForm form = of("A\0n\u001bn\u007f", "x\u0085y😀");
    assertEquals(new EntryForm("Ann", "xy😀", Map.of()), form);
  }

  @Test
  void lengthsAreCountedAsInBrowsers() {
    String message = "x\r\n".repeat(EntryForm.LONGEST_MESSAGE / 2 - 1) + "xx";
    assertEquals(Map.of(), of("n".repeat(60), message).errors());
    EntryForm long1 = of("n".repeat(61), message + "y");
    assertEquals(Set.of("name", "message"), long1.errors().keySet());
    assertEquals("Please use at most 60 characters, not 61.", long1.errors().get("name"));
    assertEquals(61, long1.name().length());
  }

  @Test
  void missingFieldsAreErrors() {
    assertEquals(List.of("name", "message"), List.copyOf(of(null, null).errors().keySet()));
    assertEquals(2, EntryForm.of(null).errors().size());
  }

  private static EntryForm of(@Nullable String name, @Nullable String message) {
    return EntryForm.of(new EntryForm.Draft(name, message));
  }
}
