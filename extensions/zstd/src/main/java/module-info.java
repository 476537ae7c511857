import org.jspecify.annotations.NullMarked;

/** Decompresses zstd request bodies for the body parsers. */
@NullMarked
module dev.percolate.zstd {
  requires transitive dev.percolate.parsers;
  requires com.github.luben.zstd_jni;
  requires static org.jspecify;

  exports dev.percolate.zstd;

  provides dev.percolate.parsers.ContentCoding with
      dev.percolate.zstd.ZstdCoding;
}
