import org.jspecify.annotations.NullMarked;

/** Forms with file uploads. */
@NullMarked
module dev.percolate.multipart {
  requires transitive dev.percolate.core;
  requires static org.jspecify;

  exports dev.percolate.multipart;
}
