package dev.percolate.http;

/**
 * Lets a regular expression look at a text of somebody else within a budget of steps: some
 * expressions take a time that is exponential in the text.
 *
 * <p>The budget, a million looks at a character, allows for any reasonable expression and is used
 * up in some milliseconds; then {@link Exhausted} is thrown. Such expressions may also overflow the
 * stack, which callers catch beside it.
 *
 * <p>It is for one search by one thread.
 */
public final class BoundedText implements CharSequence {

  private static final int BUDGET = 1_000_000;

  private final CharSequence text;
  private int left = BUDGET;

  /** Says that the budget is used up; it has neither cause nor stack. */
  public static final class Exhausted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Exhausted() {
      super("the budget of a search is used up", null, false, false);
    }
  }

  /**
   * Creates a text with a whole budget.
   *
   * @param text what is looked at
   */
  public BoundedText(CharSequence text) {
    this.text = text;
  }

  /**
   * Returns a character.
   *
   * @throws Exhausted if the budget is used up
   */
  @Override
  public char charAt(int index) {
    if (--left < 0) {
      throw new Exhausted();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
