package dev.percolate.http;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Measures the distance between two words, to find the intended spelling of a misspelled word. */
public final class EditDistance {

  private EditDistance() {}

  /**
   * Returns the known word that is probably meant by a misspelled word. Case, spaces and
   * punctuation do not count; at most a quarter of the other characters may differ, or one.
   *
   * @param word the misspelled word
   * @param known the known words
   * @return the most similar word, the first if there are several; null if none is similar
   */
  public static @Nullable String nearest(String word, Collection<String> known) {
    String sent = plain(word);
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      String wanted = plain(candidate);
      int shorter = Math.min(sent.length(), wanted.length());
      int limit = Math.min(Math.max(1, shorter / 4), shorter - 1);
      if (Math.abs(sent.length() - wanted.length()) <= limit) {
        int distance = between(sent, wanted);
        if (distance <= limit && distance < least) {
          nearest = candidate;
          least = distance;
        }
      }
    }
    return nearest;
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
  }

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
