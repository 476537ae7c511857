package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BoundedTextTest {

  @Test
  void behavesLikeItsText() {
    BoundedText text = new BoundedText("hello");
    assertEquals(5, text.length());
    assertEquals('e', text.charAt(1));
    assertEquals("ell", text.subSequence(1, 4).toString());
    assertEquals("hello", text.toString());
  }

  @Test
  void allowsAMillionReads() {
    BoundedText text = new BoundedText("x");
    for (int i = 0; i < 1_000_000; i++) {
      assertEquals('x', text.charAt(0));
    }
    BoundedText.Exhausted used = assertThrows(BoundedText.Exhausted.class, () -> text.charAt(0));
    assertEquals(0, used.getStackTrace().length);
  }

  @Test
  void searchesThatTakeForeverEnd() {
    Pattern slow = Pattern.compile("(x|xx)+y\\1");
    assertFalse(slow.matcher(new BoundedText("xxz")).lookingAt());
    assertThrows(
        BoundedText.Exhausted.class,
        () -> slow.matcher(new BoundedText("x".repeat(60) + "z")).lookingAt());
  }
}
