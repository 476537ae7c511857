package dev.percolate.testkit;

import dev.percolate.core.ChunkReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads only the first chunk of a body. */
final class FirstChunk implements ChunkReader {

  private final Consumer<String> then;
  private String text = "";

  FirstChunk(Consumer<String> then) {
    this.then = then;
  }

  @Override
  public boolean chunk(ByteBuffer bytes) {
    text += StandardCharsets.UTF_8.decode(bytes);
    return false;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    then.accept(failure == null ? text : failure.toString());
  }
}
