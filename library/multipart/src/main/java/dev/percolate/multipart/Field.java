package dev.percolate.multipart;

import dev.percolate.http.Charsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A form field as it was sent. Use it for fields in an unknown charset, or fields that are not
 * text.
 */
public final class Field {

  private final String name;
  private final @Nullable String type;
  private final byte[] bytes;

  Field(String name, @Nullable String type, byte[] bytes) {
    this.name = name;
    this.type = type;
    this.bytes = bytes;
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the media type that the client sent, unchecked; null if it sent none. */
  public @Nullable String type() {
    return type;
  }

  /** Returns a copy of the content. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Returns the content as text.
   *
   * @param charset the name of a charset, such as {@code windows-1252}; letter case, hyphens and
   *     similar characters are ignored
   * @throws IllegalArgumentException if the charset is unknown
   */
  public String text(String charset) {
    return decoder(charset).apply(bytes);
  }

  @Override
  public String toString() {
    return name + " (" + bytes.length + " bytes)";
  }

  static Function<byte[], String> decoder(String charset) {
    Function<byte[], String> decoder = Charsets.find(charset);
    if (decoder == null) {
      throw new IllegalArgumentException("unknown charset \"" + charset + '"');
    }
    return decoder;
  }
}
