import org.jspecify.annotations.NullMarked;

/** Body parsers for JSON, bytes, text and forms. */
@NullMarked
module dev.percolate.parsers {
  requires transitive dev.percolate.core;
  requires static org.jspecify;

  exports dev.percolate.parsers;

  uses dev.percolate.parsers.ContentCoding;

  provides dev.percolate.core.BodyDecoder with
      dev.percolate.parsers.ContentDecoder;
}
