import org.jspecify.annotations.NullMarked;

/** Reads and writes JSON: plain values with its own code, other types with Jackson 3. */
@NullMarked
module dev.percolate.json {
  requires transitive dev.percolate.core;
  requires transitive tools.jackson.databind;
  requires static jakarta.validation; // for constraints
  requires static org.jspecify;

  exports dev.percolate.json;

  provides dev.percolate.core.JsonCodec with
      dev.percolate.json.JacksonCodec;
}
