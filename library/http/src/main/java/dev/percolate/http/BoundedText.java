package dev.percolate.http;

/**
 * Limits the time that a regular expression spends on untrusted text: some expressions take time
 * exponential in the length of the text.
 *
 * <p>After 1,000,000 reads of a character, which take a few milliseconds, {@link Exhausted} is
 * thrown. Reasonable expressions need fewer. Callers must also catch {@link StackOverflowError},
 * which such expressions may cause.
 *
 * <p>Use an instance for one search only, on one thread.
 */
public final class BoundedText implements CharSequence {

  private static final int BUDGET = 1_000_000;

  private final CharSequence text;
  private int left = BUDGET;

  /** Thrown when the search has read too many characters. It has no cause and no stack trace. */
  public static final class Exhausted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Exhausted() {
      super("regular expression search exceeded 1000000 character reads", null, false, false);
    }
  }

  /**
   * Wraps text, with a full budget.
   *
   * @param text the text to search
   */
  public BoundedText(CharSequence text) {
    this.text = text;
  }

  /**
   * Returns a character.
   *
   * @throws Exhausted after too many reads
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
