package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Sees the steps of one request as they run, and makes its default pages, for developers; see
 * {@link Request#trace}.
 *
 * <p>A step is named by its {@code next}, which is to be held weakly: the watch over requests that
 * hang tells by it whether anybody can pass on any more. The methods are called on the turn of the
 * request, but {@link #passes} and {@link #resumes} by whichever thread passes on; they must not
 * block. If they throw, that is logged and the request continues.
 */
public interface RequestTrace {

  /**
   * Is called before a step.
   *
   * @param next its next
   * @param step the class of the step
   * @param layer which step of its application it is, such as {@code layer 3, get /users}
   * @param origin file and line where it was defined; null if that is not known
   * @param error what it gets as an error handler; null for none
   */
  void begins(
      Next next, Class<?> step, String layer, @Nullable String origin, @Nullable Throwable error);

  /**
   * Is called when a step passes on, before what follows.
   *
   * @param next its next
   * @param error what it passes on; null for none
   */
  void passes(Next next, @Nullable Throwable error);

  /**
   * Is called when what follows a step has returned, or goes on elsewhere.
   *
   * @param next its next
   */
  void resumes(Next next);

  /**
   * Is called when a step has thrown, before that goes on as an error.
   *
   * @param next its next
   * @param thrown what it has thrown
   */
  void threw(Next next, Throwable thrown);

  /**
   * Is called when a step has returned.
   *
   * @param next its next
   */
  void returned(Next next);

  /**
   * Is called with the line that a logger writes of the request.
   *
   * @param line the line
   */
  default void logged(CharSequence line) {}

  /**
   * Makes the page that is sent where nobody has answered; it may set headers of the response.
   *
   * @param error the error; null where no step has answered
   * @param status the status of the answer
   * @return the page; null for the default one
   */
  default @Nullable Page page(@Nullable Throwable error, int status) {
    return null;
  }

  /**
   * A page.
   *
   * @param type its content type, with charset UTF-8
   * @param text its text
   */
  record Page(String type, String text) {}
}
