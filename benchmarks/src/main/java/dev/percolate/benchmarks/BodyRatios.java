package dev.percolate.benchmarks;

import dev.percolate.http.Form;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What bodies cost beside what could not be done without, by CPU time, in turns: on a machine that
 * others use, too, times of the wall say nothing. {@code benchmarks/bodies} starts it.
 */
final class BodyRatios {

  private BodyRatios() {}

  /**
   * Measures and prints Markdown.
   *
   * @param args the script of Node, and the file beside its libraries; or nothing
   */
  public static void main(String[] args) throws Exception {
    System.out.println(
        "| what | size | ours, µs | beside, µs | ratio | interval | ours, bytes | beside, bytes |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (int kilobytes : new int[] {1, 100}) {
      BodyBench bench = new BodyBench();
      bench.kilobytes = kilobytes;
      bench.make();
      String size = kilobytes + " KB";
      print("JSON codec beside Jackson", size, bench::jsonByTheCodec, bench::jsonByTheLibrary);
      // A request costs something without a body, too; that counts on both sides.
      print("JSON parser beside Jackson", size, bench::jsonByTheParser, bench::libraryAndRequest);
      print("raw beside a copy", size, bench::rawByTheParser, bench::bytesAndRequest);
      print("text beside a copy", size, bench::textByTheParser, bench::textAndRequest);
    }
    if (args.length > 1) {
      besideNode(args[0], args[1]);
    }
  }

  private static void print(String what, String size, Turns.Work ours, Turns.Work beside)
      throws Exception {
    Turns turns = Turns.of(ours, beside);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.2f | %.2f | %.2f | %.2f to %.2f | %d | %d |%n",
        what,
        size,
        turns.ours(),
        turns.beside(),
        turns.ratio(0.5),
        turns.ratio(Turns.LOW),
        turns.ratio(Turns.HIGH),
        Turns.bytes(ours),
        Turns.bytes(beside));
  }

  private static void besideNode(String script, String libraries) throws Exception {
    System.out.println();
    System.out.println("| form | size | parts | ours, µs | Node, µs | ratio | interval |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|");
    Map<String, Form> grammars = new LinkedHashMap<>();
    grammars.put("extended", Form.extended().parameterLimit(100_000));
    grammars.put("simple", Form.simple().parameterLimit(100_000));
    for (Map.Entry<String, Form> grammar : grammars.entrySet()) {
      for (int kilobytes : new int[] {1, 10, 100}) {
        String form = Bodies.form(kilobytes << 10);
        Turns turns;
        try (QsOnNode qs = new QsOnNode(script, libraries, grammar.getKey(), form)) {
          Form ours = grammar.getValue();
          turns = Turns.besideProcess(() -> ours.parse(form, StandardCharsets.UTF_8), qs::micros);
        }
        System.out.printf(
            Locale.ROOT,
            "| %s | %d KB | %d | %.1f | %.1f | %.3f | %.3f to %.3f |%n",
            grammar.getKey(),
            kilobytes,
            1 + form.chars().filter(c -> c == '&').count(),
            turns.ours(),
            turns.beside(),
            turns.ratio(0.5),
            turns.ratio(Turns.LOW),
            turns.ratio(Turns.HIGH));
      }
    }
  }
}
