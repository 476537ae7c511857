package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCodersTest {

  private static final class Coder {
    private boolean reset;
    private boolean ended;
  }

  private final MessageCoders<Coder> coders =
      new MessageCoders<>(Coder::new, coder -> coder.reset = true, coder -> coder.ended = true);

  @Test
  void aReturnedCoderIsReused() {
    Coder one = coders.take();
    assertNotSame(one, coders.take());
    assertFalse(one.reset);
    coders.give(one);
    assertTrue(one.reset && !one.ended);
    assertSame(one, coders.take());
    assertNotSame(one, coders.take());
  }

  @Test
  void nullIsIgnored() {
    coders.give(null);
    assertFalse(coders.take().reset);
  }

  @Test
  void keepsTwoCodersForEachProcessor() {
    int most = 2 * Runtime.getRuntime().availableProcessors();
    for (int round = 0; round < 2; round++) {
      List<Coder> taken = new ArrayList<>();
      for (int i = 0; i < most + 3; i++) {
        taken.add(coders.take());
      }
      assertEquals(round == 0 ? 0 : most, taken.stream().filter(coder -> coder.reset).count());
      taken.forEach(coders::give);
      assertEquals(3, taken.stream().filter(coder -> coder.ended).count());
    }
  }
}
