package dev.percolate.reliability;

import java.util.Collection;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/** Random choices that several loads make. */
final class RandomChoice {

  private RandomChoice() {}

  /** Returns one of the elements; each is as probable as its share of all weights. */
  static <T> T weighted(SplittableRandom random, Collection<T> all, ToIntFunction<T> weight) {
    int drawn = random.nextInt(all.stream().mapToInt(weight).sum());
    for (T one : all) {
      drawn -= weight.applyAsInt(one);
      if (drawn < 0) {
        return one;
      }
    }
    throw new IllegalStateException("no elements");
  }

  /** Returns a size; small sizes are as frequent as large ones, by number of digits. */
  static int size(SplittableRandom random, int smallest, int largest) {
    return (int) Math.exp(random.nextDouble(Math.log(smallest), Math.log(largest)));
  }
}
