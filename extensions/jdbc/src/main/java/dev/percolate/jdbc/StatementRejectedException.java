package dev.percolate.jdbc;

import java.io.IOException;

/** Reports that the database responds, and has rejected a statement. */
final class StatementRejectedException extends IOException {

  private static final long serialVersionUID = 1L;

  StatementRejectedException(String message) {
    super(message);
  }
}
