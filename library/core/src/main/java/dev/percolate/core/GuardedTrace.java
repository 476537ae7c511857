package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import org.jspecify.annotations.Nullable;

/** Calls another trace. Logs its failures, so that the request continues. */
record GuardedTrace(RequestTrace trace) implements RequestTrace {

  private static final String WHAT = "a request trace";

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

  /** Creates a page. If this throws, the caller uses the default page. */
  @Override
  public @Nullable Page page(@Nullable Throwable error, int status) {
    return trace.page(error, status);
  }
}
