package dev.percolate.checks;

import dev.percolate.core.JsonCodec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A codec that fails. */
record ThrowingCodec(Fault fault) implements JsonCodec {

  @Override
  public @Nullable Object read(String json, ReadOptions reading) {
    return fault.raise();
  }

  @Override
  public @Nullable Object read(String json, Type type) {
    return fault.raise();
  }

  @Override
  public String write(@Nullable Object value, WriteOptions style) {
    return fault.raise();
  }
}
