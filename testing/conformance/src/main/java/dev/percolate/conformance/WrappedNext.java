package dev.percolate.conformance;

import dev.percolate.core.Next;

/** Passes on by another {@link Next}; a subclass says what is done before it. */
abstract class WrappedNext implements Next {

  private final Next wrapped;

  WrappedNext(Next wrapped) {
    this.wrapped = wrapped;
  }

  @Override
  public void run() {
    wrapped.run();
  }

  @Override
  public void fail(Throwable error) {
    wrapped.fail(error);
  }

  @Override
  public final void route() {
    wrapped.route();
  }
}
