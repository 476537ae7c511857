package dev.percolate.inspector.reload;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if sources do not compile. */
public final class CompileException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient List<SourceError> errors;

  CompileException(List<SourceError> errors) {
    super(errors.stream().map(SourceError::toString).collect(Collectors.joining("\n")));
    this.errors = errors;
  }

  /** Returns the errors, in the order of the compiler. */
  public List<SourceError> errors() {
    return errors;
  }
}
