package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EntryFormTest {

  @Test
  void textsLoseTheBlanksAroundThem() {
    EntryForm form = EntryForm.of(Map.of("name", " Ann\t", "message", "\r\n hi \n"));
    assertEquals(new EntryForm("Ann", "hi", Map.of()), form);
  }

  @Test
  void aNameIsOneLineAndAMessageKeepsItsLines() {
    EntryForm form = EntryForm.of(Map.of("name", "Ann\r\nLee", "message", "a\r\nb\rc\n\nd"));
    assertEquals(new EntryForm("Ann Lee", "a\nb\nc\n\nd", Map.of()), form);
  }

  @Test
  void controlCharactersAreDropped() {
    EntryForm form = EntryForm.of(Map.of("name", "A\0n\u001bn\u007f", "message", "x\u0085y😀"));
    assertEquals(new EntryForm("Ann", "xy😀", Map.of()), form);
  }

  @Test
  void lengthsAreCountedAsBrowsersDo() {
    String message = "x\r\n".repeat(EntryForm.LONGEST_MESSAGE / 2 - 1) + "xx";
    assertEquals(
        Map.of(), EntryForm.of(Map.of("name", "n".repeat(60), "message", message)).errors());
    EntryForm long1 = EntryForm.of(Map.of("name", "n".repeat(61), "message", message + "y"));
    assertEquals(Set.of("name", "message"), long1.errors().keySet());
    assertEquals("Please use 60 characters at most; 61 now.", long1.errors().get("name"));
    assertEquals(61, long1.name().length());
  }

  @Test
  void whatIsNoTextIsMissing() {
    for (Object fields :
        List.of(Map.of(), List.of(), "x", Map.of("name", 1, "message", List.of("a")))) {
      assertEquals(List.of("name", "message"), List.copyOf(EntryForm.of(fields).errors().keySet()));
    }
    assertEquals(2, EntryForm.of(null).errors().size());
  }
}
