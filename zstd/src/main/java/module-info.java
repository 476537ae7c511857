import org.jspecify.annotations.NullMarked;

/** Request bodies in zstd. */
@NullMarked
module dev.percolate.zstd {
  requires transitive dev.percolate.parsers;
  requires com.github.luben.zstd_jni;
  requires static org.jspecify;

  exports dev.percolate.zstd;

  provides dev.percolate.parsers.ContentCoding with
      dev.percolate.zstd.ZstdCoding;
}
