package dev.percolate.checks;

import dev.percolate.parsers.ContentCoding;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A content coding that fails. */
public final class LoadedCoding implements ContentCoding {

  static final String NAME = "x-failing";

  static volatile @Nullable Fault fault;

  /** Called by {@link java.util.ServiceLoader}. */
  public LoadedCoding() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public InputStream inflate(InputStream body) {
    Fault raised = fault;
    return raised == null ? body : raised.raise();
  }
}
