package dev.percolate.nio.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.nio.loop.BodyBuffer;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UpgradedInputTest {

  private static final BodyBuffer.Flow FLOW =
      new BodyBuffer.Flow() {
        @Override
        public void pause() {}

        @Override
        public void resume() {}
      };

  @Test
  void singleBytesAreJoinedWhileNoHandlerReads() {
    UpgradedInput input = new UpgradedInput(FLOW);
    byte[] all = new byte[5_000];
    new Random(1).nextBytes(all);
    for (int i = 0; i < all.length; i++) {
      assertEquals(i + 1, input.take(all, i, i + 1));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int reads = 0;
    while (out.size() < all.length) {
      input.read(
          (piece, failure) -> {
            byte[] some = new byte[piece.remaining()];
            piece.get(some);
            out.writeBytes(some);
          });
      reads++;
    }
    assertArrayEquals(all, out.toByteArray());
    assertTrue(reads <= 10, reads + " pieces");
  }
}
