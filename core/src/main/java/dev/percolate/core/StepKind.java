package dev.percolate.core;

/**
 * A step that says what it is, for checks of the order in which steps stand.
 *
 * <p>Applications know no middleware by its class; in development they ask those that implement
 * this, once, as a server starts. It changes nothing in what the step does.
 */
public interface StepKind {

  /** Returns what the step is, and what it needs of those around it. */
  StepTraits traits();
}
