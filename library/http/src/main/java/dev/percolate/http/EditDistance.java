package dev.percolate.http;

/** Measures the distance between two words, to find the intended spelling of a misspelled word. */
public final class EditDistance {

  private EditDistance() {}

  /**
   * Returns the number of letters to add, remove, replace, or swap with the next one, to turn one
   * word into the other. Time and memory grow with the product of the lengths.
   *
   * @param a a word
   * @param b another word
   * @return the number of changes; 0 if the words are equal
   */
  public static int between(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        least = Math.min(least, cost[i - 1][j - 1] + replaced);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = least;
      }
    }
    return cost[a.length()][b.length()];
  }
}
