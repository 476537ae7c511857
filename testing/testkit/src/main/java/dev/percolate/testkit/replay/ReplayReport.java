package dev.percolate.testkit.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The result of replaying a recording. */
public final class ReplayReport {

  private final Map<String, List<String>> kinds = new LinkedHashMap<>();
  private final Map<String, Difference> first = new LinkedHashMap<>();
  private final List<String> skipped = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();
  private int agreed;
  private int total;

  ReplayReport() {}

  /**
   * Returns true if all responses agree, and at least one request was sent.
   *
   * @return false if a response differs
   */
  public boolean agrees() {
    return kinds.isEmpty() && agreed > 0;
  }

  /**
   * Returns the number of responses that agree.
   *
   * @return the number of responses
   */
  public int agreed() {
    return agreed;
  }

  /**
   * Returns the number of recorded requests.
   *
   * @return the number of requests, including those that were not sent
   */
  public int total() {
    return total;
  }

  /**
   * Returns the rules that allow all differences, one for each kind.
   *
   * @return lines for a file of rules
   */
  public List<String> rules() {
    return List.copyOf(kinds.keySet());
  }

  /**
   * Throws an error if a response differs.
   *
   * @throws AssertionError with the text of this report
   */
  public void check() {
    if (!agrees()) {
      throw new AssertionError(toString());
    }
  }

  void add(RecordedCall call, List<Difference> differences) {
    total++;
    agreed += differences.isEmpty() ? 1 : 0;
    for (Difference one : differences) {
      Difference unused = first.putIfAbsent(one.rule(), one);
      List<String> calls = kinds.computeIfAbsent(one.rule(), rule -> new ArrayList<>());
      String name = call + " (" + call.id() + ")";
      if (!calls.contains(name)) {
        calls.add(name);
      }
    }
  }

  void skip(RecordedCall call) {
    total++;
    skipped.add(call + " (" + call.id() + "): " + call.skipped());
  }

  void missing(Set<String> names) {
    missing.addAll(names);
  }

  /** Returns each kind of difference with the place where it begins, and a summary. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    kinds.forEach(
        (rule, calls) -> {
          Difference one = first.get(rule);
          if (one != null) {
            out.append("differs: ").append(calls.get(0)).append(' ').append(one.where());
            out.append("\n  expected ").append(one.expected());
            out.append("\n  was      ").append(one.was());
            out.append("\n  ").append(more(calls)).append("rule: ").append(rule).append("\n\n");
          }
        });
    for (String reason : skipped) {
      out.append("not sent: ").append(reason).append('\n');
    }
    for (String name : missing) {
      out.append("unknown: the value of $SECRET{").append(name);
      out.append("}. Add the line ").append(name).append("=VALUE to the file of secrets\n");
    }
    out.append("AGREE ").append(agreed).append(" of ").append(total);
    return out.toString();
  }

  private static String more(List<String> calls) {
    return calls.size() == 1 ? "" : "and " + (calls.size() - 1) + " more; ";
  }
}
