package dev.percolate.multipart;

import dev.percolate.http.Charsets;
import dev.percolate.http.MediaType;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The Content-Type header of a part (RFC 7578 section 4.4). The default is text. */
final class PartType {

  private static final Set<String> TEXT =
      Set.of(
          ("application/graphql application/javascript application/json application/jwt"
                  + " application/x-ndjson application/x-www-form-urlencoded application/xml"
                  + " application/yaml")
              .split(" "));

  private final MediaType type;

  PartType(@Nullable String header) {
    this.type = MediaType.parse(header);
  }

  /** Returns the decoder of the charset; null if it is absent or unknown. */
  @Nullable Function<byte[], String> decoder() {
    String charset = type.parameter("charset");
    return charset == null ? null : Charsets.find(charset);
  }

  /** Returns true if the content is not text, so that a part is a file even without a file name. */
  boolean isBinary() {
    String name = type.type();
    return name != null
        && decoder() == null
        && !TEXT.contains(name)
        && !name.startsWith("text/")
        && !name.startsWith("multipart/")
        && !name.startsWith("message/")
        && !name.endsWith("+json")
        && !name.endsWith("+xml");
  }
}
