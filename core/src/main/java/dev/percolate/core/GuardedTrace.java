package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import org.jspecify.annotations.Nullable;

/** Calls another trace; what that throws is logged, and the request goes on. */
record GuardedTrace(RequestTrace trace) implements RequestTrace {

  private static final String WHAT = "a trace of a request";

  @Override
  public void begins(
      Next next, Class<?> step, String layer, @Nullable String origin, @Nullable Throwable error) {
    Callbacks.run(WHAT, () -> trace.begins(next, step, layer, origin, error));
  }

  @Override
  public void passes(Next next, @Nullable Throwable error) {
    Callbacks.run(WHAT, () -> trace.passes(next, error));
  }

  @Override
  public void resumes(Next next) {
    Callbacks.run(WHAT, () -> trace.resumes(next));
  }

  @Override
  public void threw(Next next, Throwable thrown) {
    Callbacks.run(WHAT, () -> trace.threw(next, thrown));
  }

  @Override
  public void returned(Next next) {
    Callbacks.run(WHAT, () -> trace.returned(next));
  }

  @Override
  public void logged(CharSequence line) {
    Callbacks.run(WHAT, () -> trace.logged(line));
  }

  /** Makes a page; the caller takes the default one if that fails. */
  @Override
  public @Nullable Page page(@Nullable Throwable error, int status) {
    return trace.page(error, status);
  }
}
