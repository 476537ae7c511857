package dev.percolate.redis;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the reply to a command: a string, a number, null, or a list of these. */
final class ReplyOutput extends CommandOutput<String, String, Object> {

  private @Nullable List<@Nullable Object> list;
  private @Nullable Object value;

  ReplyOutput(RedisCodec<String, String> codec) {
    super(codec, "");
  }

  @Override
  public @Nullable Object get() {
    return list == null ? value : list;
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    add(bytes == null ? null : codec.decodeValue(bytes));
  }

  @Override
  public void set(long integer) {
    add(integer);
  }

  @Override
  public void multi(int count) {
    if (list == null && count >= 0) {
      list = new ArrayList<>(count);
    }
  }

  private void add(@Nullable Object one) {
    if (list == null) {
      value = one;
    } else {
      list.add(one);
    }
  }
}
