package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the originals' responses to generated trials with those of this project, and prints the
 * differences. Started by {@code conformance/beside-node}.
 */
final class BesideNode {

  private static final int BATCH = 500;
  private static final int MOST_SHOWN = 20;

  private final Originals originals;
  private final PrintStream out;
  private final OwnAnswers ours = new OwnAnswers();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Map<String, Integer> allowed = new TreeMap<>();
  private final Map<String, Integer> shown = new TreeMap<>();
  private int differences;

  private BesideNode(Originals originals, PrintStream out) {
    this.originals = originals;
    this.out = out;
  }

  /**
   * Runs trials. Exits with 0 if no trial differs.
   *
   * @param args the script for Node, the package file of its libraries, the number of trials, and
   *     the seed
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    long count = Long.parseLong(args[2]);
    long seed = Long.parseLong(args[3]);
    boolean agrees;
    try (Originals originals = new Originals(Path.of(args[0]), Path.of(args[1]))) {
      BesideNode run = new BesideNode(originals, out);
      run.play(new Trials(seed), count);
      agrees = run.report(count, seed);
    }
    System.exit(agrees ? 0 : 1);
  }

  private void play(Trials trials, long count) throws IOException {
    List<Trial> asked = batch(trials, 0, count);
    originals.ask(asked);
    for (long next = asked.size(); !asked.isEmpty(); next += asked.size()) {
      // The originals process the next batch while we process this one.
      List<Trial> answered = asked;
      List<String> mine = answered.stream().map(ours::answer).toList();
      List<String> theirs = originals.answers(answered.size());
      compare(answered, theirs, mine);
      asked = batch(trials, next, count);
      if (!asked.isEmpty()) {
        originals.ask(asked);
      }
    }
  }

  private static List<Trial> batch(Trials trials, long first, long end) {
    List<Trial> batch = new ArrayList<>();
    for (long number = first; number < Math.min(end, first + BATCH); number++) {
      batch.add(trials.make(number));
    }
    return batch;
  }

  private void compare(List<Trial> trials, List<String> theirs, List<String> mine)
      throws IOException {
    for (int i = 0; i < trials.size(); i++) {
      Trial trial = trials.get(i);
      kinds.merge(trial.kind(), 1, Integer::sum);
      if (!theirs.get(i).equals(mine.get(i))) {
        AllowedDifference reason = AllowedDifference.find(trial, theirs.get(i), mine.get(i));
        if (reason != null) {
          allowed.merge(reason.toString(), 1, Integer::sum);
        } else {
          differences++;
          show(trial);
        }
      }
    }
  }

  private void show(Trial trial) throws IOException {
    if (shown.size() >= MOST_SHOWN) {
      return;
    }
    Trial small = new TrialShrinker(this::differs).shrink(trial);
    String text = JsonCodec.find().write(shown(small), JsonCodec.WriteOptions.COMPACT);
    if (shown.merge(text, 1, Integer::sum) == 1) {
      out.println(text);
      out.println("  theirs " + originals.answer(small));
      out.println("  ours   " + ours.answer(small));
    }
  }

  private static Map<String, @Nullable Object> shown(Trial trial) {
    Map<String, @Nullable Object> map = new TreeMap<>(trial.asMap());
    map.put("body", trial.body());
    return map;
  }

  private boolean differs(Trial trial) throws IOException {
    String theirs = originals.answer(trial);
    String mine = ours.answer(trial);
    return !theirs.equals(mine) && AllowedDifference.find(trial, theirs, mine) == null;
  }

  private boolean report(long count, long seed) {
    out.println("trials " + count + ", seed " + seed + ": " + kinds);
    out.println("allowed differences: " + allowed);
    out.println("DIFFER " + differences + " of " + count);
    return differences == 0;
  }
}
