package dev.percolate.conformance;

import dev.percolate.core.Next;

/** Passes requests on to another {@link Next}. Subclasses act before that. */
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
